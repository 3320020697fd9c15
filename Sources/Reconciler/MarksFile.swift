import Entitlements
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

extension MarksFile {
    /// Notes that the histories of `keys` must still be read; returns false and notes nothing if
    /// there is no room for them.
    func owe(_ keys: Set<SubscriptionKey>) -> Bool {
        guard !marks.histories.isSuperset(of: keys) else { return true }
        var hasRoom = false
        change { marks in
            let all = marks.histories.union(keys)
            hasRoom = all.count <= ReconcilerLimits.historiesOwedMax
            if hasRoom { marks.histories = all }
        }
        return hasRoom
    }

    /// Notes that the histories of `keys` need not be read any more.
    func settle(_ keys: Set<SubscriptionKey>) {
        guard !marks.histories.isDisjoint(with: keys) else { return }
        change { $0.histories.subtract(keys) }
    }
}
