// Tests against a running service: JEDEN_URL, JEDEN_TOKEN with a large quota, JEDEN_SMALL_TOKEN with ten requests.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { ApiError, Client } from "jeden-client";

const { JEDEN_URL: url, JEDEN_TOKEN: token, JEDEN_SMALL_TOKEN: smallToken } = process.env;
const client = new Client(url, token);

async function all(generator) {
  const found = [];
  for await (const one of generator) found.push(one);
  return found;
}

test("all pages have every record once", async () => {
  const together = (await all(client.offers())).map((offer) => offer.id);
  const pages = await all(client.pages({}, 7));
  assert.deepEqual(pages.flatMap((page) => page.data.map((offer) => offer.id)), together);
  assert.ok(pages.length > 3);
  assert.equal(new Set(together).size, together.length);
});

test("filters are sent as they are", async () => {
  const found = await all(client.offers({ offerType: "sale", arrangement: "2+kk", includeInactive: true }));
  assert.ok(found.length > 0);
  assert.ok(found.every((offer) => offer.offerType === "sale" && offer.arrangement === "2+kk"));
});

test("a detail has links and prices", async () => {
  const { data } = await client.page({}, 1);
  const detail = await client.offer(data[0].id);
  const { portalLinks, priceHistory, ...summary } = detail;
  assert.deepEqual(summary, data[0]);
  assert.equal(portalLinks.length, priceHistory.length);
});

test("the quota is reported", async () => {
  const { usage, plan } = await client.me();
  assert.equal(usage.requestsUsed + usage.requestsRemaining, plan.requestsPerMonth);
});

test("wrong parameters are named", async () => {
  await assert.rejects(client.page({ priceMin: 5, priceMax: 3 }, 51), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "invalid-request");
    assert.deepEqual(error.details.map((detail) => detail.path).sort(), ["limit", "priceMax", "priceMin"]);
    assert.ok(error.requestId);
    return true;
  });
});

test("unknown records and tokens are refused", async () => {
  await assert.rejects(client.offer("no/such record"), { status: 404, code: "not-found" });
  await assert.rejects(new Client(url, "jdn_wrong").me(), { status: 401, code: "unauthorized" });
});

test("a used-up quota is not waited for", async () => {
  const small = new Client(url, smallToken);
  const refused = async () => {
    for (let request = 0; request < 12; request += 1) await small.page({}, 1);
  };
  await assert.rejects(refused, (error) => error.code === "quota-exceeded" && error.retryAfter > 0);
});

/** A server that answers with these statuses, one after another. */
async function serve(t, statuses) {
  const server = createServer((_, answer) => {
    const status = statuses.shift();
    const body = { data: [], pagination: { limit: 50, count: 0, hasMore: false, nextCursor: null } };
    answer.writeHead(status, status === 200 ? {} : { "Retry-After": "1" }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

test("a short wait is waited out", async (t) => {
  const statuses = [429, 500, 200];
  const page = await new Client(await serve(t, statuses), "t").page();
  assert.deepEqual([page.data, statuses], [[], []]);
});

test("a wait that is too long is an error", async (t) => {
  const statuses = [429, 429, 429, 200];
  const busy = new Client(await serve(t, statuses), "t", { maxWait: 2 });
  await assert.rejects(busy.page(), { status: 429, code: "unknown" });
  assert.deepEqual(statuses, [200]);
});
