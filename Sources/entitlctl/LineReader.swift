import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// Reads a file of JSON values, one in a line; empty lines are passed over.
struct LineReader {
    /// The longest line: what needs more does not fit any frame.
    static let bytesMax = ClientLimits.frameBytesCeiling

    /// The number of the line that was read last, from 1.
    private(set) var line = 0
    private let file: FileHandle
    private let name: String
    private var buffer: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    /// The bytes of the file; nil where nobody knows how much will come.
    private let size: UInt64?
    private var bytesRead = 0

    /// How much of the file was returned, from 0 to 1; nil where nobody knows.
    var share: Double? {
        size.map { $0 == 0 ? 1 : min(1, Double(bytesRead - buffer.count + place) / Double($0)) }
    }

    /// The lines of the file at `path`; `-` is standard input.
    init(_ path: String) throws {
        name = path == "-" ? "standard input" : path
        if path == "-" {
            file = .standardInput
        } else if let opened = FileHandle(forReadingAtPath: path) {
            file = opened
        } else {
            throw ValidationError("\(path) cannot be read")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        size = isFile ? attributes?[.size] as? UInt64 : nil
    }

    /// The next line that is not empty; nil after the last one.
    mutating func next() throws -> [UInt8]? {
        while let text = try nextLine() {
            line += 1
            guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            return Array(text)
        }
        return nil
    }

    /// What to throw where a line is not what it should be.
    func damaged(_ sentence: String) -> ExitCode {
        Terminal.complain("entitlctl: \(Terminal.safe(name)): \(sentence)")
        return .damaged
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
            guard searched <= Self.bytesMax else {
                throw damaged("line \(line + 1) is longer than a row can be")
            }
            let more: Data?
            do {
                more = try file.read(upToCount: 1 << 20)
            } catch {
                throw damaged("it cannot be read to its end")
            }
            if let more, !more.isEmpty {
                buffer += more
                bytesRead += more.count
            } else {
                isAtEnd = true
            }
        }
    }
}
