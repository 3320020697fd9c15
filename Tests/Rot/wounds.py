"""What rot does to a file, where it hurts most, and how it is healed."""

import os
import re
import struct

BLOCK = 4096
GROUP_MAGIC = b"entitldJ"
NAME = re.compile(rb"[ue]\d{7}")
# Where the part of a meta page begins that each commit writes: behind the head of the page (16
# bytes), the magic number, the version and the address of the map. What is lost before it stays lost.
META_WRITTEN = 32
# How far around a wound names are looked for.
NEAR_BYTES = 8192
KINDS = ("flip", "truncate", "zero", "stale")


class Wound:
    """One wound: `flip` a bit, `truncate` to a length, `zero` a block, or put an older version of
    the block, of the file `older`, in its place. `none` changes nothing, as a control."""

    def __init__(self, kind, offset, bit=0):
        self.kind, self.offset, self.bit = kind, offset, bit

    @staticmethod
    def parse(text):
        """The wound that `str` has written."""
        kind, place = text.split("@")
        offset, _, bit = place.partition(".")
        return Wound(kind, int(offset), int(bit or 0))

    def __str__(self):
        return f"{self.kind}@{self.offset}" + (f".{self.bit}" if self.kind == "flip" else "")

    def apply(self, path, older):
        """Wounds the file in its place, as a disk would; remembers what was there."""
        self._was = self._is = b""
        self._inode = None
        if not os.path.exists(path):
            # A daemon that runs has pruned it.
            return
        with open(path, "r+b") as file:
            self._inode = os.fstat(file.fileno()).st_ino
            file.seek(self.offset)
            if self.kind == "truncate":
                self._was = file.read()
                file.truncate(self.offset)
                return
            if self.kind == "flip":
                # Nothing, where a daemon has made the file shorter meanwhile.
                self._was = file.read(1)
                self._is = bytes(byte ^ 1 << self.bit for byte in self._was)
            elif self.kind == "zero":
                self._was = file.read(BLOCK)
                self._is = bytes(len(self._was))
            elif self.kind == "stale":
                self._was = file.read(BLOCK)
                with open(older, "rb") as old:
                    old.seek(self.offset)
                    self._is = old.read(BLOCK).ljust(len(self._was), b"\0")[: len(self._was)]
            file.seek(self.offset)
            file.write(self._is)
            file.flush()
            self._around = self._block(file)

    def _block(self, file):
        """The block of the file in which the wound begins."""
        file.seek(self.offset // BLOCK * BLOCK)
        return file.read(BLOCK)

    def heal(self, path):
        """Puts back what was there, but for what a daemon has written there since."""
        if not os.path.exists(path) or os.stat(path).st_ino != self._inode:
            return
        with open(path, "r+b") as file:
            file.seek(self.offset)
            if self.kind == "truncate":
                # A daemon that ran meanwhile may have written behind what is missing.
                whole = self._was if not file.read(1) else self._was.rstrip(b"\0")
                wounded = bytes(len(whole))
            else:
                whole, wounded = self._was, self._is
            file.seek(self.offset)
            found = file.read(len(whole))
            if self.kind == "truncate" and path.endswith(".mdb"):
                # A commit has written some of the pages that were lost, and left holes between.
                whole = b"".join(self._healed_blocks(found))
            elif path.endswith(".segment"):
                # Only ever appended to: groups of now may stand beside the wound.
                found = found.ljust(len(whole), b"\0")
                healed = (w if f == i else f for w, i, f in zip(whole, wounded, found))
                whole = bytes(healed)
            elif found.strip(b"\0") != wounded.strip(b"\0"):
                lost_head = self.kind == "zero" and not found[:META_WRITTEN].strip(b"\0")
                if not self._is_on_meta_page(path) or not lost_head:
                    return
                # A commit has written its part of the page that was lost.
                whole = whole[:META_WRITTEN]
            elif self.kind == "flip" and self._is_page_new(path, file):
                # Another page now, whose byte is by chance what the flip made of the one before, or
                # a meta page, of which LMDB writes a part: what was written over the flip is right.
                return
            file.seek(self.offset)
            file.write(whole)

    def _healed_blocks(self, found):
        """Block by block what a daemon has written since, or else what was there."""
        place = 0
        while place < len(self._was):
            end = place + BLOCK - (self.offset + place) % BLOCK
            block = found[place:end]
            yield block if block.strip(b"\0") else self._was[place:end]
            place = end

    def _is_on_meta_page(self, path):
        """Whether it is on one of the two meta pages of an LMDB file."""
        return path.endswith(".mdb") and self.offset < 2 * BLOCK

    def _is_page_new(self, path, file):
        """Whether a daemon has written what stands in the wound's place since."""
        if not path.endswith(".mdb") or self._block(file) == self._around:
            return False
        return not self._is_on_meta_page(path) or self.offset % BLOCK >= META_WRITTEN

    def names_near(self, path):
        """The users whose names stand around the wound, read before it is made."""
        with open(path, "rb") as file:
            if path.endswith(".mdb"):
                file.seek(self.offset // BLOCK * BLOCK)
                bytes = file.read(BLOCK)
            else:
                file.seek(max(0, self.offset - NEAR_BYTES))
                bytes = file.read(2 * NEAR_BYTES)
        return sorted({name.decode() for name in NAME.findall(bytes)})


def places(path, older, kind, random, count):
    """`count` wounds of `kind` to the file, chosen so that each sort of place has its share."""
    size = os.path.getsize(path)
    if size == 0:
        return []
    if kind == "truncate":
        end = last_byte(path) + 1
        choice = [0, size - 1, end - 1] + [random.randrange(size) for _ in range(count)]
        choice += [random.randrange(end) // BLOCK * BLOCK for _ in range(count)]
        return [Wound(kind, random.choice(choice)) for _ in range(count)]
    if path.endswith("data.mdb"):
        spots = live_pages(path)
    elif path.endswith(".segment"):
        spots = groups(path)
    else:
        spots = {"bytes": [range(size)]}
    if kind == "stale":
        changed = changed_blocks(path, older)
        return [Wound(kind, random.choice(changed)) for _ in range(count)] if changed else []
    wounds = []
    labels = sorted(spots)
    for index in range(count):
        spot = random.choice(spots[labels[index % len(labels)]])
        offset = random.choice(spot)
        if kind == "zero":
            wounds.append(Wound(kind, offset // BLOCK * BLOCK))
        else:
            wounds.append(Wound(kind, offset, random.randrange(8)))
    return wounds


def last_byte(path):
    """The offset of the last byte that is not zero."""
    with open(path, "rb") as file:
        return max(0, len(file.read().rstrip(b"\0")) - 1)


def changed_blocks(path, older):
    """Offsets of the blocks that `older` has otherwise."""
    if not os.path.exists(older):
        return []
    changed = []
    with open(path, "rb") as new, open(older, "rb") as old:
        offset = 0
        while block := new.read(BLOCK):
            before = old.read(BLOCK).ljust(len(block), b"\0")
            if block != before[: len(block)]:
                changed.append(offset)
            offset += BLOCK
    return changed


def groups(path):
    """Of a segment: heads of groups and what they hold; both again for the last ones, and again for
    the very last, which nothing behind it proves."""
    with open(path, "rb") as file:
        bytes = file.read().rstrip(b"\0")
    starts = [match.start() for match in re.finditer(GROUP_MAGIC, bytes)]
    if not starts:
        return {"zeros": [range(os.path.getsize(path))]}
    ends = starts[1:] + [len(bytes)]
    heads = [range(start, start + 96) for start in starts]
    bodies = [range(start + 96, max(end, start + 97)) for start, end in zip(starts, ends)]
    return {
        "heads": heads, "last heads": heads[-4:], "last head": heads[-1:],
        "bodies": bodies, "last bodies": bodies[-4:], "last body": bodies[-1:],
    }


def live_pages(path):
    """Of an LMDB file: the bytes of the pages in use, by table and sort of page.

    The first bytes of a page say what the rest means, so they are listed a second time. The layout
    is LMDB 0.9's: a page is u64 number, u16 -, u16 flags (1 branch, 2 leaf, 4 overflow), u16 lower,
    u16 upper, and u16 offsets of nodes up to lower; a node is u16 low, u16 high, u16 flags, u16
    bytes of the key, and the key.
    """
    with open(path, "rb") as file:
        bytes = file.read()
    meta = max((0, BLOCK), key=lambda at: struct.unpack_from("<Q", bytes, at + 144)[0])
    other = BLOCK - meta
    spots = {"meta": [range(meta, meta + 152)], "old meta": [range(other, other + 152)]}

    def note(label, page, count=1):
        start = page * BLOCK
        spots.setdefault(label, []).append(range(start, start + count * BLOCK))
        lower = struct.unpack_from("<H", bytes, start + 12)[0]
        spots.setdefault(label + " heads", []).append(range(start, start + max(16, lower)))

    def walk(table, page):
        start = page * BLOCK
        flags, lower = struct.unpack_from("<HH", bytes, start + 10)
        is_branch = flags & 1
        note(f"{table} {'branch' if is_branch else 'leaf'}", page)
        for slot in range((lower - 16) // 2):
            node = start + struct.unpack_from("<H", bytes, start + 16 + 2 * slot)[0]
            low, high, flags, key_bytes = struct.unpack_from("<HHHH", bytes, node)
            if is_branch:
                walk(table, low | high << 16 | flags << 32)
                continue
            data = node + 8 + key_bytes
            if flags & 1:
                first = struct.unpack_from("<Q", bytes, data)[0]
                count = struct.unpack_from("<I", bytes, first * BLOCK + 12)[0]
                note(f"{table} overflow", first, count)
            elif flags & 2:
                tree(bytes[node + 8 : data].decode(), data)

    def tree(table, at):
        root = struct.unpack_from("<Q", bytes, at + 40)[0]
        if root != 2**64 - 1:
            walk(table, root)

    tree("free", meta + 40)
    tree("main", meta + 88)
    return spots
