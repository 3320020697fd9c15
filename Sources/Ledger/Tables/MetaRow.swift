import Entitlements

/// One row of `meta`: what holds for the ledger as a whole.
///
///     KEY               VALUE
///     applied           format 4, seq 8, group 8, at 8; now 8 where that is another moment, or
///                       more follows; told 8; armed 4
///     numbering         the names that products and plans have numbers for
///     ids               the greatest id among the rows that were loaded 8
///     secret            the key of the marks of erased persons 16
///     dated             products of non-renewing subscriptions that were bought
///     rules             the version of the rules that made the first rows 4; none: 1
///     catalog           the one in force: version 4, digest 32, text
///     catalog/00000001  one that was in force: seq 8, from 8, the same
struct MetaRow: TableRow {
    static var table: TableName { .meta }
    let key: String
    let record: Record

    /// What such a row says.
    enum Record: Hashable, Sendable {
        case applied(
            seq: UInt64,
            group: UInt64,
            at: Moment,
            now: Moment,
            told: Moment?,
            armed: UInt32 = 0
        )
        case numbering([String])
        case idFloor(UInt64)
        case secret(HashKey)
        case datedProducts([String])
        case rules(UInt32)
        case catalog(CatalogStamp)
        case installed(InstalledCatalog)
    }

    /// The version of all formats in this room.
    static let format: UInt32 = 1
    static let applied = "applied"
    static let numbering = "numbering"
    static let ids = "ids"
    static let secret = "secret"
    static let dated = "dated"
    static let rules = "rules"
    static let catalog = "catalog"
    /// What the keys of catalogs that were in force begin with.
    static let catalogs = "catalog/"

    static func key(ofCatalog version: UInt32) -> String {
        let digits = String(version)
        return catalogs + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// `AppliedState` is compared instead.
    static var isCompared: Bool { false }

    var value: Row.Value {
        switch record {
        case .applied(let seq, let group, let at, let now, _, _):
            .applied(seq: seq, group: group, at: at, now: now)
        case .numbering(let names): .numbering(names)
        case .idFloor(let id): .idFloor(id)
        case .secret(let secret): .secret(secret)
        case .datedProducts(let products): .datedProducts(products)
        case .rules(let version): .rules(version)
        case .catalog(let stamp): .catalog(stamp)
        case .installed(let catalog): .installed(catalog)
        }
    }

    static func bytes(of key: String) -> [UInt8] { Array(key.utf8) }
    static func key(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func write(_ record: Record, to writer: inout ByteWriter) {
        switch record {
        case .applied(let seq, let group, let at, let now, let told, let armed):
            writer.integer(format)
            writer.integer(seq)
            writer.integer(group)
            writer.moment(at)
            if now != at || told != nil || armed != 0 { writer.moment(now) }
            if told != nil || armed != 0 { writer.moment(told ?? .distantPast) }
            if armed != 0 { writer.integer(armed) }
        case .numbering(let names): writer.longList(names) { $0.text($1) }
        case .idFloor(let id): writer.integer(id)
        case .secret(let secret): writer.hashKey(secret)
        case .datedProducts(let products): writer.longList(products) { $0.text($1) }
        case .rules(let version): writer.integer(version)
        case .catalog(let stamp): writer.catalogStamp(stamp)
        case .installed(let catalog):
            writer.integer(catalog.seq)
            writer.moment(catalog.from)
            writer.catalogStamp(catalog.stamp)
        }
    }

    static func record(
        of key: String,
        from reader: inout ByteReader
    ) throws(Malformed) -> Record {
        switch key {
        case applied:
            guard try reader.integer(UInt32.self) == format else { throw Malformed() }
            let (seq, group) = (try reader.integer(UInt64.self), try reader.integer(UInt64.self))
            let at = try reader.moment()
            let now = reader.isAtEnd ? at : try reader.moment()
            let told = reader.isAtEnd ? nil : try reader.moment()
            let armed = reader.isAtEnd ? 0 : try reader.integer(UInt32.self)
            return .applied(seq: seq, group: group, at: at, now: now, told: told, armed: armed)
        case numbering:
            return .numbering(
                try reader.longList { (reader) throws(Malformed) in try reader.text() }
            )
        case ids: return .idFloor(try reader.integer())
        case secret: return .secret(try reader.hashKey())
        case dated:
            return .datedProducts(
                try reader.longList { (reader) throws(Malformed) in try reader.text() }
            )
        case rules: return .rules(try reader.integer())
        case catalog: return .catalog(try reader.catalogStamp())
        default:
            guard key.hasPrefix(catalogs) else { throw Malformed() }
            let (seq, from) = (try reader.integer(UInt64.self), try reader.moment())
            let stamp = try reader.catalogStamp()
            return .installed(InstalledCatalog(seq: seq, from: from, stamp: stamp))
        }
    }
}

extension MetaRow {
    /// The row that says `record`.
    init(_ record: Record) {
        self.record = record
        key =
            switch record {
            case .applied: Self.applied
            case .numbering: Self.numbering
            case .idFloor: Self.ids
            case .secret: Self.secret
            case .datedProducts: Self.dated
            case .rules: Self.rules
            case .catalog: Self.catalog
            case .installed(let catalog): Self.key(ofCatalog: catalog.stamp.version)
            }
    }
}
