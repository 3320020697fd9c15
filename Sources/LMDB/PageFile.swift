import CLinux
import Glibc

/// Some bytes of a file, read as little-endian numbers; every access is checked.
struct PageBytes {
    let bytes: [UInt8]

    func u16(_ offset: Int) -> UInt16 {
        UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    }

    func u32(_ offset: Int) -> UInt32 {
        UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16
    }

    func u64(_ offset: Int) -> UInt64 {
        UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32
    }
}

/// A data file opened for looking at it, without a map, so that no size can be a signal.
struct PageFile: ~Copyable {
    let path: String
    let byteCount: Int
    private let descriptor: Int32

    /// Opens the file; nil when it is missing or empty.
    init?(_ path: String) throws(LMDBFailure) {
        // SAFETY: plain system calls on a descriptor that this value owns. LMDB locks lock.mdb, so
        // closing data.mdb drops no lock of its own.
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        if opened < 0, errno == ENOENT { return nil }
        guard opened >= 0 else { throw .ofLastCall("open \(path)") }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let code = errno
            close(opened)
            throw LMDBFailure(code: code, attempt: "stat \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw .damaged("\(path) is not a regular file")
        }
        if status.st_size == 0 {
            close(opened)
            return nil
        }
        self.path = path
        byteCount = status.st_size
        descriptor = opened
    }

    /// The file that `descriptor` has open, whatever became of its name; nil when it is empty.
    init?(of descriptor: Int32, named path: String) throws(LMDBFailure) {
        var status = stat()
        // SAFETY: plain system calls on a descriptor that the caller has open, and on a copy of it
        // that this value owns.
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { throw .ofLastCall("open \(path) again") }
        guard fstat(own, &status) == 0, status.st_size > 0 else {
            close(own)
            return nil
        }
        self.path = path
        byteCount = status.st_size
        self.descriptor = own
    }

    deinit {
        // SAFETY: the descriptor is owned by this value and closed once.
        close(descriptor)
    }

    /// Tells the kernel that `count` bytes at `offset` will be read soon.
    func announce(at offset: Int, count: Int) {
        // SAFETY: a hint about a descriptor that this value owns; nothing depends on it.
        _ = posix_fadvise(descriptor, offset, count, POSIX_FADV_WILLNEED)
    }

    /// `count` bytes at `offset`; nil when the file ends before.
    func bytes(at offset: Int, count: Int) throws(LMDBFailure) -> PageBytes? {
        guard offset >= 0, offset <= byteCount - count else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            // SAFETY: the array outlives the call; only its rest is filled.
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, offset + done)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .ofLastCall("read \(path)") }
            if read == 0 { return nil }
            done += read
        }
        return PageBytes(bytes: bytes)
    }
}

/// The pages of a file that nobody has mapped.
final class FilePages: PageSource {
    let file: PageFile
    let pageBytes: Int

    init(_ file: consuming PageFile, pageBytes: Int) {
        self.file = file
        self.pageBytes = pageBytes
    }

    /// How many whole pages the file has.
    var count: Int { file.byteCount / pageBytes }

    func page<R>(
        _ number: UInt64,
        _ body: (TreePage) throws(LMDBFailure) -> R
    ) throws(LMDBFailure) -> R {
        let bytes = try bytes(ofPage: number)
        var result: Result<R, LMDBFailure> = .failure(.closed)
        bytes.withUnsafeBytes { bytes in
            result = Result { () throws(LMDBFailure) in
                try body(TreePage(number: number, bytes: bytes))
            }
        }
        return try result.get()
    }

    func sum(ofPage number: UInt64) throws(LMDBFailure) -> UInt32 {
        try bytes(ofPage: number)
            .withUnsafeBytes { linux_page_sum(number, $0.baseAddress, $0.count) }
    }

    private func bytes(ofPage number: UInt64) throws(LMDBFailure) -> [UInt8] {
        guard number >= 2, number < UInt64(count),
            let page = try file.bytes(at: Int(number) * pageBytes, count: pageBytes)
        else { throw .damaged("page \(number) is behind the end of the file") }
        return page.bytes
    }
}
