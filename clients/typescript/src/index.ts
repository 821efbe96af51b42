// Reads the API of jeden: Czech property listings, one property one record.

export { Client, type Options } from "./client.js";
export { ApiError } from "./errors.js";
export type * from "./records.js";
