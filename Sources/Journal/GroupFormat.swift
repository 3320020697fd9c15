import CLinux

/// The bytes of a group, all numbers little-endian.
///
/// A segment is groups one after the other, and then zeros. Each group begins at a multiple of 8:
///
///      0  8  magic "entitldJ"
///      8  2  version, 1; a later one keeps the magic, the version, the checksum and the length
///     10  2  bytes of this head, 96
///     12  4  CRC32C of the whole group, padding included, with these four bytes as zeros
///     16  8  number of the group, consecutive from 1
///     24  8  number of the journal, random, the same in every group: nobody who can put bytes into
///            an entry knows it, so no entry can pass for a group
///     32  8  seq of the first entry
///     40  4  count of entries
///     44  4  bytes of all entries
///     48  4  catalog version
///     52  4  rules version
///     56  8  zeros
///     64 32  room for a hash; zeros
///     96     the entries, then zeros up to a multiple of 8
///
/// An entry, without padding between them:
///
///      0  4  bytes of this entry, these four included
///      4  4  CRC32C of the entry with these four bytes as zeros
///      8  8  seq
///     16  8  moment, milliseconds since 1970, signed
///     24  1  kind
///     25  1  version
///     26  2  count of links
///     28     links, 8 bytes each: the previous seq of each account that the entry touches
///            the rest: the body
enum GroupFormat {
    static let magic: UInt64 = 0x4A64_6C74_6974_6E65
    static let version: UInt16 = 1
    static let headBytes = 96
    static let entryHeadBytes = 28
    static let alignment = 8

    /// The head of a group, as it stands; nothing in it is believed before its CRC was checked.
    struct Head: Equatable {
        var version: UInt16
        var crc: UInt32
        var number: UInt64
        var journal: UInt64
        var firstSeq: UInt64
        var entryCount: UInt32
        var entriesBytes: UInt32
        var catalogVersion: UInt32
        var rulesVersion: UInt32

        /// The bytes of the whole group.
        var groupBytes: Int { aligned(headBytes + Int(entriesBytes)) }

        var group: JournalGroup {
            JournalGroup(
                number: number,
                firstSeq: firstSeq,
                entryCount: Int(entryCount),
                bytes: groupBytes,
                catalogVersion: catalogVersion,
                rulesVersion: rulesVersion
            )
        }
    }

    static func aligned(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }

    // MARK: Writing

    /// Puts the group of `entries` into `buffer`, in the place of what was there.
    static func encode(
        _ entries: [JournalEntry],
        number: UInt64,
        journal: UInt64,
        catalogVersion: UInt32,
        rulesVersion: UInt32,
        into buffer: inout [UInt8]
    ) {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: headBytes))
        for entry in entries { encode(entry, into: &buffer) }
        let entriesBytes = buffer.count - headBytes
        buffer.append(contentsOf: repeatElement(0, count: aligned(buffer.count) - buffer.count))
        // SAFETY: the buffer is at least a head long, and each offset below lies within the head.
        buffer.withUnsafeMutableBytes { bytes in
            bytes.put(magic, at: 0)
            bytes.put(version, at: 8)
            bytes.put(UInt16(headBytes), at: 10)
            bytes.put(number, at: 16)
            bytes.put(journal, at: 24)
            bytes.put(entries.first?.seq ?? 0, at: 32)
            bytes.put(UInt32(entries.count), at: 40)
            bytes.put(UInt32(entriesBytes), at: 44)
            bytes.put(catalogVersion, at: 48)
            bytes.put(rulesVersion, at: 52)
            bytes.put(crc(of: UnsafeRawBufferPointer(bytes), skipping: 12), at: 12)
        }
    }

    /// The bytes that a group of `entries` takes.
    static func groupBytes(of entries: [JournalEntry]) -> Int {
        aligned(entries.reduce(headBytes) { $0 + entryBytes(of: $1) })
    }

    static func entryBytes(of entry: JournalEntry) -> Int {
        entryHeadBytes + 8 * entry.links.count + entry.body.count
    }

    private static func encode(_ entry: JournalEntry, into buffer: inout [UInt8]) {
        let start = buffer.count
        let count = entryBytes(of: entry)
        buffer.append(contentsOf: repeatElement(0, count: entryHeadBytes + 8 * entry.links.count))
        buffer.append(contentsOf: entry.body)
        // SAFETY: `count` bytes were just appended at `start`; each offset lies within them.
        buffer.withUnsafeMutableBytes { all in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: all[start..<start + count])
            bytes.put(UInt32(count), at: 0)
            bytes.put(entry.seq, at: 8)
            bytes.put(entry.moment, at: 16)
            bytes.put(entry.kind, at: 24)
            bytes.put(entry.version, at: 25)
            bytes.put(UInt16(entry.links.count), at: 26)
            for (index, link) in entry.links.enumerated() {
                bytes.put(link, at: entryHeadBytes + 8 * index)
            }
            bytes.put(crc(of: UnsafeRawBufferPointer(bytes), skipping: 4), at: 4)
        }
    }

    // MARK: Reading

    /// The head at the start of `bytes`, when they could be one.
    static func head(of bytes: UnsafeRawBufferPointer) -> Head? {
        guard bytes.count >= headBytes, bytes.number(at: 0, as: UInt64.self) == magic else {
            return nil
        }
        let head = Head(
            version: bytes.number(at: 8),
            crc: bytes.number(at: 12),
            number: bytes.number(at: 16),
            journal: bytes.number(at: 24),
            firstSeq: bytes.number(at: 32),
            entryCount: bytes.number(at: 40),
            entriesBytes: bytes.number(at: 44),
            catalogVersion: bytes.number(at: 48),
            rulesVersion: bytes.number(at: 52)
        )
        guard bytes.number(at: 10, as: UInt16.self) == headBytes || head.version != version,
            head.number < .max,
            head.entryCount > 0,
            head.firstSeq > 0,
            head.firstSeq <= UInt64.max - UInt64(head.entryCount),
            head.groupBytes <= Limits.groupBytesMax
        else { return nil }
        return head
    }

    /// Whether `bytes` are the whole group that `head` announces, of whatever version.
    static func isWhole(_ bytes: UnsafeRawBufferPointer, _ head: Head) -> Bool {
        bytes.count == head.groupBytes && crc(of: bytes, skipping: 12) == head.crc
    }

    /// Hands the entries of a whole group to `visit`; nil when they are not what the head says.
    static func entries(
        of bytes: UnsafeRawBufferPointer,
        _ head: Head
    ) -> [JournalEntry]? {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(min(Int(head.entryCount), bytes.count / entryHeadBytes))
        var offset = headBytes
        let end = headBytes + Int(head.entriesBytes)
        for index in 0..<UInt64(head.entryCount) {
            guard offset <= end - entryHeadBytes else { return nil }
            let count = Int(bytes.number(at: offset, as: UInt32.self))
            guard count >= entryHeadBytes, count <= end - offset else { return nil }
            // SAFETY: `offset` and `count` were compared with the end of the group just above.
            let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
            guard let entry = entry(of: piece), entry.seq == head.firstSeq + index else {
                return nil
            }
            entries.append(entry)
            offset += count
        }
        return offset == end ? entries : nil
    }

    /// Where the entries of a whole group begin; nil when they are not what the head says.
    static func offsets(of bytes: UnsafeRawBufferPointer, _ head: Head) -> [Int]? {
        var offsets: [Int] = []
        offsets.reserveCapacity(min(Int(head.entryCount), bytes.count / entryHeadBytes))
        var offset = headBytes
        let end = headBytes + Int(head.entriesBytes)
        guard end <= bytes.count else { return nil }
        for _ in 0..<head.entryCount {
            guard offset <= end - entryHeadBytes else { return nil }
            let count = Int(bytes.number(at: offset, as: UInt32.self))
            guard count >= entryHeadBytes, count <= end - offset else { return nil }
            offsets.append(offset)
            offset += count
        }
        return offset == end ? offsets : nil
    }

    /// The entry that begins at one of the offsets of a whole group; nil when it is not whole.
    static func entry(of bytes: UnsafeRawBufferPointer, at offset: Int) -> JournalEntry? {
        let count = Int(bytes.number(at: offset, as: UInt32.self))
        // SAFETY: an offset of a whole group, whose entries were found to lie within it.
        return entry(of: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }

    private static func entry(of bytes: UnsafeRawBufferPointer) -> JournalEntry? {
        let linkCount = Int(bytes.number(at: 26, as: UInt16.self))
        let bodyStart = entryHeadBytes + 8 * linkCount
        guard bodyStart <= bytes.count,
            crc(of: bytes, skipping: 4) == bytes.number(at: 4, as: UInt32.self)
        else { return nil }
        return JournalEntry(
            seq: bytes.number(at: 8),
            moment: bytes.number(at: 16),
            kind: bytes.number(at: 24),
            version: bytes.number(at: 25),
            links: (0..<linkCount).map { bytes.number(at: entryHeadBytes + 8 * $0) },
            body: [UInt8](bytes[bodyStart...])
        )
    }

    /// CRC32C of `bytes` with the four bytes at `offset` as zeros.
    static func crc(of bytes: UnsafeRawBufferPointer, skipping offset: Int) -> UInt32 {
        var zero: UInt32 = 0
        guard let start = bytes.baseAddress else { return 0 }
        // SAFETY: `offset + 4` lies within every head, and callers hand over at least a head.
        var crc = linux_crc32c(0, start, offset)
        crc = linux_crc32c(crc, &zero, 4)
        return linux_crc32c(crc, start + offset + 4, bytes.count - offset - 4)
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`; the caller has checked that it lies within.
    func number<N: FixedWidthInteger>(at offset: Int, as type: N.Type = N.self) -> N {
        // SAFETY: checked by loadUnaligned in debug and by every caller in release.
        N(littleEndian: loadUnaligned(fromByteOffset: offset, as: N.self))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Puts a number at `offset`, little-endian; the caller has made the room.
    func put<N: FixedWidthInteger>(_ number: N, at offset: Int) {
        // SAFETY: checked by storeBytes in debug and by every caller in release.
        storeBytes(of: number.littleEndian, toByteOffset: offset, as: N.self)
    }
}
