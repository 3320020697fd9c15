"""Each client through a proxy that cuts its connections 1,000 times, beside a daemon that is killed and
started again 10 times, and once stands still for 2 s.

    storm.py --bin DIRECTORY [--client python …] [--cuts 1000] [--restarts 10]

A client's program is run with `--storm` in place of the vectors. It asks for the balance of users in
ENTITLD_STORM_USERS ({"name": balance, …}), each call with a deadline of 300 ms, and charges the user
`spender` one credit at a time with a deadline of 2 s, until its standard input ends. The key of a charge
begins with ENTITLD_CONFORM_PREFIX. When the storm is over, it repeats each doubtful charge under its key
until it is answered. Then it prints one object:

    answered    questions that got a balance          crossed   of those, another user's balance
    unanswered  questions that got none in time       late      calls that took 250 ms more than they had
    consumed    charges that were answered            doubtful  charges of which nobody knew, until repeated
    failed      charges that were not carried out     early     calls that failed with more than a fifth of
    other       errors that nobody expects, as text             their time left, as text

Whatever happens in the storm passes, and everything that is asked is safe to repeat. So a call that fails
has to have used its time, and in the end the ledger has every charge exactly once.
"""

import argparse
import contextlib
import json
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from run import VECTORS, House, free_port, programs

BALANCES = {f"user-{number}": 1_000 + number for number in range(8)}
SPENDER_CREDITS = 1_000_000_000
STILL_SECONDS = 2
ASIDE_SECONDS_MAX = 0.25
# Clients pause twice as long before each new connection that brought no answer. So cuts come in squalls,
# with time for an answer between them: a call that ends without one went unanswered in several lulls.
SQUALL_CUTS = 5
LULL_SECONDS = 0.035


class Proxy:
    """Carries bytes between a client and the daemon, and cuts connections when it is told."""

    def __init__(self, address, target):
        self.address, self.target = address, target
        self.pairs, self.lock, self.cuts = [], threading.Lock(), 0
        self.open()

    def open(self):
        kind = socket.AF_UNIX if isinstance(self.address, str) else socket.AF_INET
        if kind == socket.AF_UNIX:
            pathlib.Path(self.address).unlink(missing_ok=True)
        self.listener = socket.socket(kind)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(self.address)
        self.listener.listen(128)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """From now on who connects is refused, as by a daemon that has gone."""
        self.listener.shutdown(socket.SHUT_RDWR)  # ends the accept; a close alone does not
        self.listener.close()

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX if isinstance(self.target, str) else socket.AF_INET)
            try:
                far.connect(self.target)
            except OSError:
                near.close()
                far.close()
                continue
            with self.lock:
                self.pairs.append((near, far))
            threading.Thread(target=self.carry, args=(near, far), daemon=True).start()

    def carry(self, near, far):
        others = {near: far, far: near}
        with contextlib.suppress(OSError, ValueError):
            while True:
                for one in select.select([near, far], [], [])[0]:
                    data = one.recv(65_536)
                    if not data:
                        return self.end((near, far))
                    others[one].sendall(data)
        self.end((near, far))

    def end(self, pair):
        with self.lock:
            if pair in self.pairs:
                self.pairs.remove(pair)
        for one in pair:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def cut(self):
        """Ends a connection somewhere, if there is one."""
        with self.lock:
            pair = random.choice(self.pairs) if self.pairs else None
        if pair is not None:
            self.cuts += 1
            for one in pair:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)


def proxies(house, home):
    """What stands before the socket and before the door."""
    port = free_port()
    return {
        "socket": (Proxy(f"{home}/proxy.sock", f"{home}/rpc.sock"), {"ENTITLD_SOCKET": f"{home}/proxy.sock"}),
        "https": (Proxy(("127.0.0.1", port), ("127.0.0.1", house.api)), {"ENTITLD_URL": f"https://localhost:{port}"}),
    }


class Watchman:
    """How late this machine wakes somebody who only sleeps: what no client can help.

    It is a process of its own, because the proxy's threads hold up those of this one.
    """

    PROGRAM = """
import os, sys, time
worst = 0.0
while not os.path.exists(sys.argv[1]):
    begin = time.monotonic()
    time.sleep(0.01)
    worst = max(worst, time.monotonic() - begin - 0.01)
print(worst)
"""

    def __init__(self, home):
        self.over = home / "storm-is-over"
        self.over.unlink(missing_ok=True)
        command = [sys.executable, "-c", self.PROGRAM, str(self.over)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def worst(self):
        self.over.touch()
        return float(self.process.communicate(timeout=10)[0])


def rage(house, proxy, client, cuts, restarts):
    """Cuts, kills and stops until all of it was done, or the client is gone. How often the daemon was killed."""
    proxy.cuts, killed, has_stood_still = 0, 0, False
    deadline = time.monotonic() + 120
    while proxy.cuts < cuts and client.poll() is None and time.monotonic() < deadline:
        for _ in range(SQUALL_CUTS):
            time.sleep(random.uniform(0.001, 0.003))
            proxy.cut()
        time.sleep(LULL_SECONDS)
        if killed < restarts and proxy.cuts * (restarts + 1) >= cuts * (killed + 1):
            killed += 1
            proxy.close()
            house.crash()
            house.start()
            proxy.open()
            time.sleep(LULL_SECONDS)
        if proxy.cuts >= cuts // 2 and not has_stood_still:
            has_stood_still = True
            house.daemon.send_signal(signal.SIGSTOP)
            time.sleep(STILL_SECONDS)
            house.daemon.send_signal(signal.SIGCONT)
            proxy.cut()
    time.sleep(0.5)
    return killed


def storm(house, name, program, transport, proxy, own, options):
    """What is wrong with the client, and what it said."""
    before = balance(house, "spender")
    environment = house.environment(transport, f"{name}-{transport}", "") | own
    environment |= {"ENTITLD_STORM_USERS": json.dumps(BALANCES)}
    command = [word if word != str(VECTORS) else "--storm" for word in program]
    watchman = Watchman(house.home)
    begin = time.monotonic()
    client = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    killed = rage(house, proxy, client, options.cuts, options.restarts)
    output, _ = client.communicate("", timeout=60)
    seconds, machine_late = time.monotonic() - begin, watchman.worst()
    if client.returncode != 0:
        return [f"it ended with {client.returncode}"], {"machineLateMs": round(machine_late * 1_000)}
    said = json.loads(output)
    said["spent"] = before - balance(house, "spender")
    faults = judged(said, machine_late)
    faults += [f"{proxy.cuts} cuts"] if proxy.cuts < options.cuts else []
    faults += [f"{killed} restarts"] if killed < options.restarts else []
    counted = {word: len(value) if isinstance(value, list) else value for word, value in said.items()}
    return faults, {**counted, "machineLateMs": round(machine_late * 1_000), "seconds": round(seconds, 1)}


def judged(said, machine_late):
    """What is wrong with what a client said of its storm."""
    faults = []
    if said["crossed"]:
        faults.append(f"{said['crossed']} answers are another user's")
    if said["late"] and machine_late < ASIDE_SECONDS_MAX / 2:
        faults.append(f"{said['late']} calls were late")
    if "early" not in said:
        faults.append("it does not say which calls failed early")
    elif said["early"]:
        faults.append(f"{len(said['early'])} calls failed early: {'; '.join(said['early'][:3])}")
    if said["other"]:
        faults.append(f"nobody expects {said['other'][:3]}")
    if not said["answered"] or not said["consumed"]:
        faults.append("nothing was answered")
    if said["spent"] != said["consumed"] + said["doubtful"]:
        faults.append(f"{said['spent']} were spent, not {said['consumed']} + {said['doubtful']}")
    return faults


def balance(house, user):
    return int(json.loads(house.run("entitlctl", "--json", "--socket", f"{house.home}/rpc.sock", "credits", user))["balance"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--client", nargs="*")
    parser.add_argument("--cuts", type=int, default=1_000)
    parser.add_argument("--restarts", type=int, default=10)
    options = parser.parse_args()
    options.bin = pathlib.Path(options.bin).resolve()
    home = pathlib.Path(tempfile.mkdtemp(prefix="storm-", dir="/tmp"))
    failed = []
    with contextlib.ExitStack() as ending:
        ending.callback(shutil.rmtree, home)
        wanted = programs(options.client, options.bin)
        house = House(options.bin, home)
        ending.callback(house.stop)
        for user, amount in {**BALANCES, "spender": SPENDER_CREDITS}.items():
            house.run("entitlctl", "--socket", f"{home}/admin.sock", "grant-credits", user, str(amount), "--key", "storm")
        ways = proxies(house, home)
        for name, program in wanted.items():
            for transport, (proxy, own) in ways.items():
                faults, said = storm(house, name, program, transport, proxy, own, options)
                late = "" if said["machineLateMs"] < 500 * ASIDE_SECONDS_MAX else "; this machine is too late to judge lateness"
                print(f"== {name} over {transport}: {', '.join(faults) or 'good'}{late}\n   {json.dumps(said)}", flush=True)
                failed += [f"{name} over {transport}"] if faults else []
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
