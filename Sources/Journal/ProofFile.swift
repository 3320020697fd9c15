import Glibc

/// The file beside the segments that says which group was the last to be flushed.
///
/// It is written after each flush and before anybody is told, so that it is there after a crash of
/// the process at any moment. It is flushed itself only when there is time: see law J7 of
/// `SegmentWriter`.
final class ProofFile {
    static let name = "proof"

    private let file: SegmentFile
    /// Whether something was written that was not flushed.
    private(set) var isDirty = false

    /// Opens the file in `directory`, or makes it.
    init(in directory: SegmentDirectory) throws(JournalFailure) {
        let path = Self.path(in: directory)
        // SAFETY: access reads the path only.
        if access(path, F_OK) == 0 {
            file = try SegmentFile(path, writing: true)
        } else {
            file = try SegmentFile(creating: path)
        }
        // Written once, so that a later write takes no space and a flush costs no metadata.
        if try file.byteCount() < Limits.blockBytes {
            try file.zero(0..<Limits.blockBytes)
            try file.flush()
            try directory.flush()
        }
    }

    static func path(in directory: SegmentDirectory) -> String {
        "\(directory.path)/\(name)"
    }

    /// The proof in `directory`; nil where there is none, or none that can be read.
    ///
    /// A proof that has rotted is no proof, and never a reason to refuse a sound journal.
    static func read(in directory: SegmentDirectory) throws(JournalFailure) -> JournalProof? {
        let path = path(in: directory)
        // SAFETY: access reads the path only.
        guard access(path, F_OK) == 0 else { return nil }
        let file = try SegmentFile(path, writing: false)
        var proof: JournalProof?
        withUnsafeTemporaryAllocation(byteCount: JournalProof.bytes, alignment: 8) { bytes in
            guard (try? file.read(at: 0, into: bytes)) == bytes.count else { return }
            proof = JournalProof(UnsafeRawBufferPointer(bytes))
        }
        return proof
    }

    /// Writes `proof`, without waiting for the disk.
    func put(_ proof: JournalProof) throws(JournalFailure) {
        var failure: JournalFailure?
        withUnsafeTemporaryAllocation(byteCount: JournalProof.bytes, alignment: 8) { bytes in
            proof.encode(into: bytes)
            do throws(JournalFailure) {
                try file.write(UnsafeRawBufferPointer(bytes), at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        isDirty = true
    }

    /// Waits until what was written is on the disk.
    func flush() throws(JournalFailure) {
        guard isDirty else { return }
        try file.flush()
        isDirty = false
    }
}
