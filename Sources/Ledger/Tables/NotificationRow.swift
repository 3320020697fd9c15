import Entitlements

/// One row of `notifications`: a notification that was here.
///
/// Key: signing time 8 (big-endian, sign flipped), SHA-256 32, so that those of a store that signs
/// stand in that order. Value: seq 8, at 8; and a 2 where the store has still to be asked.
struct NotificationRow: TableRow {
    static var table: TableName { .notifications }
    let key: NotificationID
    let record: Sighting

    var value: Row.Value { .notification(key, record) }
    static var isSwept: Bool { true }

    func isOver(at moment: Moment, behind border: UInt64) -> Bool { !record.isKept(at: moment) }

    static func bytes(of id: NotificationID) -> [UInt8] {
        let signed = Keys.moment(id.signed)
        let room = signed.count + 32
        // SAFETY: the room is that of a moment and of a digest's 32 bytes, all written below.
        return [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes.copyBytes(from: signed)
            // The most significant byte first, as everybody writes a digest.
            let (first, second, third, fourth) = id.digest.words
            for (place, word) in [first, second, third, fourth].enumerated() {
                let offset = signed.count + 8 * place
                bytes.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt64.self)
            }
            count = room
        }
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> NotificationID {
        guard bytes.count == 40 else { throw Malformed() }
        return NotificationID(
            signed: Keys.moment(of: bytes[..<8]),
            digest: Digest256(bytes: Array(bytes[8...]))
        )
    }

    static func write(_ first: Sighting, to writer: inout ByteWriter) {
        writer.sighting(first)
        if first.isAwaiting { writer.integer(Self.awaitingMark) }
    }

    private static let awaitingMark: UInt8 = 2

    /// The bytes of a value where the store has still to be asked.
    private static let awaitingBytes = 17

    /// Whether the store has still to be asked of a stored one; its length says so.
    static func isAwaiting(_ sealed: UnsafeRawBufferPointer) -> Bool {
        sealed.count == awaitingBytes + Seal.bytes
    }

    static func record(
        of key: NotificationID,
        from reader: inout ByteReader
    ) throws(Malformed) -> Sighting {
        var first = try reader.sighting()
        guard !reader.isAtEnd else { return first }
        guard try reader.integer(UInt8.self) == awaitingMark else { throw Malformed() }
        first.isAwaiting = true
        return first
    }

    static func lay(
        _ needs: Needs,
        on desk: inout Desk,
        from source: some RecordSource
    ) throws {
        for id in needs.notifications {
            _ = try desk.notifications.laid(at: id) { try source.record(of: Self.self, at: id) }
        }
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.notifications, into: &changes)
    }
}

// A loaded one: 5, id, sighting. It waits for nothing: the entry that says for what is elsewhere.

extension NotificationRow {
    static func rowKey(_ key: NotificationID) -> RowKey? { .notification(key) }
    static var loadCodes: [UInt8] { [5] }
    func loaded(naming names: [String]) -> LoadedRow? { .notification(key, record.apart) }

    static func writeKey(_ id: NotificationID, to writer: inout ByteWriter) {
        writer.notificationID(id)
    }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> NotificationID {
        try reader.notificationID()
    }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.notificationID(key)
        writer.sighting(record)
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        .notification(try reader.notificationID(), try reader.sighting())
    }
}
