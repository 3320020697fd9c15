import FoundationEssentials

/// The last item of the page before: its list, and its key there, so that what is written
/// meanwhile shifts nothing.
struct ExportCursor: Comparable {
    let list: UInt8
    let key: [UInt8]

    init(list: ExportList, key: [UInt8]) {
        self.list = list.rawValue
        self.key = key
    }

    init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), let first = bytes.first else { return nil }
        list = first
        key = Array(bytes.dropFirst())
    }

    var text: String { Data([list] + key).base64EncodedString() }

    static func < (left: ExportCursor, right: ExportCursor) -> Bool {
        left.list == right.list
            ? left.key.lexicographicallyPrecedes(right.key) : left.list < right.list
    }
}
