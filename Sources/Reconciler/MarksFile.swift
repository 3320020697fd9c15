import Files
import Glibc
import Synchronization

/// Keeps the marks in a small file in the data directory.
///
/// If the file is lost, the next walk is longer, but no fact is lost.
final class MarksFile: Sendable {
    private let file: SmallFile
    private let present: Mutex<Marks>
    private let report: @Sendable (ReconcilerNotice) -> Void

    /// Reads the marks in `directory` under `name`; begins with none if the file is missing or
    /// cannot be read.
    init(
        in directory: String,
        named name: String,
        _ report: @escaping @Sendable (ReconcilerNotice) -> Void
    ) {
        file = SmallFile(name, in: directory, bytesMax: ReconcilerLimits.marksBytesMax)
        self.report = report
        switch file.contents {
        case .absent: present = Mutex(Marks())
        case .broken:
            present = Mutex(Marks())
            report(.marksUnreadable)
        case .bytes(let bytes):
            let marks = Marks(bytes)
            if marks == nil { report(.marksUnreadable) }
            present = Mutex(marks ?? Marks())
        }
    }

    /// The present marks.
    var marks: Marks { present.withLock { $0 } }

    /// Changes the marks and stores them.
    ///
    /// A failure to store them is reported and not fatal.
    func change(_ edit: (inout Marks) -> Void) {
        let failure = present.withLock { marks -> Int32? in
            edit(&marks)
            return file.replace(with: marks.bytes)
        }
        if let failure { report(.marksUnsaved(String(cString: strerror(failure)))) }
    }
}
