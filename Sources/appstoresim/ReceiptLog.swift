import AppStoreSimulator
import Foundation
import Synchronization

/// A file of receipts, one JSON object a line, each written whole.
final class ReceiptLog: Sendable {
    private let file: Mutex<FileHandle>

    /// A new file at `path`.
    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw DirectoryFailure(description: "\(path) cannot be written") }
        file = Mutex(handle)
    }

    /// Adds a line.
    func write(_ receipt: SimulatedStore.Receipt) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(receipt) else { return }
        file.withLock { $0.write(line + [UInt8(ascii: "\n")]) }
    }
}
