"""A daemon over a store of its own, what it uses, and the programs beside it."""

import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from wire import Line

sys.path.append(str(Path(__file__).resolve().parents[1] / "Oracle"))
from ports import free_port  # noqa: E402

START_SECONDS_MAX = 300
STOP_SECONDS_MAX = 120
# Whom bad neighbours run as, where the one who starts them may choose.
NEIGHBOUR_UID = 65534
PRODUCT = "com.example.app.paid.yearly"


class Failure(Exception):
    """Nothing can be measured; the text says why."""


def end_cleanly():
    """Has SIGTERM end this process as an error does: what it started ends, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def pin(cores):
    """Keeps this process on these cores, where there are two."""
    if os.cpu_count() > 1:
        os.sched_setaffinity(0, cores)


def client_cores():
    """The cores that the daemon is not on."""
    return set(range(1, os.cpu_count())) or {0}


class Home:
    """A directory of a run: the store's chain, the daemon's files. Everything goes at the end."""

    def __init__(self, bin, keep=None):
        self.bin = Path(bin).absolute()
        # Short, because a socket's path has at most 107 bytes.
        self.path = Path(tempfile.mkdtemp(prefix="crowd-", dir=keep))
        os.chmod(self.path, 0o755)
        self.press = self.path / "press"
        self.daemons = []
        self.app, self.admin = str(self.path / "app"), str(self.path / "admin")
        self.port, self.metrics_port = free_port(), free_port()
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("ENTITLD_")
        }
        self.run("appstoresim", "mint", self.press)
        self.certificate, self.key = self.path / "tls.pem", self.path / "tls.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "30", "-subj", "/CN=localhost",
             "-keyout", self.key, "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL,
        )
        os.chmod(self.key, 0o600)

    def run(self, program, *words, **options):
        """Runs a program beside the daemon to its end; what it printed."""
        done = subprocess.run(
            [self.bin / program, *map(str, words)], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
        )
        if done.returncode != 0:
            said = (done.stdout + done.stderr)[-600:]
            raise Failure(f"{program} {' '.join(map(str, words[:3]))}: {done.returncode}: {said}")
        return done.stdout

    def bench(self, load, socket=None, **options):
        """One load of entitlbench over the socket; what it measured."""
        words = ["run", "--load", load, "--to", socket or self.app, "--json"]
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}", value]
        return json.loads(self.run("entitlbench", *words))

    def seed(self, accounts):
        """Registers accounts user-0000001 and on; the first half may render without limits."""
        self.run("entitlbench", "seed", "--to", self.app, "--admin", self.admin, "--press",
                 self.press, "--accounts", accounts, "--access", "grants")

    def last_words(self):
        """What the last daemon said, and how it ended, where it has."""
        last = self.daemons[-1:]
        return "".join(f"{one.process.poll()}: {one.last_words()}" for one in last if one.process)

    def remove(self):
        """Ends what still runs, and takes everything away."""
        for daemon in self.daemons:
            daemon.kill()
        shutil.rmtree(self.path, ignore_errors=True)


class Daemon:
    """The daemon of a home, over the data directory `store`."""

    def __init__(self, home, store, log_level="warning", api=None, retention_days=0, cage=None,
                 **more):
        """`api` is where the store's server listens, `cage` what limits its memory; `more` are
        variables of its environment."""
        self.home, self.store, self.api = home, Path(store), api
        self._environment = home.environment | more
        self._log_level, self._retention_days, self._cage = log_level, retention_days, cage
        self.lateness = 0
        self.process = None
        home.daemons.append(self)
        # Set: what it logs is read by nobody.
        self.is_log_unread = threading.Event()

    @property
    def configuration(self):
        """The path of its configuration."""
        return self.home.path / "entitld.yaml"

    def configure(self):
        """Writes its configuration and catalog."""
        home = self.home
        (home.path / "catalog.yaml").write_text(
            f"freeCredits: 1000000\nlateRenewalMinutes: {self.lateness}\nplans:\n"
            f"  paid: {{ rank: 1, tier: paid, products: [{PRODUCT}], unlimited: [render] }}\n"
        )
        api = ""
        if self.api:
            kept = json.loads((home.press / "api.json").read_text())
            ids = {name.lower(): value for name, value in kept.items()}
            key = home.press / f"AuthKey_{ids['keyid']}.p8"
            api = (f"  api: {{ issuerId: {ids['issuerid']}, keyId: {ids['keyid']}, "
                   f"privateKeyFile: {key}, baseURL: \"{self.api}\" }}\n")
        self.configuration.write_text(
            f"storage:\n  directory: {self.store}\n"
            f"  journalRetentionDays: {self._retention_days}\n"
            f"rpc: {{ socket: {home.app}, adminSocket: {home.admin}, socketMode: \"0666\", "
            f"adminSocketMode: \"0666\" }}\n"
            f"webhook:\n  listen: 127.0.0.1:{home.port}\n"
            f"  tls: {{ certificateFile: {home.certificate}, privateKeyFile: {home.key} }}\n"
            f"metrics: {{ listen: 127.0.0.1:{home.metrics_port} }}\n"
            f"apple:\n  bundleId: com.example.app\n  appAppleId: 1234567890\n"
            f"  environments: [Production]\n"
            f"  rootCertificateFiles: [{home.press}/root.pem]\n{api}"
            f"catalog: {home.path}/catalog.yaml\n"
            f"log: {{ level: {self._log_level}, format: json }}\n"
        )

    def start(self, descriptors=None):
        """Starts it on the first core, with at most so many descriptors; returns when ready."""
        self.configure()

        def prepare():
            pin({0})
            if self._cage:
                self._cage.join()
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            limit = min(descriptors or hard, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        self.is_log_unread.clear()
        self.process = subprocess.Popen(
            [self.home.bin / "entitld", "serve", "--config", self.configuration],
            env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, preexec_fn=prepare,
        )
        ready = threading.Event()
        # The end of what it said, for a message.
        self.said = []
        threading.Thread(target=self._read_log, args=(ready,), daemon=True).start()
        deadline = time.monotonic() + START_SECONDS_MAX
        while not ready.wait(0.05):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise Failure(f"the daemon does not start: {self.last_words()}")
        return self

    def _read_log(self, ready):
        for line in self.process.stderr:
            if b'"event":"ready"' in line:
                ready.set()
            self.said = self.said[-9:] + [line.decode(errors="replace")]
            while self.is_log_unread.is_set():
                time.sleep(0.05)

    def last_words(self):
        """The end of what it logged."""
        return "".join(self.said)[-800:]

    def reload(self):
        """Has it read a catalog that differs from the last one."""
        self.lateness = 1 - self.lateness
        self.configure()
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        """Ends it as an operator does; what it keeps is in its files then."""
        self.is_log_unread.clear()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure("the stop hangs") from None
        if code != 0:
            raise Failure(f"the daemon ended with {code}: {self.last_words()}")

    def kill(self):
        """Ends it as a crash does."""
        self.is_log_unread.clear()
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def is_running(self):
        """Whether it still serves."""
        return self.process.poll() is None

    def admin(self):
        """A connection to its admin socket."""
        return Line(self.home.admin, 600)

    def memory(self):
        """MiB that are in no file."""
        return anonymous_mebibytes(self.process.pid)

    def descriptors(self):
        """Files that it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self, thread=""):
        """What all of its threads have spent, or those whose name begins so."""
        return self._scheduled(thread)[0]

    def _scheduled(self, name):
        """Seconds for which its threads of such a name computed, and waited for a core to."""
        spent, waited = 0, 0
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                if (task / "comm").read_text().startswith(name):
                    figures = (task / "schedstat").read_text().split()
                    spent, waited = spent + int(figures[0]), waited + int(figures[1])
            except OSError:
                pass
        return spent / 1e9, waited / 1e9

    def load(self):
        """Seconds, to be compared with later ones: of the clock, of its core at work for anybody, of
        its own, and of its RPC threads waiting for the core."""
        return (time.monotonic(), core_seconds(0), self.processor_seconds(),
                self._scheduled("rpc-")[1])

    def metric(self, name):
        """The value of one of its metrics."""
        with socket.create_connection(("127.0.0.1", self.home.metrics_port), 30) as line:
            line.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            text = b""
            while piece := line.recv(1 << 20):
                text += piece
        found = re.search(rf"^{re.escape(name)} ([-+0-9.eE]+)", text.decode(), re.M)
        if not found:
            raise Failure(f"there is no metric {name}")
        return float(found[1])

    def settle(self):
        """Waits until the views have what was written: nothing has to be stored any more."""
        time.sleep(7)


def core_seconds(core):
    """For how long a core was not idle, whoever had it, the host of this machine included."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name == f"cpu{core}":
            user, nice, system, _, _, *others = map(int, ticks[:8])
            return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")
    raise Failure(f"there is no core {core}")


def anonymous_mebibytes(pid):
    """MiB of a process that are in no file; 0 where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^RssAnon:\s+(\d+)", status, re.M)
    return int(found[1]) / 1024 if found else 0.0


class Sampler:
    """The peak of what a process takes, looked at every 20 ms."""

    def __init__(self, look):
        self._look, self.peak = look, look()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._is_over.wait(0.02):
            try:
                self.peak = max(self.peak, self._look())
            except OSError:
                return

    def stop(self):
        """Ends it; the peak."""
        self._is_over.set()
        self._thread.join()
        return self.peak
