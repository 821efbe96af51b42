// Uses the console in a real browser: every page in both themes with axe, on a phone's width, the review of twenty pairs by
// keyboard, two reviewers at once, a lost session. With SCREENSHOTS it writes pictures of pages into that folder instead.
//
//   CHROMIUM     the browser
//   CONSOLE_URL  the console, on the authored dumps
//   PASSWORD     of the operator Jana and the reviewers Petr and Eva
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const { CHROMIUM, CONSOLE_URL, PASSWORD, SCREENSHOTS } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });

/** Somebody who is logged in. Everything that the page or its policy complains about fails the test. */
async function person(name, options = {}) {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => {
    // A refused answer is logged by the browser, and is what some tests want.
    if (message.type() === "error" && !message.text().includes("status of 4")) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(CONSOLE_URL)) page.complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`${CONSOLE_URL}/`);
  await page.fill("[name=name]", name);
  await page.fill("[name=password]", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:not(:text('jeden'))");
  return page;
}

/** The next question; the queue is computed in the background. */
async function question(page, path = "/review") {
  await page.goto(CONSOLE_URL + path);
  await page.waitForSelector("[data-key=s]", { timeout: 30_000 });
}

async function pair(page) {
  return page.$eval("form.verdicts", (form) => `${form.left.value} ${form.right.value}`);
}

async function pages(page) {
  await page.goto(`${CONSOLE_URL}/records`);
  const record = await page.getAttribute(".hits a", "href");
  await page.goto(CONSOLE_URL + record);
  const listing = await page.getAttribute("tbody th a", "href");
  const compared = await page.getAttribute(".matrix td a", "href").catch(() => null);
  await question(page);
  const found = ["/", "/portals/sreality", "/records", record, listing, "/review", "/review/log", "/changes"];
  found.push("/records?address=Brno&radiusMeters=5000", "/addresses?text=Brno", "/weights", "/audit", "/nothing");
  return compared ? [...found, compared] : found;
}

/** Opens every page and lets axe look at it. */
async function look(name, options) {
  const page = await person("Jana", options);
  for (const path of await pages(page)) {
    await page.goto(CONSOLE_URL + path);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 1, `${name} ${path} is ${wide} pixels too wide`);
    // By the debugger, because the policy of the page allows no script from elsewhere.
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: axe });
    const { result } = await session.send("Runtime.evaluate", {
      expression: "axe.run().then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.target.join(' ') + ': ' + node.failureSummary)])))",
      awaitPromise: true,
    });
    assert.equal(result.value, "[]", `${name} ${path}: ${result.value}`);
  }
  assert.deepEqual(page.complaints, [], name);
  await page.context().close();
  console.error(`looked at every page: ${name}`);
}

async function reviewByKeys() {
  const page = await person("Petr");
  await question(page);
  const seen = new Set();
  const times = [];
  for (let count = 0; count < 20 && (await page.$("[data-key=s]")); count++) {
    const now = await pair(page);
    assert.ok(!seen.has(now), `${now} is asked twice`);
    seen.add(now);
    const before = Date.now();
    await Promise.all([page.waitForNavigation(), page.keyboard.press("sdu"[count % 3])]);
    times.push(Date.now() - before);
  }
  assert.ok(seen.size >= 5, `${seen.size} questions`);
  if (await page.$("[data-key=b]")) {
    await Promise.all([page.waitForNavigation(), page.keyboard.press("b")]);
    assert.ok(seen.has(await pair(page)), "B leads back to a pair that was answered");
    await page.keyboard.press("r");
    await page.keyboard.type("same kitchen");
    assert.equal(await page.inputValue("[name=reason]"), "same kitchen", "keys are letters in a field");
    await page.keyboard.press("Escape");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("s")]);
  }
  assert.deepEqual(page.complaints, []);
  times.sort((one, other) => one - other);
  console.error(`${seen.size} pairs by one key each; the next page in ${times[times.length >> 1]} ms (median)`);
  return page;
}

async function twoAtOnce() {
  const [jana, eva] = [await person("Jana"), await person("Eva")];
  await jana.goto(`${CONSOLE_URL}/records`);
  const record = await jana.getAttribute(".hits a", "href");
  await jana.goto(CONSOLE_URL + record);
  const compared = await jana.getAttribute(".matrix td a", "href");
  const [one, other] = ["one", "other"].map((name) => new URL(CONSOLE_URL + compared).searchParams.get(name));
  const path = `/review?left=${encodeURIComponent(one)}&right=${encodeURIComponent(other)}`;
  for (const page of [jana, eva]) await question(page, path);
  await Promise.all([jana.waitForNavigation(), jana.keyboard.press("s")]);
  await Promise.all([eva.waitForNavigation(), eva.keyboard.press("d")]);
  assert.match(await eva.textContent("main"), /Jana answered this pair/);
}

async function loseSession(page) {
  await page.goto(`${CONSOLE_URL}/review/log`);
  await page.context().clearCookies();
  await page.goto(`${CONSOLE_URL}/weights`);
  assert.match(page.url(), /\/login\?next=\/weights/);
  await page.fill("[name=name]", "Petr");
  await page.fill("[name=password]", PASSWORD);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.equal(page.url(), `${CONSOLE_URL}/weights`);
}

async function updateByItself() {
  const page = await person("Jana");
  await page.goto(`${CONSOLE_URL}/`);
  const before = await page.textContent("time");
  await page.waitForFunction((old) => document.querySelector("time").textContent !== old, before, { timeout: 20_000 });
  assert.deepEqual(page.complaints, []);
}

async function takePictures(folder) {
  const page = await person("Jana", { deviceScaleFactor: 1, colorScheme: "light", viewport: { width: 1180, height: 720 } });
  await page.goto(`${CONSOLE_URL}/`);
  await page.screenshot({ path: `${folder}/overview.png` });
  await question(page);
  await page.screenshot({ path: `${folder}/review.png` });
  await (await page.$("section[aria-labelledby=evidence]")).screenshot({ path: `${folder}/evidence.png` });
  await page.goto(`${CONSOLE_URL}/records`);
  await page.goto(CONSOLE_URL + (await page.getAttribute(".hits a", "href")));
  await page.screenshot({ path: `${folder}/record.png` });
}

try {
  if (SCREENSHOTS) {
    await takePictures(SCREENSHOTS);
  } else {
    await look("light", { colorScheme: "light" });
    await look("dark", { colorScheme: "dark" });
    await look("a phone, in Czech", { locale: "cs-CZ", viewport: { width: 360, height: 740 } });
    await updateByItself();
    await twoAtOnce();
    await loseSession(await reviewByKeys());
  }
} finally {
  await browser.close();
}
