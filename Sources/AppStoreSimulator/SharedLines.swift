import Foundation
import Glibc

/// A file of lines that several processes append to, and that each reads on from where it stopped.
///
/// A lock on the file keeps the processes apart; a line torn by a crash is left behind and skipped
/// by whoever reads.
struct SharedLines {
    private let path: String
    private let file: FileHandle

    /// The file at `path`, made if absent.
    init(_ path: String) throws(DirectoryFailure) {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DirectoryFailure(description: "\(path) cannot be opened: errno \(errno)")
        }
        self.path = path
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// One line, and where it stands.
    struct Line {
        var place: Place
        var bytes: [UInt8]
    }

    /// Where a line stands.
    struct Place: Hashable, Sendable {
        var offset: UInt64
        var count: Int
    }

    /// What `body` does while no other process writes; with `alone` none reads either.
    func held<Answer>(alone: Bool, _ body: () throws -> Answer) throws -> Answer {
        while flock(file.fileDescriptor, alone ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else {
                throw DirectoryFailure(description: "\(path) cannot be locked: errno \(errno)")
            }
        }
        defer { _ = flock(file.fileDescriptor, LOCK_UN) }
        return try body()
    }

    /// Adds a line; the caller holds the file alone.
    func append(_ line: [UInt8]) throws {
        // A line that a crash has torn must not swallow this one.
        let end = try file.seekToEnd()
        var isTorn = false
        if end > 0 { isTorn = try bytes(at: Place(offset: end - 1, count: 1)) != [Self.newline] }
        try file.write(contentsOf: Data((isTorn ? [Self.newline] : []) + line + [Self.newline]))
    }

    /// The whole lines from `offset` on.
    func lines(from offset: UInt64) throws -> [Line] {
        let end = try file.seekToEnd()
        guard end > offset else { return [] }
        let bytes = try bytes(at: Place(offset: offset, count: Int(end - offset)))
        var lines: [Line] = []
        var start = 0
        while let stop = bytes[start...].firstIndex(of: Self.newline) {
            let place = Place(offset: offset + UInt64(start), count: stop - start)
            lines.append(Line(place: place, bytes: Array(bytes[start..<stop])))
            start = stop + 1
        }
        return lines
    }

    /// The bytes of a line.
    func bytes(at place: Place) throws -> [UInt8] {
        try file.seek(toOffset: place.offset)
        let data = try file.read(upToCount: place.count) ?? Data()
        guard data.count == place.count else {
            throw DirectoryFailure(description: "\(path) is shorter than it was")
        }
        return Array(data)
    }

    private static let newline = UInt8(ascii: "\n")
}
