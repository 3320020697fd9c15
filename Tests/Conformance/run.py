"""Runs the cases of proto/vectors/conformance with each client over each transport, against a daemon.

    run.py --bin DIRECTORY [--client python …]

A daemon, an App Store of its own and the documents that the cases need are made anew. Each client's
program is given its environment:

    ENTITLD_SOCKET, ENTITLD_ADMIN_SOCKET    where the daemon listens
    ENTITLD_URL, ENTITLD_TOKEN              the HTTPS door; absent where the socket is under test
    ENTITLD_CONFORM_PREFIX                  begins the names that the cases make up
    ENTITLD_CONFORM_DOCUMENTS               a file {"monthly": [JWS, …], …}: one for each case that needs it
"""

import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Oracle"))
from ports import free_port  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "proto/vectors/conformance"
CLIENTS = ROOT / "contrib/clients"
# What is bought for each document; a second action ends it.
PURCHASES = {
    "monthly": [["subscribe", "--product", "paid.monthly"]],
    "trial": [["subscribe", "--product", "paid.monthly", "--trial", "P1W"]],
    "ended": [["subscribe", "--product", "paid.yearly"], ["refund"]],
    "pack": [["buy", "--product", "credits.10"]],
}
CONFIGURATION = """
storage: {{ directory: {home}/data, mapSizeGiB: 1 }}
rpc: {{ socket: {home}/rpc.sock, adminSocket: {home}/admin.sock }}
webhook: {{ listen: "127.0.0.1:{webhook}", plaintext: true }}
apple:
  bundleId: com.example.app
  appAppleId: 1234567890
  environments: [Production]
  rootCertificateFiles: [{home}/store/root.pem]
api: {{ listen: "127.0.0.1:{api}", tokensFile: {home}/tokens, requestsPerSecond: 100000,
        tls: {{ certificateFile: {home}/door.pem, privateKeyFile: {home}/door.key }} }}
catalog: {root}/contrib/etc/catalog.yaml
log: {{ level: error, format: json }}
"""


class House:
    """A daemon and a store."""

    def __init__(self, binaries, home):
        self.bin, self.home = binaries, home
        self.webhook, self.api = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.webhook}/webhooks/apple"
        self.run("appstoresim", "mint", f"{home}/store", "--month", "30d", "--url", self.url)
        (home / "tokens").write_text(f"conformance app {hashlib.sha256(b'secret').hexdigest()}\n")
        (home / "tokens").chmod(0o644)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", f"{home}/door.key", "-out", f"{home}/door.pem"],
            check=True, capture_output=True)
        (home / "door.key").chmod(0o600)
        text = CONFIGURATION.format(home=home, root=ROOT, webhook=self.webhook, api=self.api)
        (home / "entitld.yaml").write_text(text)
        self.start()

    def start(self):
        """Returns when the daemon is ready. The log is that of its present life."""
        path = self.home / "entitld.log"
        with open(path, "wb") as log:
            arguments = [f"{self.bin}/entitld", "serve", "--config", f"{self.home}/entitld.yaml"]
            self.daemon = subprocess.Popen(arguments, stderr=log)
        deadline = time.monotonic() + 60
        while b'"ready"' not in path.read_bytes():
            if self.daemon.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the daemon is not ready: {path.read_text()}")
            time.sleep(0.01)

    def crash(self):
        self.daemon.kill()
        self.daemon.wait()

    def run(self, program, *arguments):
        done = subprocess.run([f"{self.bin}/{program}", *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program} {' '.join(arguments)}: {done.stderr}")
        return done.stdout.strip()

    def document(self, kind, customer):
        if kind == "forged":
            return forged(self.document("monthly", customer))
        for action in PURCHASES[kind]:
            self.run("appstoresim", "act", f"{self.home}/store", customer, *action)
        which = "purchase" if kind == "pack" else "current"
        return self.run("appstoresim", "document", f"{self.home}/store", customer, "--transaction", which)

    def environment(self, transport, prefix, documents):
        own = {"ENTITLD_ADMIN_SOCKET": f"{self.home}/admin.sock", "ENTITLD_CONFORM_PREFIX": prefix,
               "ENTITLD_CONFORM_DOCUMENTS": str(documents), "ENTITLD_CA": f"{self.home}/door.pem",
               "NODE_EXTRA_CA_CERTS": f"{self.home}/door.pem", "SSL_CERT_FILE": f"{self.home}/door.pem"}
        if transport == "https":
            own |= {"ENTITLD_URL": f"https://localhost:{self.api}", "ENTITLD_TOKEN": "secret"}
        else:
            own["ENTITLD_SOCKET"] = f"{self.home}/rpc.sock"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ENTITLD_")}
        return kept | own

    def stop(self):
        self.daemon.terminate()
        self.daemon.wait(30)


def forged(document):
    """The same, signed by nobody: a letter in the middle of the signature is another."""
    head, body, signature = document.split(".")
    middle = len(signature) // 2
    other = "A" if signature[middle] != "A" else "B"
    return f"{head}.{body}.{signature[:middle]}{other}{signature[middle + 1:]}"


def needed():
    """How many documents of each kind the cases need."""
    counts = collections.Counter()
    for file in VECTORS.glob("*.json"):
        for case in json.loads(file.read_text())["cases"]:
            counts.update(set(re.findall(r"\$\{signed\.(\w+)\}", json.dumps(case))))
    return counts


def programs(wanted, build):
    """What runs the cases for each client that this machine can run."""
    found = {
        "python": [sys.executable, f"{CLIENTS}/python/conform.py", str(VECTORS)],
        "asyncio": [sys.executable, f"{CLIENTS}/python/conform.py", str(VECTORS), "--asyncio"],
        "node": ["node", f"{CLIENTS}/node/conform.js", str(VECTORS)],
        "go": [f"{build}/conform-go", str(VECTORS)],
        "swift": [f"{build}/Conform", str(VECTORS)],
    }
    if not wanted or "go" in wanted:
        subprocess.run(["go", "build", "-o", f"{build}/conform-go", "./cmd/conform"], cwd=CLIENTS / "go", check=True)
    return {name: found[name] for name in wanted or found}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--client", nargs="*")
    options = parser.parse_args()
    options.bin = pathlib.Path(options.bin).resolve()
    home = pathlib.Path(tempfile.mkdtemp(prefix="conform-", dir="/tmp"))
    failed = []
    with contextlib.ExitStack() as ending:
        ending.callback(shutil.rmtree, home)
        wanted = programs(options.client, options.bin)
        house = House(options.bin, home)
        ending.callback(house.stop)
        runs = [(name, transport) for name in wanted for transport in ("socket", "https")]
        jobs = [(run, kind, number) for run in runs for kind, count in sorted(needed().items()) for number in range(count)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            made = pool.map(lambda job: house.document(job[1], "-".join(map(str, (*job[0], *job[1:])))), jobs)
        documents = collections.defaultdict(lambda: collections.defaultdict(list))
        for (run, kind, _), document in zip(jobs, made):
            documents[run][kind].append(document)
        for run in runs:
            name, transport = run
            path = home / f"{name}-{transport}.json"
            path.write_text(json.dumps(documents[run]))
            begin = time.monotonic()
            done = subprocess.run(wanted[name], env=house.environment(transport, f"{name}-{transport}", path),
                                  capture_output=True, text=True, timeout=300)
            print(f"== {name} over {transport}, {time.monotonic() - begin:.1f} s\n{done.stdout}{done.stderr}", end="", flush=True)
            if done.returncode != 0:
                failed.append(run)
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
