import Entitlements
import LMDB

extension Base {
    /// Copies the rows to `base-copy`, with pseudonyms in place of the names of `persons`.
    ///
    /// The copy becomes valid when the rewritten journal segments do. No copy is made if no row has
    /// such a name. The rows are written one by one into a new file, so no removed byte is left in
    /// it.
    ///
    /// - Throws: `.damaged` where a row or a page of the base is not what was written.
    func copy(erasing persons: Pseudonyms) throws {
        _ = try look { rows in
            // Compare first: in a damaged page a name might not be found, and the copy would keep
            // it under correct checksums.
            try rows.views.environment.comparingAllPages {
                if try Self.names(persons, in: rows) { try write(rows, without: persons) }
            }
        }
    }

    private func write(_ rows: Rows, without persons: Pseudonyms) throws {
        let environment = try Environment.open(
            directory: copyPath,
            options: .init(mapSizeBytes: mapSizeBytes)
        )
        defer { environment.close() }
        let copy = try Views(environment)
        for table in TableName.allCases {
            var changes = RowChanges()
            try rows.snapshot.walk(table) { key, sealed in
                let (key, value, _) = try Self.row(
                    of: table,
                    key,
                    sealed,
                    persons,
                    rows.state.numbering
                )
                changes.put(key, in: table) { $0.raw(value) }
                if changes.rows.count == LedgerLimits.checkpointChangesMax {
                    try copy.store(changes)
                    changes = RowChanges()
                }
                return true
            }
            try copy.store(changes)
        }
        try ErasureBook.flush(copyPath)
    }

    /// Whether some row contains a name of `persons`.
    ///
    /// Reads every row, to find damaged ones.
    private static func names(_ persons: Pseudonyms, in rows: Rows) throws -> Bool {
        var isNamed = false
        for table in TableName.allCases {
            try rows.snapshot.walk(table) { key, sealed in
                if isNamed {
                    guard Seal.opened(sealed, key) != nil else { throw Damage(table: table) }
                    return true
                }
                let changed = try row(of: table, key, sealed, persons, rows.state.numbering)
                isNamed = changed.isChanged
                return true
            }
        }
        return isNamed
    }

    private static func row(
        of table: TableName,
        _ key: UnsafeRawBufferPointer,
        _ sealed: UnsafeRawBufferPointer,
        _ persons: Pseudonyms,
        _ numbering: Numbering
    ) throws -> (key: [UInt8], value: [UInt8], isChanged: Bool) {
        guard let value = Seal.opened(sealed, key) else { throw Damage(table: table) }
        let row = (key: Array(key), value: Array(value))
        guard persons.mayBeNamed(in: row.key, row.value),
            let changed = try persons.rewritten(
                table.row.init(key: key, sealed: sealed),
                numbering
            )
        else { return (row.key, row.value, false) }
        return (changed.keyBytes, changed.valueBytes, true)
    }
}

extension Pseudonyms {
    /// A row without the persons' names; nil where it has none.
    ///
    /// The row is encoded as the journal encodes loaded rows, so one rule decides what counts as a
    /// name.
    fileprivate func rewritten(
        _ row: any TableRow,
        _ numbering: Numbering
    ) throws -> (any TableRow)? {
        if let renamed = row.renamed(name) { return renamed }
        guard let loaded = row.loaded(naming: numbering.names) else { return nil }
        let bytes = ByteWriter.bytes { $0.loaded(loaded) }
        let notes = NameNotes()
        var reader = ByteReader(bytes, noting: notes)
        _ = try reader.loaded()
        guard let changed = body(bytes, notes, at: 0) else { return nil }
        reader = ByteReader(changed)
        return try reader.loaded().inOrder.row
    }
}
