import ArgumentParser
import Foundation
import JSON

/// A document that is handed on as it is, without white space around it.
enum DocumentFile {
    static func text(_ path: String, bytesMax: Int = 1 << 20) throws -> String {
        let handle = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path)
        guard let handle, let bytes = try? handle.read(upToCount: bytesMax + 1) ?? Data() else {
            throw ValidationError("\(path) cannot be read")
        }
        guard bytes.count <= bytesMax, let text = String(validating: bytes, as: UTF8.self)
        else { throw ValidationError("\(path) is not such a document") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
