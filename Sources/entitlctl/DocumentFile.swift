import ArgumentParser
import Foundation
import JSON

/// A document that is handed on as it is, without white space around it.
enum DocumentFile {
    static func text(_ path: String, bytesMax: Int = 1 << 20) throws -> String {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else if let opened = FileHandle(forReadingAtPath: path) {
            handle = opened
        } else {
            throw ValidationError("\(path) cannot be read")
        }
        let read: Data?
        do {
            read = try handle.read(upToCount: bytesMax + 1)
        } catch {
            throw ValidationError("\(path) cannot be read")
        }
        let bytes = read ?? Data()
        guard bytes.count <= bytesMax, let text = String(validating: bytes, as: UTF8.self)
        else { throw ValidationError("\(path) is not such a document") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
