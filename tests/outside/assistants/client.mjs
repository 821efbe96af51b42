// A session with the official TypeScript client: searches, compares and explains, and looks at the quota.
import assert from "node:assert/strict";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const TOOLS = [
    "search_offers", "get_offer", "compare_offers", "locate_place",
    "price_statistics", "recent_changes", "explain_offer", "get_usage",
];

const headers = { Authorization: `Bearer ${process.env.JEDEN_TOKEN}` };
const transport = new StreamableHTTPClientTransport(new URL(process.env.MCP_URL), { requestInit: { headers } });
const client = new Client({ name: "check", version: "1.0.0" });
await client.connect(transport);

async function call(name, args) {
    // The client checks the structured content against the output schema, because it has listed the tools.
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, name);
    return result.structuredContent;
}

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
const before = await call("get_usage", {});
const found = await call("search_offers", { offerType: "sale", type: "apartment", limit: 3 });
const ids = found.offers.map((offer) => offer.id);
assert.equal(ids.length, 3);
assert.equal((await call("get_offer", { id: ids[0] })).offer.id, ids[0]);
const compared = await call("compare_offers", { ids });
assert.equal(compared.offers.length, 3);
assert.ok((await call("explain_offer", { id: ids[0] })).adverts.length > 0);
assert.ok((await call("locate_place", { text: "Brno" })).found);
const prices = await call("price_statistics", { offerType: "sale", type: "apartment", groupBy: "month" });
assert.ok(prices.groups.length > 0);
const changes = await call("recent_changes", { limit: 5 });
assert.ok(changes.changes.length > 0);
const later = await call("recent_changes", { after: changes.handle });
assert.ok(Number.isInteger(later.handle) && later.handle >= changes.handle);
const after = await call("get_usage", {});
assert.equal(after.usage.requestsUsed - before.usage.requestsUsed, 8);

const wrong = await client.callTool({ name: "search_offers", arguments: { priceMin: "cheap" } });
assert.ok(wrong.isError && wrong.content[0].text.includes("priceMin"));
const { resources } = await client.listResources();
assert.deepEqual(resources.map((one) => one.uri), ["jeden://vocabulary"]);
const offer = await client.readResource({ uri: `jeden://offers/${ids[0]}` });
assert.equal(JSON.parse(offer.contents[0].text).offer.id, ids[0]);
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map((prompt) => prompt.name), ["find_home", "judge_price"]);
const districts = await client.complete({
    ref: { type: "ref/prompt", name: "find_home" },
    argument: { name: "district", value: "Pra" },
});
assert.ok(districts.completion.values.some((name) => name.startsWith("Praha")), JSON.stringify(districts));
await client.close();
console.log("a session with the TypeScript client: searched, compared and explained");
