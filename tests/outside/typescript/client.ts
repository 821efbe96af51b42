// Reads a page, a detail and two errors with the generated types.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { env: Record<string, string> };

type PropertyType = components["schemas"]["PropertyType"];

const service = createClient<paths>({
  baseUrl: process.env.JEDEN_URL,
  headers: { Authorization: `Bearer ${process.env.JEDEN_TOKEN}` },
});

function assert(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

const type: PropertyType = "apartment";
const filters = { offerType: "sale", type, arrangement: "2+kk", priceMax: 1e21 } as const;

const page = await service.GET("/v1/offers", { params: { query: { ...filters, limit: 2 } } });
assert(page.data !== undefined, page.error);
const first = page.data.data[0];
assert(first !== undefined && page.data.data.length === 2 && page.data.pagination.limit === 2, page.data.pagination);
assert(first.type === type && first.arrangement === "2+kk", first);

const detail = await service.GET("/v1/offers/{offerId}", { params: { path: { offerId: first.id } } });
assert(detail.data !== undefined, detail.error);
assert(detail.data.title === first.title && detail.data.portalLinks.length > 0, detail.data);

const refusal = await service.GET("/v1/offers", { params: { query: { ...filters, limit: 51 } } });
assert(refusal.response.status === 400 && refusal.error !== undefined, refusal.data);
assert(refusal.error.error.code === "invalid-request", refusal.error);
assert(refusal.error.error.details?.map((entry) => entry.path).join() === "limit", refusal.error);

const missing = await service.GET("/v1/offers/{offerId}", { params: { path: { offerId: "nothing" } } });
assert(missing.response.status === 404 && missing.error?.error.code === "not-found", missing);

console.log(`the TypeScript client read ${first.id} of ${detail.data.portalLinks.length} links`);
