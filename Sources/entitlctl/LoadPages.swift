import EntitlementsClient
import JSON

/// Reads dumped rows from a file, in pages that one `load` takes.
struct LoadPages {
    /// Some rows, and on which lines they stand.
    struct Page {
        fileprivate(set) var rows: [JSONValue] = []
        fileprivate(set) var lines: [Int] = []
        fileprivate var bytes = 0
    }

    /// The most rows that the daemon takes at once.
    static let rowsMax = 1_000
    /// What the rows of a page may have together, so that it fits a frame of 1 MiB.
    static let bytesMax = 768 << 10

    private var lines: LineReader
    /// A row that did not fit the page before.
    private var carried: (row: JSONValue, bytes: Int)?

    /// The rows of the file at `path`; `-` is standard input.
    init(_ path: String) throws { lines = try LineReader(path) }

    /// The next page; nil at the end.
    mutating func next() throws -> Page? {
        var page = Page()
        while page.rows.count < Self.rowsMax, let (row, bytes) = try nextRow() {
            guard page.rows.isEmpty || page.bytes + bytes <= Self.bytesMax else {
                carried = (row, bytes)
                break
            }
            page.rows.append(row)
            page.lines.append(lines.line)
            page.bytes += bytes
        }
        return page.rows.isEmpty ? nil : page
    }

    private mutating func nextRow() throws -> (row: JSONValue, bytes: Int)? {
        if let row = carried.take() { return row }
        guard let text = try lines.next() else { return nil }
        let row = try? JSONValue.parse(text, depthMax: ClientLimits.replyDepthMax)
        guard let row, row["table"]?.string != nil, row["key"] != nil, row["value"] != nil else {
            throw lines.damaged("line \(lines.line) is not a row as dump prints it")
        }
        return (row, text.count + 1)
    }
}
