"""Bad neighbours. Each does its worst until it is told to end, and says in counts what it did: a
neighbour that did nothing proves nothing.
"""

import itertools
import json
import selectors
import socket
import subprocess
import threading
import time

from polite import Asker, Keys, moment, now
from press import user
from stage import DEEP, HEAVY, Stage
from wire import READ_BYTES, Door, Line, Lost, frame, framed

# Another address of the loopback than the polite sender's.
SOURCE = "127.0.0.2"


def side_by_side(stage, *acts):
    """Runs each in a thread of its own until it is over."""
    def run(act):
        try:
            act(stage)
        except (Lost, OSError) as error:
            stage.count(f"ended: {str(error)[:80]}")

    for act in acts:
        threading.Thread(target=run, args=(act,), daemon=True).start()
    stage.rest(float("inf"))


# 1. Long jobs.

def histories(stage):
    """Many pages of a long history on one connection, by somebody who leaves: twice."""
    text = frame("getHistory", {"userId": DEEP, "limit": 1000}) * stage.sizes.histories
    for _ in range(2):
        line = Line(stage.home.app)
        line.send(text)
        stage.count("asked", stage.sizes.histories)
        stage.rest(stage.sizes.beside_seconds / 4)
        line.close()
        stage.count("left")
    stage.rest(float("inf"))


def erase(stage):
    """Erases one person after the other."""
    line = Line(stage.home.admin, 600)
    while stage.victims and not stage.is_over():
        stage.count("begun")
        reply = line.call("eraseUser", userId=stage.victims.pop())
        stage.count("erased" if "result" in reply else reply["error"]["data"]["code"])


def back_up(stage):
    """Makes one backup after the other."""
    line = Line(stage.home.admin, 600)
    for number in itertools.count():
        if stage.is_over():
            return
        stage.count("begun")
        reply = line.call("backup", path=f"{stage.home.path}/copy-{now()}-{number}")
        stage.count("backed up" if "result" in reply else reply["error"]["data"]["code"])


def two_erasures(stage):
    """Two at once, all the time."""
    side_by_side(stage, erase, erase)


def backup_and_erasure(stage):
    """One of each at once, all the time."""
    side_by_side(stage, back_up, erase)


# 2. Memory.

def drain(stage, lines, hear=None):
    """Reads whatever comes on these sockets until it is over; `hear` gets the bytes."""
    selector = selectors.DefaultSelector()
    for line in lines:
        line.setblocking(False)
        selector.register(line, selectors.EVENT_READ)
    while not stage.is_over():
        for key, _ in selector.select(0.2):
            try:
                piece = key.fileobj.recv(READ_BYTES)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if not piece:
                selector.unregister(key.fileobj)
                stage.count("closed")
            elif hear:
                hear(key.fileobj, piece)


def connect(stage, path):
    """A connection to a socket; None where there is no place."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(0.5)
    try:
        line.connect(path)
    except OSError:
        line.close()
        stage.count("no place")
        return None
    return line


def unread(stage):
    """Many connections that ask for much and read nothing."""
    lines, text = [], frame("rpc.discover", {}) * stage.sizes.unread_each
    while len(lines) < stage.sizes.silent_readers and not stage.is_over():
        line = connect(stage, stage.home.app)
        if not line:
            stage.rest(0.05)
            continue
        lines.append(line)
        try:
            line.sendall(text)
            stage.count("unread", stage.sizes.unread_each)
        except OSError:
            stage.count("cut off")
    stage.rest(float("inf"))


def half_frames(stage):
    """Frames of which the last byte never comes; a connection that is closed is made anew."""
    text = framed(bytes(stage.sizes.half_frame_bytes + 1))[:-1]
    lines = {}
    while not stage.is_over():
        while len(lines) < stage.sizes.half_frames and not stage.is_over():
            line = connect(stage, stage.home.app)
            if not line:
                break
            line.setblocking(False)
            lines[line] = 0
        for line in list(lines):
            if not push(line, text, lines):
                stage.count("closed")
                line.close()
                del lines[line]
            elif lines[line] == len(text):
                stage.count("half sent")
                lines[line] += 1
        stage.rest(0.05)


def push(line, text, sent):
    """Sends what can be sent; whether the connection is still there."""
    try:
        while sent[line] < len(text):
            sent[line] += line.send(memoryview(text)[sent[line]:])
        return line.recv(4096) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def long_lists(stage):
    """Watchers who name thousands of users each."""
    lines = []
    for number in range(stage.sizes.list_watchers):
        if stage.is_over():
            break
        names = [f"listed-{number}-{place}" for place in range(stage.sizes.listed)]
        try:
            line = Line(stage.home.app, 30)
            lines.append(line)
            reply = line.call("watch", userIds=names)
            stage.count("watching" if "result" in reply else reply["error"]["data"]["code"])
        except (Lost, OSError):
            stage.count("cut off")
    drain(stage, [line.socket for line in lines])


def silent_seats(stage):
    """As many connections as there are places, and nothing said on them."""
    lines = []
    while len(lines) < stage.sizes.seats and not stage.is_over():
        try:
            line = connect(stage, stage.home.app)
        except OSError:
            break
        if not line:
            stage.rest(0.2)
            continue
        lines.append(line)
        stage.count("connected")
    stage.rest(float("inf"))


# 3. A connection on which somebody waits for the store.

def behind(path, accounts, strangers, flag):
    """Charges of some users on one connection; where `flag` is set, purchases of `strangers` are
    looked up in front of them at a store that is silent, each with a charge of the stranger's
    behind it, which has to wait."""
    def steps(client):
        asker, keys, names = Asker(client, path), Keys(), itertools.cycle(strangers)
        waits = {}
        for turn in itertools.count():
            try:
                if flag.value and turn % 10 == 0:
                    name = next(names)
                    look_up(asker, name, keys, turn, waits)
                    client.told.counts["asked"] = client.told.counts.get("asked", 0) + 1
                ask_beside(client, asker, keys, accounts[turn % len(accounts)], waits)
            except (Lost, OSError) as error:
                client.refuse(f"lost: {error}")
                asker.leave()
            yield
    return steps


def look_up(asker, name, keys, turn, waits):
    """Sends a purchase to look up, and a charge of the same user behind it."""
    first, second = f"look-{turn}", f"then-{turn}"
    number = str(9_000_000_000_000 + turn)
    asker.line().send(frame("verifyPurchase", {"userId": name, "transactionId": number}, first))
    charge = {"userId": name, "idempotencyKey": next(keys)}
    asker.line().send(frame("consumeCredit", charge, second))
    waits[first] = waits[second] = now()


def ask_beside(client, asker, keys, account, waits):
    """One charge, and whatever else is answered until its own answer comes."""
    id = f"own-{next(keys)}"
    charge = {"userId": user(account), "idempotencyKey": next(keys)}
    asker.line().send(frame("consumeCredit", charge, id))
    while True:
        text = client.wait(asker.line().receive)
        if text is None:
            return asker.leave()
        reply = json.loads(text)
        if reply["id"] == id:
            if "error" in reply:
                return client.refuse(f"consumeCredit: {reply['error']['data']['code']}")
            return client.note("consumeCredit, others wait in front")
        hear_of_waiting(client, reply["id"], waits)


def hear_of_waiting(client, id, waits):
    """A purchase was looked up, or the charge behind one was answered: which must not be first."""
    seconds = (now() - waits.pop(id)) / 1e9
    kind, turn = id.split("-")
    if kind == "look":
        counts, longest = client.told.counts, "longest wait for the store, s"
        counts["looked up"] = counts.get("looked up", 0) + 1
        counts[longest] = max(counts.get(longest, 0), round(seconds, 1))
    elif f"look-{turn}" in waits:
        client.told.disorder.append("a charge overtook the purchase of the same user")


# 4. Watchers.

def joins(stage):
    """Many at once who ask for what they missed; then they leave, and come again."""
    seq = Line(stage.home.admin).result("stats")["seq"]
    request = frame("watch", {"fromSeq": max(0, seq - stage.sizes.back)})
    while not stage.is_over():
        lines = [connect(stage, stage.home.app) for _ in range(stage.sizes.joins)]
        lines = [line for line in lines if line]
        for line in lines:
            line.sendall(request)
        joined = set()

        def hear(line, _):
            if line not in joined:
                joined.add(line)
                stage.count("joined")

        round = Stage(stage.home, stage.sizes)
        threading.Timer(stage.sizes.beside_seconds / 3, round.end).start()
        stage.count("asked", len(lines))
        drain_until(stage, round, lines, hear)
        for line in lines:
            line.close()


def drain_until(stage, round, lines, hear):
    """Drains until the round or the whole is over."""
    def watch_end():
        stage.rest(float("inf"))
        round.end()

    threading.Thread(target=watch_end, daemon=True).start()
    drain(round, lines, hear)


def chosen_users(stage):
    """Thousands who watch some users each, of a thousand who are charged all the time."""
    sizes, lines = stage.sizes, []
    first = sizes.accounts * 3 // 4
    many = min(1000, sizes.accounts // 8)
    for number in range(sizes.chosen_watchers):
        if stage.is_over():
            break
        line = connect(stage, stage.home.app)
        if not line:
            continue
        names = [user(first + (number * 7 + place * 131) % many) for place in range(10)]
        line.sendall(frame("watch", {"userIds": names}))
        lines.append(line)
        stage.count("watching")
    load = subprocess.Popen(
        [stage.home.bin / "entitlbench", "run", "--load", "consume", "--to", stage.home.app,
         "--rate", str(sizes.charges_a_second), "--accounts", str(many), "--first-account",
         str(first), "--connections", "8", "--duration", str(sizes.beside_seconds + 30),
         "--background"],
        env=stage.home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        drain(stage, lines, lambda _, piece: stage.count("bytes told", len(piece)))
    finally:
        load.kill()


# 5. Long steps on the threads that answer.

def flood(stage, path, text, together):
    """The same frame again and again on one connection, so many in flight."""
    line = Line(path)
    for _ in range(together):
        line.send(text)
    while not stage.is_over():
        reply = line.receive()
        stage.count("refused" if b'"error"' in reply[:200] else "answered")
        line.send(text)


def dumps(stage):
    """Pages of a thousand rows, on four connections."""
    text = frame("dump", {"table": "accounts", "limit": 1000})
    side_by_side(stage, *[lambda stage: flood(stage, stage.home.admin, text, 4)] * 4)


def batches(stage):
    """Batches of a hundred questions about an account of many buckets, on four connections."""
    acts = []
    for method in ["getStatus", "canRender"] * 2:
        params = {"userId": HEAVY}
        requests = [
            {"jsonrpc": "2.0", "id": id, "method": method, "params": params} for id in range(100)
        ]
        text = framed(json.dumps(requests).encode())
        acts.append(lambda stage, text=text: flood(stage, stage.home.app, text, 2))
    side_by_side(stage, *acts)


# 6. TLS.

def no_goodbye(stage):
    """Handshakes from one address, and then nothing: neither requests nor a close_notify."""
    doors = []

    def knock(stage):
        while not stage.is_over() and len(doors) < stage.sizes.handshakes:
            try:
                doors.append(Door(stage.home.port, stage.home.certificate, SOURCE, 5))
                stage.count("handshakes")
            except OSError:
                stage.count("turned away")

    side_by_side(stage, knock, knock)


# 7. JSON.

def hostile_objects(bytes_max):
    """An array of small objects whose keys have escapes and differ at their very ends, and of
    arrays as deep as is allowed."""
    def thing(place):
        key = r"\u006b" * 6 + "k" * 20
        members = ",".join(f'"{key}{place}-{number}":0' for number in range(16))
        return "{" + members + "}," + "[" * 24 + "]" * 24

    things, length = [], 0
    for place in itertools.count():
        text = thing(place)
        length += len(text) + 1
        if length > bytes_max:
            return "[" + ",".join(things) + "]"
        things.append(text)


def hostile_json(stage):
    """Such objects to a socket and to the webhook listener, on two connections each."""
    more = hostile_objects(900 << 10)
    params = f'{{"userId":"nobody","more":{more}}}'
    request = f'{{"jsonrpc":"2.0","id":1,"method":"canRender","params":{params}}}'.encode()
    body = f'{{"signedPayload":"a.b.c","more":{hostile_objects(120 << 10)}}}'.encode()

    def ask(stage):
        flood(stage, stage.home.app, framed(request), 2)

    def post(stage):
        door = None
        while not stage.is_over():
            try:
                door = door or Door(stage.home.port, stage.home.certificate, SOURCE)
                status, _ = door.post_body(body)
                stage.count(f"webhook {status}")
            except (Lost, OSError):
                door = None
                stage.rest(0.01)

    side_by_side(stage, ask, ask, post, post)


# 8. The log.

def forgeries(stage):
    """Notifications that are refused, each a line of the log."""
    door = None
    for payload in itertools.cycle(stage.forged):
        if stage.is_over():
            return
        try:
            door = door or Door(stage.home.port, stage.home.certificate, SOURCE, 2)
            status, _ = door.post(payload)
            stage.count(f"answered {status}")
        except (Lost, OSError):
            stage.count("not answered")
            door = None


def nothing(stage):
    """Somebody else does it."""
    stage.rest(float("inf"))


def ends_of_many(stage):
    """Access of many that ends, a hundred a second, while the catalog changes."""
    keys = Keys()
    line = Line(stage.home.admin)
    while not stage.is_over():
        at = moment(time.time_ns() // 1_000_000 + 2_000)
        for _ in range(10):
            line.result("grantEntitlement", userId=f"many-{next(keys)}", plan="paid",
                        idempotencyKey=next(keys), expiresAt=at)
            stage.count("ends")
        stage.rest(0.1)
