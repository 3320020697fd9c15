import EntitlementsClient
import JSON

/// Reads dumped rows from a file, in pages that one `load` takes.
struct LoadPages {
    /// A row, on which line it stands, and how long that is.
    struct Row {
        let value: JSONValue
        let line: Int
        let bytes: Int
    }

    /// The most rows that the daemon takes at once.
    static let rowsMax = 1_000
    /// What the rows of a page may have together: at first so much as fits a frame of 1 MiB.
    private var bytesMax = 768 << 10
    private var lines: LineReader
    /// Rows that did not fit the page before.
    private var carried: ArraySlice<Row> = []

    /// The rows of the file at `path`; `-` is standard input.
    init(_ path: String) throws { lines = try LineReader(path) }

    /// The next page; nil at the end.
    mutating func next() throws -> [Row]? {
        var page: [Row] = []
        var bytes = 0
        while page.count < Self.rowsMax, let row = try nextRow() {
            guard page.isEmpty || bytes + row.bytes <= bytesMax else {
                carried = [row] + carried
                break
            }
            page.append(row)
            bytes += row.bytes
        }
        return page.isEmpty ? nil : page
    }

    /// Takes back a page that is too long for the daemon's frames, so that the next one has half of
    /// it; answers false where it is a single row.
    mutating func halve(_ page: [Row]) -> Bool {
        guard page.count > 1 else { return false }
        carried = page + carried
        bytesMax = page.reduce(0) { $0 + $1.bytes } / 2
        return true
    }

    private mutating func nextRow() throws -> Row? {
        if let row = carried.popFirst() { return row }
        guard let text = try lines.next() else { return nil }
        let row = try? JSONValue.parse(text, depthMax: ClientLimits.replyDepthMax)
        guard let row, row["table"]?.string != nil, row["key"] != nil, row["value"] != nil else {
            throw lines.damaged("line \(lines.line) is not a row as dump prints it")
        }
        return Row(value: row, line: lines.line, bytes: text.count + 1)
    }
}
