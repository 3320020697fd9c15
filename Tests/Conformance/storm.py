"""Each client through a proxy that cuts its connections 1,000 times, and beside a daemon that stands still for 2 s.

    storm.py --bin DIRECTORY [--client python …] [--cuts 1000]

A client's program is run with `--storm` in place of the vectors. It asks for the balance of users in
ENTITLD_STORM_USERS ({"name": balance, …}), each call with a deadline of 300 ms, and charges the user
`spender` one credit at a time with a deadline of 2 s, until its standard input ends. Then it prints one
object:

    answered    questions that got a balance          crossed   of those, another user's balance
    unanswered  questions that got none in time       late      calls that took 250 ms more than they had
    consumed    charges that were answered            doubtful  charges of which nobody knows
    failed      charges that were not carried out     other     errors that nobody expects, as text
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


class Proxy:
    """Carries bytes between a client and the daemon, and cuts connections when it is told."""

    def __init__(self, listener, target):
        self.listener, self.target = listener, target
        self.pairs, self.lock, self.cuts = [], threading.Lock(), 0
        listener.listen(128)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
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
    near = socket.socket(socket.AF_UNIX)
    near.bind(f"{home}/proxy.sock")
    door = socket.socket()
    port = free_port()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(("127.0.0.1", port))
    return {"socket": (Proxy(near, f"{home}/rpc.sock"), {"ENTITLD_SOCKET": f"{home}/proxy.sock"}),
            "https": (Proxy(door, ("127.0.0.1", house.api)), {"ENTITLD_URL": f"https://localhost:{port}"})}


class Watchman(threading.Thread):
    """How late this machine wakes somebody who only sleeps: what no client can help."""

    def __init__(self):
        super().__init__(daemon=True)
        self.worst, self.is_over = 0.0, False

    def run(self):
        while not self.is_over:
            begin = time.monotonic()
            time.sleep(0.01)
            self.worst = max(self.worst, time.monotonic() - begin - 0.01)


def storm(house, program, transport, proxy, own, cuts):
    """Why the client failed, and what it said."""
    before = balance(house, "spender")
    watchman = Watchman()
    watchman.start()
    environment = house.environment(transport, "", "") | own | {"ENTITLD_STORM_USERS": json.dumps(BALANCES)}
    command = [word if word != str(VECTORS) else "--storm" for word in program]
    client = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    proxy.cuts, has_stood_still = 0, False
    deadline = time.monotonic() + 120
    while proxy.cuts < cuts and client.poll() is None and time.monotonic() < deadline:
        time.sleep(random.uniform(0.001, 0.006))
        proxy.cut()
        if proxy.cuts >= cuts // 2 and not has_stood_still:
            has_stood_still = True
            house.daemon.send_signal(signal.SIGSTOP)
            time.sleep(STILL_SECONDS)
            house.daemon.send_signal(signal.SIGCONT)
            proxy.cut()
    time.sleep(0.5)
    output, _ = client.communicate("", timeout=60)
    watchman.is_over = True
    said = json.loads(output)
    spent = before - balance(house, "spender")
    faults = [f"{proxy.cuts} cuts"] if proxy.cuts < cuts else []
    faults += [f"{said['crossed']} answers are another user's"] if said["crossed"] else []
    faults += [f"{said['late']} calls were late"] if said["late"] and watchman.worst < ASIDE_SECONDS_MAX / 2 else []
    faults += [f"nobody expects {said['other'][:3]}"] if said["other"] else []
    faults += ["nothing was answered"] if not said["answered"] or not said["consumed"] else []
    if not said["consumed"] <= spent <= said["consumed"] + said["doubtful"]:
        faults.append(f"{spent} were spent")
    if client.returncode != 0:
        faults.append(f"it ended with {client.returncode}")
    return faults, {**said, "spent": spent, "machineLateMs": round(watchman.worst * 1_000)}


def balance(house, user):
    return int(json.loads(house.run("entitlctl", "--json", "--socket", f"{house.home}/rpc.sock", "credits", user))["balance"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--client", nargs="*")
    parser.add_argument("--cuts", type=int, default=1_000)
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
                faults, said = storm(house, program, transport, proxy, own, options.cuts)
                judged = "" if said["machineLateMs"] < 500 * ASIDE_SECONDS_MAX else "; this machine is too late to judge lateness"
                print(f"== {name} over {transport}: {', '.join(faults) or 'good'}{judged}\n   {json.dumps(said)}", flush=True)
                failed += [f"{name} over {transport}"] if faults else []
    sys.exit(f"failed: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
