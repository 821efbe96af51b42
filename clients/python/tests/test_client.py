"""Tests against a running service: JEDEN_URL, JEDEN_TOKEN with a large quota, JEDEN_SMALL_TOKEN with ten requests."""

import json
import os
import threading
import unittest
from datetime import timezone
from http.server import BaseHTTPRequestHandler, HTTPServer

from jeden_client import Client, InvalidRequest, NotFound, QuotaExceeded, Unauthorized

URL, TOKEN = os.environ["JEDEN_URL"], os.environ["JEDEN_TOKEN"]


class Searching(unittest.TestCase):
    client = Client(URL, TOKEN)

    def test_all_pages_have_every_record_once(self):
        together = [offer.id for offer in self.client.offers()]
        pages = list(self.client.pages(limit=7))
        self.assertEqual([offer.id for page in pages for offer in page.data], together)
        self.assertGreater(len(pages), 3)
        self.assertEqual(len(set(together)), len(together))
        self.assertFalse(pages[-1].pagination.has_more)

    def test_filters_are_sent_as_they_are(self):
        found = list(self.client.offers(offerType="sale", arrangement="2+kk", includeInactive=True))
        self.assertTrue(found)
        for offer in found:
            self.assertEqual((offer.offer_type, offer.arrangement), ("sale", "2+kk"))

    def test_a_detail_has_links_and_prices(self):
        first = next(self.client.offers())
        detail = self.client.offer(first.id)
        self.assertEqual((detail.id, detail.title, detail.location), (first.id, first.title, first.location))
        self.assertEqual(detail.first_seen_at.tzinfo, timezone.utc)
        self.assertEqual(len(detail.portal_links), len(detail.price_history))
        self.assertTrue(detail.portal_links[0].site_id)

    def test_the_quota_is_reported(self):
        me = self.client.me()
        self.assertTrue(TOKEN.startswith(me.token.prefix))
        self.assertEqual(me.usage.requests_used + me.usage.requests_remaining, me.plan.requests_per_month)


class Refusals(unittest.TestCase):
    client = Client(URL, TOKEN)

    def test_wrong_parameters_are_named(self):
        with self.assertRaises(InvalidRequest) as refused:
            self.client.page(limit=51, priceMin=5, priceMax=3)
        error = refused.exception
        self.assertEqual((error.status, error.code), (400, "invalid-request"))
        self.assertEqual(sorted(detail.path for detail in error.details), ["limit", "priceMax", "priceMin"])
        self.assertTrue(error.request_id)

    def test_an_unknown_record_is_not_found(self):
        with self.assertRaises(NotFound):
            self.client.offer("no/such record")

    def test_a_wrong_token_is_refused(self):
        with self.assertRaises(Unauthorized):
            Client(URL, "jdn_wrong").me()

    def test_a_used_up_quota_is_not_waited_for(self):
        small = Client(URL, os.environ["JEDEN_SMALL_TOKEN"])
        with self.assertRaises(QuotaExceeded) as refused:
            for _ in range(12):
                small.page(limit=1)
        self.assertGreater(refused.exception.retry_after, 0)


class Waiting(unittest.TestCase):
    """A server that is busy for a while."""

    def serve(self, statuses):
        class Busy(BaseHTTPRequestHandler):
            def do_GET(self):
                status = statuses.pop(0)
                body = json.dumps({"data": [], "pagination": {"limit": 50, "count": 0, "hasMore": False, "nextCursor": None}})
                self.send_response(status)
                if status != 200:
                    self.send_header("Retry-After", "1")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Busy)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_a_short_wait_is_waited_out(self):
        statuses = [429, 500, 200]
        self.assertEqual(Client(self.serve(statuses), "t").page().data, [])
        self.assertEqual(statuses, [])

    def test_a_wait_that_is_too_long_is_an_error(self):
        statuses = [429, 429, 429, 200]
        with self.assertRaises(QuotaExceeded) as refused:
            Client(self.serve(statuses), "t", max_wait=2).page()
        self.assertEqual((refused.exception.code, statuses), ("unknown", [200]))


if __name__ == "__main__":
    unittest.main()
