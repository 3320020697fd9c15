import CLinux

/// The checksum at the end of every row.
enum Seal {
    static let bytes = 4

    /// The row of `key` with this value.
    static func closed(_ value: [UInt8], _ key: [UInt8]) -> [UInt8] {
        ByteWriter.row(key) { $0.raw(value) }
    }

    /// The value of a row, or nil when its checksum is wrong.
    @inline(__always)
    static func opened(
        _ row: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard row.count >= bytes else { return nil }
        // SAFETY: a row has at least the bytes of its sum, as was checked above.
        let value = UnsafeRawBufferPointer(rebasing: row[..<(row.count - bytes)])
        let sum = row.loadUnaligned(fromByteOffset: value.count, as: UInt32.self)
        return UInt32(littleEndian: sum) == self.sum(of: value, key) ? value : nil
    }

    /// What stands behind the value of the row of `key`.
    @inline(__always)
    static func sum(
        of value: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer
    ) -> UInt32 {
        let start = linux_crc32c(0, key.baseAddress, key.count)
        let sum = linux_crc32c(start, value.baseAddress, value.count)
        // Masked, as LevelDB does it: the sum over bytes that end with their own sum is the same
        // for all of them, and the front of an account ends with its own.
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }
}
