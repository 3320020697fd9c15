"""What one of everything takes in the files, and what a million subscribers take a day."""

import threading

import pages
from daemon import Failure
from growth import begin, charge_many, erase_at_once, register, scaled
from press import Press, user
from wire import Door


# Charges of each user whose charges are measured: few first answers are kept with the account.
CHARGES_EACH = 20
# A day of a million subscribers, and of those who render by credits.
DAY = [
    ("renewal, notified", 33_300, "a million that renew each month"),
    ("account, registered", 10_000, "1 % of newcomers a day"),
    ("purchase, verified", 5_000, "half of them buy"),
    (f"charge, keyed, {CHARGES_EACH} a user", 500_000, "100,000 by credits, 5 charges each"),
    ("credits granted", 10_000, ""),
]


def each(home, options):
    """What one of everything takes, by table and in the journal, and a day of a million."""
    count, = scaled([20_000], options)
    press = Press(home, count)
    daemon = begin(home)
    daemon.settle()
    meter = Meter(home, daemon, count)
    line = meter.line

    def app(requests):
        for _ in line().results(requests):
            pass

    meter.measure("account, registered", lambda: register(home, count))
    signed = press.purchases(count)
    meter.measure("purchase, verified", lambda: app(
        ("verifyPurchase", {"userId": name, "signedTransaction": document})
        for name, document in signed))
    meter.measure("renewal, notified", lambda: notify(home, press.notifications(count)))
    meter.measure(
        f"charge, keyed, {CHARGES_EACH} a user",
        lambda: charge_many(home, CHARGES_EACH * count, count, first=count + 1),
        before=lambda: register_more(home, count), count=CHARGES_EACH * count)
    meter.measure("credits granted", lambda: app(
        ("grantCredits", {"userId": user(number), "amount": 5, "idempotencyKey": "gift"})
        for number in range(1, count + 1)))
    meter.measure("entitlement granted, with an end", lambda: app(
        ("grantEntitlement", {"userId": user(number), "plan": "paid", "idempotencyKey": "g",
                              "expiresAt": "2099-01-01T00:00:00.000Z"})
        for number in range(1, count + 1)))
    meter.measure("second token of a user", lambda: app(
        ("registerAccount", {"userId": user(number), "appAccountToken": token(number)})
        for number in range(1, count + 1)))
    few = max(10, count // 400)
    meter.measure("person erased", lambda: erase_at_once(
        home, [user(count + number) for number in range(1, few + 1)]), count=few)
    daemon.kill()
    return [meter.table(), a_day(meter)]


def notify(home, payloads):
    """Posts all of them, over four connections."""
    parts = [payloads[number::4] for number in range(4)]
    faults = []

    def post(part):
        door = Door(home.port, home.certificate)
        for payload in part:
            status, body = door.post(payload)
            if status != 200:
                faults.append(f"{status} {body}")
        door.close()

    threads = [threading.Thread(target=post, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise Failure(f"a notification: {faults[0]}")


def token(number):
    """A token that nobody else has."""
    return f"{number:08x}-0000-4000-8000-{number:012x}"


def register_more(home, count):
    """As many accounts again, behind the first."""
    home.bench("register", requests=count, accounts=count, first_account=count + 1,
               keys="sequential", connections=16, in_flight=16, warm_up=0, duration=7200,
               press=home.press)


class Meter:
    """What each kind of command leaves in the files, between two stops of the daemon."""

    def __init__(self, home, daemon, count):
        self._home, self._daemon, self._count = home, daemon, count
        # By kind: bytes of the views, of each table that grew, of the journal, for one.
        self.found = {}

    def line(self):
        """A new connection for an admin."""
        return self._daemon.admin()

    def measure(self, kind, act, before=None, count=None):
        """Stops, looks, does it so many times, stops and looks again."""
        count = count or self._count
        if before:
            before()
        tables, journal = self._look()
        act()
        later, journal_later = self._look()
        grown = {
            name: (tree.bytes - tables[name].bytes, tree.rows - tables[name].rows)
            for name, tree in later.items() if tree.bytes != tables[name].bytes
        }
        views = sum(bytes for bytes, _ in grown.values()) / count
        self.found[kind] = views, grown, (journal_later - journal) / count, count

    def _look(self):
        self._daemon.settle()
        self._daemon.stop()
        looked = pages.tables(self._daemon.store), pages.journal_bytes(self._daemon.store)
        self._daemon.start()
        return looked

    def table(self):
        """A table: title, head, lines."""
        lines = []
        for kind, (views, grown, journal, count) in self.found.items():
            where = ", ".join(
                f"{name} {bytes / count:+,.0f} ({rows / count:+.2g} rows)"
                for name, (bytes, rows) in sorted(grown.items()))
            lines.append([kind, f"{count:,}", f"{views:,.0f}", f"{journal:,.0f}", where])
        title = "What one of everything takes, in bytes"
        return title, ["one", "measured over", "views", "journal", "by table"], lines


def a_day(meter):
    """What a million subscribers take a day, from the figures above: title, head, lines."""
    lines, views_sum, journal_sum = [], 0, 0
    for kind, count, why in DAY:
        views, _, journal, _ = meter.found[kind]
        views_sum += views * count
        journal_sum += journal * count
        products = [
            f"{bytes:,.0f} × {count:,} = {mebibytes(bytes * count)}" for bytes in (views, journal)
        ]
        lines.append([kind, f"{count:,}", why, *products])
    lines.append(["all", "", "", mebibytes(views_sum), mebibytes(journal_sum)])
    return ("A day of a million subscribers", ["what", "a day", "because", "views", "journal"],
            lines)


def mebibytes(count):
    """Bytes, in words."""
    return f"{count / (1 << 20):,.1f} MiB"
