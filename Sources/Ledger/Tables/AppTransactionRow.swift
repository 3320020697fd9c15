import Entitlements

/// One row of `appTransactions`: when one was shown that gives no free credits since.
///
/// Key: its mark, 32 hex digits. Value: the moment.
struct AppTransactionRow: TableRow {
    static var table: TableName { .appTransactions }
    let key: AppTransactionMark
    let record: Moment

    var value: Row.Value { .appTransaction(key, shown: record) }

    static func bytes(of mark: AppTransactionMark) -> [UInt8] {
        Keys.digits(mark.digest.words.0, mark.digest.words.1)
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> AppTransactionMark {
        let (first, second) = try Keys.halves(of: bytes)
        return AppTransactionMark(Digest128(first, second))
    }

    static func write(_ shown: Moment, to writer: inout ByteWriter) { writer.moment(shown) }

    static func record(
        of key: AppTransactionMark,
        from reader: inout ByteReader
    ) throws(Malformed) -> Moment {
        try reader.moment()
    }

    static func lay(
        _ needs: Needs,
        on desk: inout Desk,
        from source: some RecordSource
    ) throws {
        for mark in needs.appTransactions {
            _ = try desk.appTransactions.laid(at: mark) {
                try source.record(of: Self.self, at: mark)
            }
        }
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.appTransactions, into: &changes)
    }
}

// A loaded one: 40, mark, moment.

extension AppTransactionRow {
    static func rowKey(_ key: AppTransactionMark) -> RowKey? { .appTransaction(key) }
    static var loadCodes: [UInt8] { [40] }
    func loaded(naming names: [String]) -> LoadedRow? { .appTransaction(key, record) }

    static func writeKey(_ mark: AppTransactionMark, to writer: inout ByteWriter) {
        writer.half(mark.digest)
    }

    static func readKey(from reader: inout ByteReader) throws(Malformed) -> AppTransactionMark {
        AppTransactionMark(try reader.half())
    }
}
