#!/usr/bin/env python3
"""Measures every page of a console that is running: milliseconds until the last byte, and bytes as they are sent.

    tests/load/console.py http://127.0.0.1:8090 NAME [COUNT]

The password of NAME is read from the environment variable PASSWORD. Every page is requested COUNT times (by default 20),
after once that is not counted; the table has the median and the slowest. Pages over 100 ms or 100 KB are marked.
"""

import html
import http.client
import os
import re
import statistics
import sys
import time
import urllib.parse

LIMIT_MS, LIMIT_BYTES = 100, 100_000


class Browser:
    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=300)
        self.cookie = ""

    def send(self, method, path, body=None, gzip=False):
        headers = {"Cookie": self.cookie}
        if gzip:
            headers["Accept-Encoding"] = "gzip"
        if body is not None:
            headers.update({"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self.host}",
                            "Sec-Fetch-Site": "same-origin"})
        began = time.perf_counter()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer, content, (time.perf_counter() - began) * 1000

    def log_in(self, name, password):
        form = urllib.parse.urlencode({"name": name, "password": password, "next": "/"})
        answer, _, _ = self.send("POST", "/login", form)
        cookie = answer.getheader("set-cookie")
        if not cookie:
            sys.exit(f"{name} could not log in ({answer.status})")
        self.cookie = cookie.split(";")[0]

    def text(self, path):
        answer, content, _ = self.send("GET", path)
        if answer.status != 200:
            sys.exit(f"{path} answers {answer.status}: {content[:300]}")
        return content.decode()


def first(pattern, text):
    found = re.search(pattern, text)
    return html.unescape(found[1]) if found else None


def pages(browser):
    """The path of each page, with the largest of what it shows."""
    found = {"overview": "/"}
    portal = first(r'href="(/portals/[^"/]+)"', browser.text("/"))
    found["a portal"] = portal
    found["a crawl"] = portal and first(r'href="(/portals/[^"]+/crawls/\d+)"', browser.text(portal))
    found["left out"] = portal and portal + "/left-out"
    began = time.perf_counter()
    while "data-key" not in browser.text("/review"):
        if time.perf_counter() - began > 600:
            sys.exit("the review queue was not computed within ten minutes")
        time.sleep(0.5)
    print(f"the review queue took {time.perf_counter() - began:.1f} s", file=sys.stderr)
    found["review"] = "/review"
    found["answers"] = "/review/log"
    found["records"] = "/records"
    found["records of a town"] = "/records?address=Brno&radiusMeters=5000"
    found["records that are few"] = "/records?priceMin=4990000&priceMax=4991000&type=house"
    # The record with the most adverts on the first page of results.
    records = set(re.findall(r'href="(/records/[A-Za-z0-9]+)"', browser.text("/records") + browser.text("/changes")))
    record = max(records, key=lambda path: browser.text(path).count('href="/listings/'))
    found["a record"] = record
    text = browser.text(record)
    found["a pair"] = first(r'href="(/pairs\?[^"]+)"', text)
    found["an advert"] = first(r'href="(/listings/[^"]+)"', text)
    found["changes"] = "/changes"
    found["addresses"] = "/addresses?text=" + urllib.parse.quote("Údolní 33, Brno")
    found["weights"] = "/weights"
    found["log"] = "/audit"
    found["country (picture)"] = "/country.svg"
    return {name: path for name, path in found.items() if path}


def main():
    url, name = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    browser = Browser(url)
    browser.log_in(name, os.environ["PASSWORD"])
    print("| page | ms, median | slowest | KB | KB, gzip |")
    print("|---|---:|---:|---:|---:|")
    for page, path in pages(browser).items():
        _, content, _ = browser.send("GET", path)
        _, small, _ = browser.send("GET", path, gzip=True)
        times = [browser.send("GET", path)[2] for _ in range(count)]
        median, slowest = statistics.median(times), max(times)
        mark = " (!)" if median > LIMIT_MS or len(content) > LIMIT_BYTES else ""
        print(f"| {page}{mark} | {median:.1f} | {slowest:.0f} | {len(content) / 1000:.0f} | {len(small) / 1000:.0f} |")


if __name__ == "__main__":
    main()
