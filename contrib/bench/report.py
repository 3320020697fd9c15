"""Turns the measurements of bench.sh into a table, JSON and a picture.

report.py ROWS.jsonl OUT ACCOUNTS SCALE VERSION
"""

import json
import os
import statistics
import sys
import time
from dataclasses import dataclass

MIB = 1 << 20


@dataclass
class Line:
    """One comparison: a figure for each round, and what it should reach."""

    work: str
    against: str
    unit: str
    figures: list
    least: float | None = None
    most: float | None = None

    @property
    def median(self):
        return statistics.median(self.figures)

    @property
    def reached(self):
        if self.least is not None:
            return self.median >= self.least
        return None if self.most is None else self.median <= self.most

    @property
    def goal(self):
        if self.least is not None:
            return f"≥ {self.least:g}{self.unit}"
        return "" if self.most is None else f"≤ {self.most:g}{self.unit}"

    @property
    def progress(self):
        """1 where the goal is just reached, more where it is exceeded."""
        if self.least is not None:
            return self.median / self.least
        return self.most / self.median if self.median else 1.0

    def told(self, value):
        if self.unit == " ×":
            return f"{value:.2f} ×"
        digits = 0 if abs(value) >= 100 else 1
        return f"{value:,.{digits}f}{self.unit}"


def rate(result):
    return result["perSecond"]


def tail(result):
    return result["latency"]["p99"]


def processor(result):
    return result["server"]["microsecondsPerOperation"]


def answered(result):
    return result["positives"] / result["seconds"]


def anonymous(result):
    return result["server"]["anonymousBytes"] / MIB


class Measurements:
    def __init__(self, path):
        self.found = {}
        self.records = []
        with open(path) as lines:
            for line in lines:
                record = json.loads(line)
                self.records.append(record)
                key = record["row"], record["server"]
                self.found.setdefault(key, {})[record["round"]] = record["result"]

    def values(self, row, server, figure):
        return [figure(result) for _, result in sorted(self.found.get((row, server), {}).items())]

    def ratios(self, row, server, other_row, other, figure, other_figure=None):
        """Round by round: what machine and moment did to both is in neither."""
        mine, theirs = self.found.get((row, server), {}), self.found.get((other_row, other), {})
        rounds = sorted(set(mine) & set(theirs))
        return [figure(mine[r]) / (other_figure or figure)(theirs[r]) for r in rounds]


def lines(found, accounts, scale):
    def compare(work, row, other, least=None, figure=rate, most=None, against=None):
        figures = found.ratios(row, "entitld", row, other, figure)
        return Line(work, against or other, " ×", figures, least, most)

    def plain(work, row, server, unit, figure, most=None):
        return Line(work, "–", unit, found.values(row, server, figure), None, most)

    micro = lambda result: result["microseconds"]
    notices = found.found.get(("notifications", "entitld"), {})
    cheaper = found.ratios("notifications", "apple", "notifications", "entitld", micro, processor)
    dearer = found.ratios("notifications", "entitld", "notifications", "openssl", processor, micro)
    others = {
        store: found.ratios("stores", store, "stores", "entitld", micro, processor)
        for store in ("google_play", "stripe")
    }
    memory = [
        result["server"]["anonymousBytes"] / MIB
        for (row, server), rounds in found.found.items()
        for result in rounds.values()
        if server == "entitld" and row in ("check", "pipelined", "scaled")
    ]
    quiet = found.values("polite", "entitld", anonymous)
    crowd = [more - less for more, less in zip(found.values("crowd", "entitld", anonymous), quiet)]
    ready = 2000 if max(accounts, scale) > 1_000_000 else 100
    table = [
        compare("canRender, 50 connections x 1", "check", "redis", 1.15, against="Redis GET"),
        compare("its p99", "check", "redis", None, tail, 1.0, against="Redis GET"),
        compare("canRender, 50 x 16", "pipelined", "redis", 1.1, against="Redis GET"),
        compare("the same, where ids are tokens and the sandbox is for some", "configured",
                "redis", 1.1, against="Redis GET"),
        compare("canRender, 50 x 1", "check", "echo", 0.85, against="C echo server"),
        compare("consumeCredit, durable, keyed", "durable", "redis", 1.0,
                against="Redis, appendfsync always, script"),
        Line("one notification, processor", "Apple's Python library", " ×", cheaper, 30),
        Line("one notification, processor", "one P-256 verification", " ×", dearer, None, 5),
        Line("one message of Google Play, its purchase fetched, processor", "Apple's", " ×",
             others["google_play"], None, 1),
        Line("one event of Stripe, its object fetched, processor", "Apple's", " ×",
             others["stripe"], None, 1),
        compare("canRender over HTTPS, 50 connections x 1", "api", "nginx",
                against="nginx, a static reply of the same size"),
        compare("its p99", "api", "nginx", None, tail, against="nginx, a static reply"),
        Line(f"canRender, {scale:,} accounts", f"{accounts:,} accounts", " ×",
             found.ratios("scaled", "entitld", "check", "entitld", rate), 0.7),
        Line("p99 of canRender beside 5,000 charges/s", "alone", " ×",
             found.ratios("beside-writes", "entitld", "quiet", "entitld", tail), None, 2),
        Line("p99 of canRender beside 200 verifyPurchase/s", "alone", " ×",
             found.ratios("beside-purchases", "entitld", "quiet", "entitld", tail), None, 2),
        Line("p99 of ten polite clients beside one with 1,024 in flight", "alone", " ×",
             found.ratios("beside-greed", "entitld", "polite", "entitld", tail), None, 2),
        Line("answered at three times the peak", "the peak", " ×",
             found.ratios("flood", "entitld", "peak", "entitld", answered), 0.8),
        Line("10,000 idle connections", "–", " MiB", crowd, None, 100),
        Line("memory beside the map", "–", " MiB", memory and [max(memory)], None, 64),
        plain("start to the first answer", "start", "entitld", " ms",
              lambda result: result["milliseconds"], ready),
        compare("canRender, 50 x 1", "check", "memcached", against="memcached get"),
        compare("canRender, 50 x 16", "pipelined", "memcached", against="memcached get"),
        compare("canRender, 50 x 16", "pipelined", "echo", against="C echo server"),
        compare("canRender, 50 x 1", "check", "postgres", against="PostgreSQL SELECT"),
        compare("consumeCredit, durable", "durable", "postgres", against="PostgreSQL UPDATE"),
        *(
            compare(f"the same, {clients} x 1", f"durable-{clients}", "postgres", 1.0,
                    against="PostgreSQL UPDATE")
            for clients in (1, 4, 16, 90)
        ),
        plain("one look-up, mdb_get in C", "store", "lmdb", " µs", micro),
        plain("one P-256 verification, OpenSSL", "notifications", "openssl", " µs", micro),
    ]  # fmt: skip
    # Where the machine has other work as well, processor time is disturbed less than throughput.
    for row, work in [("check", "canRender, 50 x 1"), ("pipelined", "canRender, 50 x 16")]:
        for other in ("redis", "echo", "memcached"):
            figures = found.ratios(row, other, row, "entitld", processor)
            table.append(Line(f"{work}, processor of the other", other, " ×", figures))
    for row, work in [
        ("check", "canRender, 50 x 1"), ("pipelined", "canRender, 50 x 16"),
        ("zipf", "canRender, 50 x 1, zipf"), ("batch", "canRender, batches of 10"),
        ("churn", "canRender, a connection each"), ("status", "getStatus, 50 x 1"),
        ("mixed", "95 % canRender, 5 % consumeCredit"), ("durable", "consumeCredit, 50 x 1"),
        ("register", "registerAccount, 50 x 1"), ("notifications", "notifications, 20 x 1"),
    ]:  # fmt: skip
        table.append(plain(work, row, "entitld", " /s", rate))
        table.append(plain("  its p99", row, "entitld", " µs", tail))
        table.append(plain("  processor for each", row, "entitld", " µs", processor))
    table.append(plain("canRender over HTTPS, 50 x 1", "api", "entitld", " /s", rate))
    table.append(plain("  its p99", "api", "entitld", " µs", tail))
    # A notification that was refused costs less than one that was applied.
    for result in notices.values():
        if result["positives"] < result["replies"]:
            sys.exit(f"report: {result['replies'] - result['positives']} were not applied")
    return [line for line in table if line.figures]


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    return {
        "processor": model, "cores": os.cpu_count(), "kernel": os.uname().release, "when": when,
    }  # fmt: skip


def markdown(table, host, accounts, version):
    out = [
        f"{version}, {accounts:,} accounts, {host['when']}, {host['processor']}, "
        f"{host['cores']} cores, Linux {host['kernel']}; server on core 0, client on core 1",
        "",
        "| work | against | median | spread | reach | |",
        "|---|---|---|---|---|---|",
    ]
    for line in table:
        spread = f"{line.told(min(line.figures))} – {line.told(max(line.figures))}"
        mark = {True: "reached", False: "**not reached**", None: ""}[line.reached]
        out.append(
            f"| {line.work} | {line.against} | {line.told(line.median)} | {spread} "
            f"| {line.goal} | {mark} |"
        )
    return "\n".join(out) + "\n"


def picture(table, host, accounts):
    """How far each goal is reached: a bar to the line or beyond it."""
    goals = [line for line in table if line.reached is not None]
    step, left, width = 34, 430, 420
    height = 70 + step * len(goals)
    unit = width / 2
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 130}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="16" y="24" font-size="15">entitld beside others, {accounts:,} accounts: '
        "the line is the goal</text>",
    ]
    for index, line in enumerate(goals):
        y = 46 + index * step
        length = min(line.progress, 2.0) * unit
        colour = "#2a7f62" if line.reached else "#b5472f"
        out += [
            f'<text x="{left - 10}" y="{y + 15}" text-anchor="end">{line.work} '
            f'<tspan fill="#777777">{line.against}</tspan></text>',
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="20" fill="{colour}"/>',
            f'<text x="{left + length + 6:.1f}" y="{y + 15}">{line.told(line.median)} '
            f'<tspan fill="#777777">{line.goal}</tspan></text>',
        ]
    out += [
        f'<line x1="{left + unit}" y1="38" x2="{left + unit}" y2="{height - 26}" '
        'stroke="#222222" stroke-dasharray="4 3"/>',
        f'<text x="16" y="{height - 8}" fill="#777777" font-size="11">{host["processor"]}, '
        f'{host["cores"]} cores, {host["when"]}</text>',
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def main(path, out, accounts, scale, version):
    found = Measurements(path)
    table = lines(found, accounts, scale)
    host = machine()
    text = markdown(table, host, accounts, version)
    told = [
        {
            "work": line.work.strip(), "against": line.against, "unit": line.unit.strip(),
            "median": line.median, "figures": line.figures, "least": line.least,
            "most": line.most, "reached": line.reached,
        }
        for line in table
    ]  # fmt: skip
    summary = {
        "version": version, "machine": host, "accounts": accounts, "scale": scale,
        "table": told, "measurements": found.records,
    }  # fmt: skip
    with open(os.path.join(out, "results.json"), "w") as file:
        json.dump(summary, file, indent=1, ensure_ascii=False)
    with open(os.path.join(out, "results.md"), "w") as file:
        file.write(text)
    with open(os.path.join(out, "results.svg"), "w") as file:
        file.write(picture(table, host, accounts))
    print(text)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
