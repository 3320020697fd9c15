import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// Every row as it lies there, key and sealed bytes, by table.
typealias StoredRows = [TableName: [[UInt8]: [UInt8]]]

extension Views {
    func storedRows() throws -> StoredRows {
        var stored: StoredRows = [:]
        for name in TableName.allCases where !absent.contains(name) {
            var rows: [[UInt8]: [UInt8]] = [:]
            try environment.read { transaction in
                try transaction.withCursor(in: table(name)) { cursor in
                    var entry = try cursor.first()
                    while let (key, value) = entry {
                        rows[Array(key)] = Array(value)
                        entry = try cursor.next()
                    }
                }
            }
            stored[name] = rows
        }
        return stored
    }
}

extension Views {
    /// Puts a sealed row past the writer; nil takes it away.
    func put(
        _ value: [UInt8]?,
        _ key: [UInt8],
        in name: TableName,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let value else {
            _ = try transaction.delete(key, in: table(name))
            return
        }
        try transaction.put(Seal.closed(value, key), for: key, in: table(name))
    }
}

extension Snapshot {
    /// The rows as a reader sees them, wherever they stand.
    func storedRows() throws -> StoredRows {
        try renew()
        defer { rest() }
        var stored: StoredRows = [:]
        for name in TableName.allCases {
            var rows: [[UInt8]: [UInt8]] = [:]
            try walk(name) { key, sealed in
                rows[Array(key)] = Array(sealed)
                return true
            }
            stored[name] = rows
        }
        return stored
    }
}

extension Ledger {
    /// The rows in LMDB, once everything that was answered is there.
    func storedRows() throws -> StoredRows {
        try checkpointer.settle()
        return try views.storedRows()
    }
}

/// The rows of a store that nobody writes.
func storedRows(_ directory: String) throws -> StoredRows {
    let environment = try Environment.open(
        directory: directory,
        options: .init(mapSizeBytes: 64 << 20, isReadOnly: true)
    )
    defer { environment.close() }
    return try Views(reading: environment).storedRows()
}

/// The rows that the journal of `directory` alone makes, beginning with no views.
func rebuiltRows(_ directory: String, in scratch: String) throws -> StoredRows {
    Scratch.remove(scratch)
    try Scratch.copyJournal(directory, to: scratch)
    // A policy of nothing: a replay follows the events, never the catalog.
    let bench = try WriterBench(scratch, source: .init())
    return try withExtendedLifetime(bench) { try bench.storedRows() }
}

/// Says in which rows two stores differ; empty where they are equal byte for byte.
///
/// Alarms are left out, and for which catalog all are set: which there are depends on the catalog
/// in force when a row was stored. So are rows that are over, and may be swept here and not there;
/// ticks are over behind `border`.
func differences(
    _ left: StoredRows,
    _ right: StoredRows,
    behind border: UInt64 = 0
) -> [String] {
    var found: [String] = []
    for name in TableName.allCases where name != .alarms {
        let these = (left[name] ?? [:])
            .filter { !isOver($0.key, $0.value, name, in: left, border) }
        let those = (right[name] ?? [:])
            .filter { !isOver($0.key, $0.value, name, in: right, border) }
        for key in Set(these.keys).union(those.keys)
        where !isSame(these[key], those[key], at: key) {
            let text = String(decoding: key, as: UTF8.self)
            let sides = (these[key] == nil, those[key] == nil)
            found.append(
                "\(name.rawValue) \(text): \(sides.0 ? "missing left" : "")"
                    + "\(sides.1 ? "missing right" : "") differs"
            )
        }
    }
    return found.sorted()
}

/// Whether the rows at `key` of two stores are equal; of how far the views are, alarms aside.
private func isSame(_ left: [UInt8]?, _ right: [UInt8]?, at key: [UInt8]) -> Bool {
    if left == right { return true }
    guard key == MetaRow.bytes(of: MetaRow.applied), let left, let right else { return false }
    let (one, other) = (position(left), position(right))
    return one != nil && one == other
}

private func position(_ sealed: [UInt8]) -> MetaRow.Record? {
    let key = MetaRow.bytes(of: MetaRow.applied)
    guard
        case .applied(let seq, let group, let at, let now, let told, _)? =
            try? MetaRow(key: key, value: sealed.dropLast(Seal.bytes)).record
    else { return nil }
    return .applied(seq: seq, group: group, at: at, now: now, told: told ?? .distantPast)
}

private func isOver(
    _ key: [UInt8],
    _ sealed: [UInt8],
    _ table: TableName,
    in rows: StoredRows,
    _ border: UInt64
) -> Bool {
    guard Sweep.tables.contains(table), let at = moment(of: rows) else { return false }
    return table.row.isOver(key: key, value: sealed.dropLast(Seal.bytes), at: at, behind: border)
}

/// How far the rows are.
private func moment(of rows: StoredRows) -> Moment? {
    let key = MetaRow.bytes(of: MetaRow.applied)
    guard let sealed = rows[.meta]?[key],
        case .applied(_, _, let at, _, _, _)? =
            try? MetaRow(key: key, value: sealed.dropLast(Seal.bytes)).record
    else { return nil }
    return at
}

/// Changes the views of a store that nobody keeps, past the writer.
func tamper(_ directory: String, _ body: (Views, borrowing WriteTransaction) throws -> Void) throws
{
    let environment = try Environment.open(
        directory: directory,
        options: .init(mapSizeBytes: 64 << 20)
    )
    defer { environment.close() }
    let views = try Views(environment)
    try environment.write { try body(views, $0) }
}

/// The files of a journal, by name.
func journalFiles(_ directory: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in Scratch.names(in: directory + "/journal") {
        files[name] = try Scratch.bytes(of: "\(directory)/journal/\(name)")
    }
    return files
}

/// Puts `files` in the place of the journal.
func putJournal(_ files: [String: [UInt8]], _ directory: String) throws {
    Scratch.remove(directory + "/journal")
    mkdir(directory, 0o700)
    try #require(mkdir(directory + "/journal", 0o700) == 0)
    for (name, bytes) in files { try Scratch.put(bytes, at: "\(directory)/journal/\(name)") }
}
