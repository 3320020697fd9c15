import Glibc

// Segments that are rewritten all together: copies beside them, a mark once all are on the disk,
// and then one rename after the other.

extension SegmentDirectory {
    static let markName = "copies-hold"

    func copyPath(firstGroup: UInt64) -> String {
        "\(path)/copy-\(Self.name(firstGroup: firstGroup))"
    }

    /// Where a segment is read: in its copy where that holds.
    func readPath(firstGroup: UInt64) -> String {
        let copy = copyPath(firstGroup: firstGroup)
        // SAFETY: access reads the path only.
        return usesCopies && access(copy, F_OK) == 0 ? copy : path(firstGroup: firstGroup)
    }

    private var markPath: String { "\(path)/\(Self.markName)" }

    /// Whether every copy that is there stands for its segment.
    var copiesHold: Bool {
        // SAFETY: access reads the path only.
        access(markPath, F_OK) == 0
    }

    /// From now on the copies that are there stand for their segments.
    func markCopies() throws(JournalFailure) {
        // SAFETY: plain system calls on a descriptor that is closed here, once.
        let descriptor = open(markPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .ofLastCall("create \(markPath)") }
        close(descriptor)
        try flush()
    }

    /// Gives the copies their segments' names, and takes the mark away.
    func replace(_ segments: [UInt64], _ onEach: () -> Void) throws(JournalFailure) {
        for segment in segments {
            try move(copyPath(firstGroup: segment), to: path(firstGroup: segment))
            onEach()
        }
        try remove(markPath)
        try flush()
    }

    /// Finishes what a crash interrupted, or takes back what it left half made.
    func settleCopies() throws(JournalFailure) {
        let copies = try segments()
            .filter { segment in
                // SAFETY: access reads the path only.
                access(copyPath(firstGroup: segment), F_OK) == 0
            }
        if copiesHold { return try replace(copies) {} }
        if copies.isEmpty { return }
        for segment in copies { try remove(copyPath(firstGroup: segment)) }
        try flush()
    }
}
