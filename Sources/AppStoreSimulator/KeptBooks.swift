import Foundation
import Glibc

/// The books of a simulated store, kept as JSON in a directory that several processes may change.
package struct KeptBooks<Books: Codable & Sendable>: Sendable {
    /// The directory.
    package let path: String

    /// The books in the directory at `path`; nothing is read yet.
    package init(_ path: String) { self.path = path }

    private var booksPath: String { path + "/books.json" }

    /// Makes the directory for a new store; refused where there is one.
    package func makeDirectory() throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: booksPath) else {
            throw DirectoryFailure(description: "\(path) is a store already")
        }
        try files.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// The books, read.
    package func read() throws -> Books {
        guard let data = FileManager.default.contents(atPath: booksPath) else {
            throw DirectoryFailure(description: "\(path) is no store; mint makes one")
        }
        do {
            return try JSONDecoder().decode(Books.self, from: data)
        } catch {
            throw DirectoryFailure(description: "\(booksPath) cannot be read: \(error)")
        }
    }

    /// What `body` does with the books, kept; no other process changes them meanwhile.
    package func change<Answer>(_ body: (inout Books) throws -> Answer) throws -> Answer {
        let lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw DirectoryFailure(description: "\(path) cannot be locked: errno \(errno)")
        }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw DirectoryFailure(description: "\(path) cannot be locked: errno \(errno)")
            }
        }
        var books = try read()
        let answer = try body(&books)
        try keep(books)
        return answer
    }

    /// Writes the books down.
    package func keep(_ books: Books) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Array(try encoder.encode(books)), booksPath)
    }

    /// Writes a file that only its owner reads.
    package func write(_ bytes: [UInt8], _ file: String) throws {
        do {
            try Data(bytes).write(to: URL(filePath: file), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        } catch {
            throw DirectoryFailure(description: "\(file) cannot be written: \(error)")
        }
    }
}
