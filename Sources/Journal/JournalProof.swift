/// What says that a group was once whole on the disk: the number of the last one that was flushed.
///
/// A group that is torn and one that has rotted look the same. While a whole group stands behind
/// it, it has rotted. The last groups have none behind them: they have this, in a file of its own
/// (`ProofFile`), so that nothing that spoils them spoils it too.
///
/// The bytes, all numbers little-endian:
///
///      0  8  magic "entitldP"
///      8  2  version, 1
///     10  2  bytes of all, 64
///     12  4  CRC32C of all, with these four bytes as zeros
///     16  8  number of the last group that was flushed
///     24  8  number of the journal
///     32  8  seq of the last entry of that group
///     40 24  zeros
///
/// All of it lies in one sector, which a disk writes whole or not at all.
struct JournalProof: Equatable {
    static let magic: UInt64 = 0x5064_6C74_6974_6E65
    static let version: UInt16 = 1
    static let bytes = 64

    var journal: UInt64
    var lastGroup: UInt64
    var lastSeq: UInt64

    init(journal: UInt64, lastGroup: UInt64, lastSeq: UInt64) {
        self.journal = journal
        self.lastGroup = lastGroup
        self.lastSeq = lastSeq
    }

    /// What `bytes` say; nil where they are not a whole proof.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.bytes,
            bytes.number(at: 0, as: UInt64.self) == Self.magic,
            bytes.number(at: 8, as: UInt16.self) == Self.version,
            bytes.number(at: 10, as: UInt16.self) == Self.bytes,
            bytes.number(at: 12, as: UInt32.self) == GroupFormat.crc(of: bytes, skipping: 12)
        else { return nil }
        journal = bytes.number(at: 24)
        lastGroup = bytes.number(at: 16)
        lastSeq = bytes.number(at: 32)
    }

    /// Puts the proof at the start of `buffer`, which has its size.
    func encode(into buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count == Self.bytes, "the buffer has the size of a proof")
        for index in buffer.indices { buffer[index] = 0 }
        buffer.put(Self.magic, at: 0)
        buffer.put(Self.version, at: 8)
        buffer.put(UInt16(Self.bytes), at: 10)
        buffer.put(lastGroup, at: 16)
        buffer.put(journal, at: 24)
        buffer.put(lastSeq, at: 32)
        buffer.put(GroupFormat.crc(of: UnsafeRawBufferPointer(buffer), skipping: 12), at: 12)
    }

    /// Whether it speaks of the journal with this number; nil where no group tells the number.
    func isOf(_ journal: UInt64?) -> Bool { journal == nil || journal == self.journal }
}
