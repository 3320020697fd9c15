import Glibc
import Testing

/// A directory of its own for one test, removed after.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/entitld-ledger-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit { Self.remove(path) }

    /// Where the ledger lives.
    var store: String { path + "/store" }

    static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func remove(_ path: String) {
        for name in names(in: path) {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }

    static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0, "open \(path)")
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        var bytes = [UInt8](repeating: 0, count: status.st_size)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        try #require(count == bytes.count)
        return bytes
    }

    static func put(_ bytes: [UInt8], at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0, "open \(path)")
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        try #require(count == bytes.count)
    }

    static func copyJournal(_ from: String, to: String) throws {
        remove(to + "/journal")
        mkdir(to, 0o700)
        try #require(mkdir(to + "/journal", 0o700) == 0)
        for name in names(in: from + "/journal") {
            try put(try bytes(of: "\(from)/journal/\(name)"), at: "\(to)/journal/\(name)")
        }
    }

    static func copyViews(_ from: String, to: String) throws {
        mkdir(to, 0o700)
        try put(try bytes(of: from + "/data.mdb"), at: to + "/data.mdb")
        unlink(to + "/lock.mdb")
    }

    /// What a machine would find that lost its power now.
    static func copyStore(_ from: String, to: String) throws {
        remove(to)
        try copyViews(from, to: to)
        try copyJournal(from, to: to)
        for base in ["base", "base-copy"] where access("\(from)/\(base)", F_OK) == 0 {
            mkdir("\(to)/\(base)", 0o700)
            guard access("\(from)/\(base)/data.mdb", F_OK) == 0 else { continue }
            try copyViews("\(from)/\(base)", to: "\(to)/\(base)")
        }
    }
}

/// A small file system of its own, or nil, said loudly, where nothing can be mounted.
final class SmallDisk {
    let path: String

    init?(bytes: Int) throws {
        var template = Array("/tmp/entitld-disk-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            print(
                "SKIPPED: a full disk needs a tmpfs, and mounting one needs root (errno \(errno))"
            )
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Takes all that is free but `bytes`.
    func fill(leaving bytes: Int = 0) throws {
        let descriptor = open(path + "/ballast", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(descriptor >= 0)
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        var status = stat()
        fstat(descriptor, &status)
        ftruncate(descriptor, max(0, status.st_size - bytes))
        close(descriptor)
    }

    func empty() { unlink(path + "/ballast") }
}
