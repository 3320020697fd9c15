import CLinux
import Glibc

/// One segment, opened; knows bytes, not groups.
final class SegmentFile {
    let path: String
    let descriptor: Int32
    /// What was copied here since the last flush of a copy.
    var copiedBytes = 0

    /// Opens a segment that is there.
    init(_ path: String, writing: Bool) throws(JournalFailure) {
        // SAFETY: plain system calls on a descriptor that this object owns.
        let mode = writing ? O_RDWR : O_RDONLY
        let opened = open(path, mode | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw .ofLastCall("open \(path)") }
        self.path = path
        descriptor = opened
    }

    /// Makes a new segment, empty.
    init(creating path: String) throws(JournalFailure) {
        // SAFETY: plain system calls on a descriptor that this object owns.
        let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .ofLastCall("create \(path)") }
        self.path = path
        descriptor = opened
    }

    deinit {
        // SAFETY: the descriptor is owned by this object and closed once.
        close(descriptor)
    }

    /// The file's size.
    func byteCount() throws(JournalFailure) -> Int {
        var status = stat()
        // SAFETY: fstat fills the structure it is given.
        guard fstat(descriptor, &status) == 0 else { throw .ofLastCall("stat \(path)") }
        return status.st_size
    }

    /// Fills `buffer` from `offset` on; answers how much there was before the end of the file.
    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(JournalFailure) -> Int {
        var done = 0
        while done < buffer.count {
            // SAFETY: only the rest of the buffer is filled.
            let count = pread(
                descriptor,
                buffer.baseAddress.map { $0 + done },
                buffer.count - done,
                offset + done
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .ofLastCall("read \(path)") }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all of `bytes` at `offset`, or throws after having written some of it.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(JournalFailure) {
        var done = 0
        while done < bytes.count {
            // SAFETY: only the rest of the bytes is read.
            let count = pwrite(
                descriptor,
                bytes.baseAddress.map { $0 + done },
                bytes.count - done,
                offset + done
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw count < 0 ? .ofLastCall("write \(path)") : .io(errno: EIO, "write \(path)")
            }
            done += count
        }
    }

    /// Writes zeros over `range`.
    func zero(_ range: Range<Int>) throws(JournalFailure) {
        let zeros = [UInt8](repeating: 0, count: min(range.count, Limits.zeroPieceBytes))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(zeros.count, range.upperBound - offset)
            var failure: JournalFailure?
            // SAFETY: the array outlives the call; `count` is at most its size.
            zeros.withUnsafeBytes { bytes in
                do throws(JournalFailure) {
                    try write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            offset += count
        }
    }

    /// Writes the bytes of `range` again where they stand, so that the next flush takes them to the
    /// disk, whatever became of the write before.
    func renew(_ range: Range<Int>) throws(JournalFailure) {
        var piece = [UInt8](repeating: 0, count: min(range.count, Limits.windowBytesMax))
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = min(piece.count, range.upperBound - offset)
            var failure: JournalFailure?
            // SAFETY: the array outlives the call; `wanted` is at most its size.
            piece.withUnsafeMutableBytes { bytes in
                let buffer = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
                do throws(JournalFailure) {
                    guard try read(at: offset, into: buffer) == wanted else {
                        throw .io(errno: EIO, "\(path) ends too early")
                    }
                    try write(UnsafeRawBufferPointer(buffer), at: offset)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            offset += wanted
        }
    }

    /// Waits until what was written is on the disk.
    ///
    /// fdatasync(2): the size counts as data, times do not.
    func flush() throws(JournalFailure) {
        // SAFETY: a plain system call on the descriptor of this object.
        guard fdatasync(descriptor) == 0 else { throw .ofLastCall("flush \(path)") }
    }

    /// Whether a name still leads to the file; what has none is gone with the process.
    func isNamed() throws(JournalFailure) -> Bool {
        let count = linux_link_count(descriptor)
        guard count >= 0 else { throw .io(errno: Int32(-count), "stat \(path)") }
        return count > 0
    }

    /// Cuts the file; gives blocks back.
    func cut(to byteCount: Int) throws(JournalFailure) {
        // SAFETY: a plain system call on the descriptor of this object.
        guard ftruncate(descriptor, byteCount) == 0 else { throw .ofLastCall("cut \(path)") }
    }
}
