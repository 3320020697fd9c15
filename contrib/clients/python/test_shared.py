"""Answers that are kept under marks that each test writes."""

import asyncio
import os
import struct
import time
import unittest
from unittest import mock

from entitld.aio import AsyncClient
from entitld.shared import SharedAnswers, _hash
from fake_daemon import DaemonCase

GROUPS = 1 << 10
GENERATION, CATALOG, MARKS = 16, 24, 64


class SharedTests(DaemonCase):
    def setUp(self):
        self.asked = 0
        self.changes, self.seq = None, 5
        self.fake = self.daemon(lambda *_: self.reply())
        self.path = self.fake.path

    def write(self, offset, value):
        with open(f"{self.path}.marks", "r+b") as file:
            file.seek(offset)
            file.write(struct.pack("=Q", value))

    def marks(self, generation=7):
        words = [GROUPS, generation, 0, 0, 0, 0, 0] + [0] * GROUPS
        with open(f"{self.path}.marks.new", "wb") as file:
            file.write(b"ENTMARK1" + struct.pack(f"={len(words)}Q", *words))
        os.rename(f"{self.path}.marks.new", f"{self.path}.marks")

    def reply(self):
        self.asked += 1
        return {"result": {"canRender": True, "via": "grant", "state": "subscribed", "reason": None,
                           "nextChangeAt": self.changes, "seq": self.seq}}

    def sharing(self):
        return self.client(self.fake, shared_answers=True)

    def expect(self, client, asked, user="alice"):
        self.assertTrue(client.can_render(user)["canRender"])
        self.assertEqual(self.asked, asked)

    def test_an_answer_is_kept_until_something_is_newer(self):
        self.marks()
        client = self.sharing()
        place = MARKS + 8 * (_hash(b"alice") % GROUPS)
        self.expect(client, 1)
        self.expect(client, 1)
        self.write(place, 5)  # what the answer reflects
        self.expect(client, 1)
        self.write(place ^ 8, 9)  # somebody else
        self.expect(client, 1)
        for offset, value in ((place, 6), (CATALOG, 5), (GENERATION, 8)):
            before = self.asked
            self.write(offset, value)
            self.expect(client, before + 1)
            self.marks()  # another file
            client = self.sharing()
            self.expect(client, before + 2)

    def test_time_ends_it(self):
        self.marks()
        soon = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 5))
        self.changes, client = soon, self.sharing()
        self.expect(client, 1)
        self.expect(client, 1)
        wall, steady = time.time(), time.monotonic()
        for name, moment in (("time", wall + 6), ("time", wall - 60), ("monotonic", steady + 6)):
            before = self.asked
            with mock.patch(f"time.{name}", lambda: moment):
                self.assertIsNone(client._shared.answer("alice"), name)
            self.expect(client, before)

    def test_its_time_counts_from_before_it_was_asked_for(self):
        self.marks()
        shared = self.sharing()._shared
        shared.answer("alice")  # maps the file
        asked = shared.asking()
        with mock.patch("time.monotonic", lambda: asked.now + 6), \
                mock.patch("time.time", lambda: asked.wall + 6):
            shared.keep("alice", self.reply()["result"], asked)
        for after, holds in ((9.9, True), (10.1, False)):
            with mock.patch("time.monotonic", lambda: asked.now + after):
                self.assertEqual(shared.answer("alice") is not None, holds, after)

    def test_another_cost_is_always_asked_and_so_is_everything_without_a_file(self):
        client = self.sharing()
        self.expect(client, 1)
        self.expect(client, 2)
        self.marks()
        client = self.sharing()
        self.expect(client, 3)
        for _ in range(2):
            client.can_render("alice", cost=2)
        self.assertEqual(self.asked, 5)

    def test_a_caller_may_change_what_it_got(self):
        self.marks()
        client = self.sharing()
        client.can_render("alice")["canRender"] = False
        client.can_render("alice")["canRender"] = False
        self.expect(client, 1)

    def test_a_file_that_is_no_file_of_marks_is_as_none(self):
        for content in (b"", b"x", b"x" * 8, b"x" * 100, b"ENTMARK1" + bytes(56), b"ENTMARK1" + bytes(80)):
            with open(f"{self.path}.marks", "wb") as file:
                file.write(content)
            shared = SharedAnswers(self.path)
            self.assertIsNone(shared.answer("alice"))
            self.assertIsNone(shared.asking())
        os.unlink(f"{self.path}.marks")
        os.mkfifo(f"{self.path}.marks")
        self.assertIsNone(SharedAnswers(self.path).answer("alice"))

    def test_asyncio_gets_what_is_kept_too(self):
        self.marks()

        async def ask():
            async with AsyncClient(self.path, timeout=20, shared_answers=True) as client:
                for _ in range(3):
                    self.assertTrue((await client.can_render("alice"))["canRender"])
                await client.can_render("alice", cost=2)

        asyncio.run(ask())
        self.assertEqual(self.asked, 2)

    def test_wrong_arguments_are_refused_as_ever(self):
        self.marks()
        client = self.sharing()
        self.expect(client, 1)
        for user, cost in ((["alice"], 1), (7, 1), ("", 1), ("alice", True), ("alice", "1")):
            with self.assertRaises(TypeError):
                client.can_render(user, cost)


if __name__ == "__main__":
    unittest.main()
