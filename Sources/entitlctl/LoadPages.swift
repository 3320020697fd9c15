import ArgumentParser
import EntitlementsClient
import Foundation
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
    /// The longest line: a row whose key or value needs more does not fit any frame.
    static let lineBytesMax = ClientLimits.frameBytesCeiling

    private let file: FileHandle
    private let name: String
    private var buffer: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    private var line = 0
    /// A row that did not fit the page before.
    private var carried: (row: JSONValue, bytes: Int)?

    /// The rows of the file at `path`; `-` is standard input.
    init(_ path: String) throws {
        name = path == "-" ? "standard input" : path
        if path == "-" {
            file = .standardInput
        } else if let opened = FileHandle(forReadingAtPath: path) {
            file = opened
        } else {
            throw ValidationError("\(path) cannot be read")
        }
    }

    /// The next page; nil at the end.
    mutating func next() throws -> Page? {
        var page = Page()
        while page.rows.count < Self.rowsMax, let (row, bytes) = try nextRow() {
            guard page.rows.isEmpty || page.bytes + bytes <= Self.bytesMax else {
                carried = (row, bytes)
                break
            }
            page.rows.append(row)
            page.lines.append(line)
            page.bytes += bytes
        }
        return page.rows.isEmpty ? nil : page
    }

    private mutating func nextRow() throws -> (row: JSONValue, bytes: Int)? {
        if let row = carried.take() { return row }
        while let text = try nextLine() {
            line += 1
            guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            let row = try? JSONValue.parse(Array(text), depthMax: ClientLimits.replyDepthMax)
            guard let row, row["table"]?.string != nil, row["key"] != nil, row["value"] != nil
            else { throw damaged("line \(line) is not a row as dump prints it") }
            return (row, text.count + 1)
        }
        return nil
    }

    /// The next line without its end; nil after the last one.
    private mutating func nextLine() throws -> ArraySlice<UInt8>? {
        var searched = place
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { place = end + 1 }
                return buffer[place..<end]
            }
            if isAtEnd {
                defer { place = buffer.count }
                return place < buffer.count ? buffer[place...] : nil
            }
            buffer.removeSubrange(..<place)
            place = 0
            searched = buffer.count
            guard searched <= Self.lineBytesMax else {
                throw damaged("line \(line + 1) is longer than a row can be")
            }
            let more: Data?
            do {
                more = try file.read(upToCount: 1 << 20)
            } catch {
                throw damaged("it cannot be read to its end")
            }
            if let more, !more.isEmpty { buffer += more } else { isAtEnd = true }
        }
    }

    private func damaged(_ sentence: String) -> ExitCode {
        Terminal.complain("entitlctl: \(Terminal.safe(name)): \(sentence)")
        return .damaged
    }
}
