"""Whatever reads a whole store, under a limit of memory that the kernel holds it to."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from daemon import Daemon, Failure, Sampler
from growth import Grown, begin, charge_many, register, scaled
from wire import Line

GROUPS = Path("/sys/fs/cgroup")
LIMIT_MIB = 256
COMMANDS = ("verify", "compact", "compact --rebuild")


class Cage:
    """A control group of memory. The kernel counts pages of files in it too, and takes those back
    where there are too many; where the rest does not fit, it kills."""

    def __init__(self, mebibytes):
        self._is_old = (GROUPS / "memory").is_dir()
        parent = GROUPS / "memory" if self._is_old else GROUPS
        try:
            self._path = Path(tempfile.mkdtemp(prefix="grow-", dir=parent))
            limit = "memory.limit_in_bytes" if self._is_old else "memory.max"
            (self._path / limit).write_text(str(mebibytes << 20))
        except OSError as error:
            raise Failure(f"no control group can be made (as root?): {error}") from None

    def join(self):
        """Puts the process that calls this into it, and what that starts."""
        (self._path / "cgroup.procs").write_text(str(os.getpid()))

    def anonymous(self):
        """MiB that are in no file."""
        return self._number("memory.stat", "total_rss" if self._is_old else "anon") / (1 << 20)

    def kills(self):
        """How many processes were killed for their memory."""
        return self._number("memory.oom_control" if self._is_old else "memory.events", "oom_kill")

    def remove(self):
        """Takes it away, unless a daemon that failed is still in it."""
        with contextlib.suppress(OSError):
            self._path.rmdir()

    def _number(self, file, name):
        for line in (self._path / file).read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == name:
                return int(value)
        raise Failure(f"{file} has no {name}")


def confined(home, options):
    """The peaks of what reads everything, under the limit; the kernel kills none of it."""
    cage = Cage(LIMIT_MIB)
    try:
        return confined_in(cage, home, options)
    finally:
        cage.remove()


def confined_in(cage, home, options):
    """The same in a cage that is there."""
    names = [*COMMANDS, "serve and backup"]
    found, entries = {name: [] for name in names}, []
    for accounts in scaled([300_000, 1_000_000, 3_000_000], options):
        daemon = begin(home)
        register(home, accounts, access="grants")
        charge_many(home, accounts // 3, accounts)
        entries.append(daemon.admin().result("stats")["seq"])
        daemon.settle()
        daemon.stop()
        for name in COMMANDS:
            found[name].append(run(cage, daemon, name.split()))
        found["serve and backup"].append(back_up(cage, home, daemon))
    kills = cage.kills()
    return [
        Grown(f"{name} under {LIMIT_MIB} MiB with all caches, anonymous MiB", entries,
              found[name], "not killed", kills == 0)
        for name in names
    ]


def run(cage, daemon, words):
    """The peak of a command over the stopped store; it has to end with 0."""
    sampler = Sampler(cage.anonymous)
    done = subprocess.run(
        [daemon.home.bin / "entitld", *words, "--config", daemon.configuration],
        env=daemon.home.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        preexec_fn=cage.join, check=False,
    )
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)} ended with {done.returncode}: {done.stdout[-400:]}")
    return sampler.stop()


def back_up(cage, home, stopped):
    """The peak of a daemon that makes a backup."""
    sampler = Sampler(cage.anonymous)
    daemon = Daemon(home, stopped.store, cage=cage).start()
    Line(home.admin, 7200).result("backup", path=f"{home.path}/copy")
    peak = sampler.stop()
    daemon.stop()
    shutil.rmtree(home.path / "copy")
    return peak
