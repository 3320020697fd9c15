import Foundation
import Glibc
import Synchronization

/// The books of a simulated store, kept as JSON in a directory that several processes may change.
package struct KeptBooks<Books: Codable & Sendable>: Sendable {
    /// The directory.
    package let path: String
    private let last = LastBooks<Books>()

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

    /// The books, read; those that were read last where the file is still the same.
    package func read() throws -> Books {
        let file = FileState(booksPath)
        if let file, let books = last.books(of: file) { return books }
        guard let data = FileManager.default.contents(atPath: booksPath) else {
            throw DirectoryFailure(description: "\(path) is no store; mint makes one")
        }
        do {
            let books = try JSONDecoder().decode(Books.self, from: data)
            // Between the look and the reading the file may have been replaced by a newer one.
            if let file, file == FileState(booksPath) { last.keep(books, of: file) }
            return books
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

/// The books that were read last: a store of years is asked thousands of times between two changes.
private final class LastBooks<Books: Sendable>: Sendable {
    private let kept = Mutex<(file: FileState, books: Books)?>(nil)

    func books(of file: FileState) -> Books? {
        kept.withLock { kept in kept?.file == file ? kept?.books : nil }
    }

    func keep(_ books: Books, of file: FileState) { kept.withLock { $0 = (file, books) } }
}

/// By which a file is known to be the same: every change replaces it.
private struct FileState: Equatable {
    private let inode: UInt
    private let bytes: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// The file at `path`; nil where there is none.
    init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        inode = found.st_ino
        bytes = Int(found.st_size)
        seconds = found.st_mtim.tv_sec
        nanoseconds = found.st_mtim.tv_nsec
    }
}
