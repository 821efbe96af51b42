"""A session with the official Python client: searches, compares and explains, and looks at the quota."""

import asyncio
import json
import os

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

TOOLS = [
    "search_offers", "get_offer", "compare_offers", "locate_place",
    "price_statistics", "recent_changes", "explain_offer", "get_usage",
]


async def main():
    headers = {"Authorization": f"Bearer {os.environ['JEDEN_TOKEN']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        async with streamable_http_client(os.environ["MCP_URL"], http_client=http) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                await talk(session)


async def call(session, name, arguments):
    # The client checks the structured content against the output schema.
    result = await session.call_tool(name, arguments)
    assert not result.is_error, (name, result.content)
    assert json.loads(result.content[0].text) == result.structured_content, name
    return result.structured_content


async def talk(session):
    tools = (await session.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    before = await call(session, "get_usage", {})
    found = await call(session, "search_offers", {"offerType": "sale", "type": "apartment", "limit": 3})
    ids = [offer["id"] for offer in found["offers"]]
    assert len(ids) == 3, found
    details = await call(session, "get_offer", {"id": ids[0], "includeTexts": True})
    assert details["offer"]["id"] == ids[0]
    compared = await call(session, "compare_offers", {"ids": ids})
    assert len(compared["offers"]) == 3 and compared["differences"], compared
    explained = await call(session, "explain_offer", {"id": ids[0]})
    assert explained["adverts"], explained
    place = await call(session, "locate_place", {"text": "Brno"})
    assert place["found"], place
    prices = await call(session, "price_statistics", {"offerType": "sale", "type": "apartment", "groupBy": "month"})
    assert prices["groups"], prices
    changes = await call(session, "recent_changes", {"limit": 5})
    assert changes["changes"], changes
    after = await call(session, "get_usage", {})
    counted = after["usage"]["requestsUsed"] - before["usage"]["requestsUsed"]
    assert counted == 7, counted
    wrong = await session.call_tool("search_offers", {"priceMin": "cheap"})
    assert wrong.is_error and "priceMin" in wrong.content[0].text, wrong
    resources = (await session.list_resources()).resources
    assert [str(one.uri) for one in resources] == ["jeden://vocabulary"], resources
    vocabulary = await session.read_resource("jeden://vocabulary")
    assert "priceTotal" in vocabulary.contents[0].text
    prompts = (await session.list_prompts()).prompts
    assert [prompt.name for prompt in prompts] == ["find_home", "judge_price"], prompts


asyncio.run(main())
print("a session with the Python client: searched, compared and explained")
