// The client.

import { errorOf } from "./errors.js";
import type { Filters, Me, OfferDetail, OfferSummary, SearchResponse } from "./records.js";

const LARGEST_PAGE = 50;

export interface Options {
  /** How long a request may take, in seconds; 30 unless given. */
  timeout?: number;
  /** How long the client waits at most when the service says when to come back, in seconds; 60 unless given. */
  maxWait?: number;
}

/** Reads one service with one token. */
export class Client {
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #timeout: number;
  readonly #maxWait: number;

  constructor(baseUrl: string, token: string, { timeout = 30, maxWait = 60 }: Options = {}) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#token = token;
    this.#timeout = timeout;
    this.#maxWait = maxWait;
  }

  /** Every record that matches, newest change first, page by page. */
  async *offers(filters: Filters = {}): AsyncGenerator<OfferSummary, void, undefined> {
    for await (const page of this.pages(filters)) yield* page.data;
  }

  /** The pages of a search. Each is one request. */
  async *pages(filters: Filters = {}, limit = LARGEST_PAGE): AsyncGenerator<SearchResponse, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: SearchResponse = await this.page(filters, limit, cursor);
      yield page;
      cursor = page.pagination.nextCursor;
    } while (cursor !== null);
  }

  /** One page of a search; `cursor` is the `nextCursor` of the page before. */
  page(filters: Filters = {}, limit = LARGEST_PAGE, cursor: string | null = null): Promise<SearchResponse> {
    return this.#get("/v1/offers", { ...filters, limit, cursor });
  }

  /** A record with its adverts and their prices. */
  offer(id: string): Promise<OfferDetail> {
    return this.#get(`/v1/offers/${encodeURIComponent(id)}`);
  }

  /** The token, its plan and what is left of the quota; not counted. */
  me(): Promise<Me> {
    return this.#get("/v1/me");
  }

  async #get<T>(path: string, query: object = {}): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const url = `${this.#baseUrl}${path}${given.length > 0 ? `?${parameters}` : ""}`;
    for (let waited = 0; ; ) {
      const answer = await fetch(url, {
        headers: { Authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(this.#timeout * 1000),
      });
      if (answer.ok) return (await answer.json()) as T;
      const error = await errorOf(answer);
      const wait = error.retryAfter;
      if (wait === undefined || ![429, 500].includes(error.status) || waited + wait > this.#maxWait) throw error;
      // Also a wait of 0 seconds counts, so that the client cannot ask for ever.
      const seconds = Math.max(wait, 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      waited += seconds;
    }
  }
}
