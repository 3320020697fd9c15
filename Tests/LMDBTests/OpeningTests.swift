import Chance
import Glibc
import LMDB
import TestSupport
import Testing

/// The guards of opening: what would be a signal is a sentence.
@Suite struct OpeningTests {
    /// A store with two tables, many pages and a large value, closed; its bytes.
    private func written(_ scratch: Scratch) throws -> [UInt8] {
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        let other = try environment.table("others")
        try environment.fill(table, count: 400)
        try environment.fill(other, count: 40, bytes: 9_000)
        try environment.fill(table, from: 400, count: 10)
        #expect(environment.close())
        return try Scratch.bytes(of: scratch.store + "/data.mdb")
    }

    private func open(_ scratch: Scratch) -> LMDBFailure? {
        failure {
            let environment = try Environment.open(directory: scratch.store, options: options)
            let table = try environment.table("things")
            _ = try environment.read { try $0.bytes(of: key(1), in: table) }
        }
    }

    @Test func `the directory and the files belong to this user alone, whatever the umask`() throws
    {
        let scratch = try Scratch()
        let path = scratch.path + "/a/b/c"
        let environment = try Environment.open(directory: path, options: options)
        #expect(try environment.info().lastCommit == 0)
        for (name, mode) in [
            ("a", 0o700), ("a/b/c", 0o700), ("a/b/c/data.mdb", 0o600), ("a/b/c/lock.mdb", 0o600),
        ] {
            var status = stat()
            #expect(stat("\(scratch.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == mode, "\(name)")
        }
    }

    @Test func `a data file gets its name when it is whole`() throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.store, 0o700) == 0)
        try Scratch.put([1, 2, 3], at: scratch.store + "/data.mdb.partial")
        let watch = inotify_init1(O_NONBLOCK)
        defer { close(watch) }
        let events = UInt32(IN_CREATE | IN_MOVED_TO)
        try #require(inotify_add_watch(watch, scratch.store, events) >= 0)
        let environment = try Environment.open(directory: scratch.store, options: options)
        #expect(environment.close())
        var made: [String: UInt32] = [:]
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            let bytes = read(watch, buffer.baseAddress, buffer.count)
            var offset = 0
            while let start = buffer.baseAddress, offset < bytes {
                let mask = buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
                let length = buffer.load(fromByteOffset: offset + 12, as: UInt32.self)
                let name = start + offset + 16
                made[String(cString: name.assumingMemoryBound(to: CChar.self))] = mask
                offset += 16 + Int(length)
            }
        }
        #expect(made["data.mdb"] == UInt32(IN_MOVED_TO))
        #expect(made["data.mdb.partial"] == UInt32(IN_CREATE))
    }

    @Test func `the lock file has blocks for every reader before LMDB maps it`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        var status = stat()
        #expect(stat(scratch.store + "/lock.mdb", &status) == 0)
        #expect(status.st_size >= 512 * 64)
        #expect(status.st_blocks * 512 >= status.st_size)
        #expect(try environment.info().readersMax >= 512)
    }

    @Test func `data.mdb is not left open for other programs`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let descriptors = Descriptors.open(at: scratch.store + "/data.mdb")
        #expect(!descriptors.isEmpty)
        for descriptor in descriptors {
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        environment.close()
    }

    @Test func `a file cut at any page, or within one, is damaged and never a crash`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let path = scratch.store + "/data.mdb"
        var cuts = Array(stride(from: 4_096, to: bytes.count, by: 4_096))
        cuts += [1, 15, 16, 100, 151, 152, 4_095, 4_097, 8_191, 8_193, bytes.count - 1]
        for cut in cuts {
            try Scratch.put(Array(bytes[..<cut]), at: path)
            #expect(isDamage(open(scratch)), "cut at \(cut)")
            let walked = failure { try Environment.inspect(directory: scratch.store) }
            #expect(isDamage(walked), "cut at \(cut)")
        }
        try Scratch.put(bytes, at: path)
        #expect(open(scratch) == nil)
    }

    @Test func `an empty file is a new one`() throws {
        let scratch = try Scratch()
        _ = try written(scratch)
        try Scratch.put([], at: scratch.store + "/data.mdb")
        #expect(open(scratch) == nil)
    }

    @Test func `garbage in the meta pages is damaged`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let path = scratch.store + "/data.mdb"
        var cases: [[UInt8]] = []
        for page in [0, 4_096] {
            for range in [10..<12, 16..<20, 40..<44, 136..<144, 0..<152, 0..<4_096] {
                var bad = bytes
                for index in range { bad[page + index] = 0xFF }
                cases.append(bad)
                for index in range { bad[page + index] = 0 }
                cases.append(bad)
            }
        }
        cases.append([UInt8](repeating: 0, count: bytes.count))
        cases.append(Array("this is not a data file".utf8))
        for bad in cases {
            try Scratch.put(bad, at: path)
            #expect(isDamage(open(scratch)))
        }
        var later = bytes
        later[20] = 3
        try Scratch.put(later, at: path)
        #expect(open(scratch) == .versionMismatch)
    }

    @Test func `meta pages with swapped contents still open, as the newer one counts`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let path = scratch.store + "/data.mdb"
        var swapped = bytes
        swapped[32..<152] = bytes[4_128..<4_248]
        swapped[4_128..<4_248] = bytes[32..<152]
        try Scratch.put(swapped, at: path)
        #expect(open(scratch) == nil)
        // Whole pages have their numbers in them.
        try Scratch.put(Array(bytes[4_096..<8_192] + bytes[..<4_096] + bytes[8_192...]), at: path)
        #expect(isDamage(open(scratch)))
    }

    @Test func `inspection survives flipped bits, and finds a lost page`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let path = scratch.store + "/data.mdb"
        try Environment.inspect(directory: scratch.store)
        var random = Seed.told()
        var found = 0
        for _ in 0..<400 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bad = bytes
            bad[Int(random >> 20) % bytes.count] ^= 1 << (random >> 60 & 7)
            try Scratch.put(bad, at: path)
            if failure({ try Environment.inspect(directory: scratch.store) }) != nil { found += 1 }
        }
        print("of 400 flipped bits \(found) hurt the tree; the others are the records' business")
        var lost = 0
        for page in 2..<bytes.count / 4_096 {
            var bad = bytes
            for index in 0..<4_096 { bad[page * 4_096 + index] = 0 }
            try Scratch.put(bad, at: path)
            if isDamage(failure { try Environment.inspect(directory: scratch.store) }) { lost += 1 }
        }
        #expect(lost > 15)
    }

    @Test func `a sound file that ends before its last page is opened`() throws {
        let scratch = try Scratch()
        var shorter = 0
        for round in 0..<60 {
            let environment = try Environment.open(directory: scratch.store, options: options)
            let table = try environment.table("things")
            // Pages that are taken and freed within one commit are never written.
            try environment.write { transaction in
                let first = round * 400
                for number in first..<first + 400 {
                    let value = [UInt8](repeating: 1, count: 100 + round * 13)
                    try transaction.put(value, for: key(number), in: table)
                }
                for number in first + round..<first + 400 {
                    _ = try transaction.delete(key(number), in: table)
                }
            }
            let last = try environment.info().lastPage
            #expect(environment.close())
            var status = stat()
            #expect(stat(scratch.store + "/data.mdb", &status) == 0)
            if status.st_size < (last + 1) * 4_096 { shorter += 1 }
        }
        print("\(shorter) of 60 sound files ended before their last page")
        #expect(open(scratch) == nil)
    }

    @Test func `a second environment on the same directory is refused in this process`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        #expect(open(scratch) == .busy(pid: getpid()))
        symlink(scratch.store, scratch.path + "/other")
        let other = failure {
            _ = try Environment.open(directory: scratch.path + "/other", options: options)
        }
        #expect(other == .busy(pid: getpid()))
        environment.close()
        #expect(open(scratch) == nil)
    }

    @Test func `a second lock names the holder, and a released one can be taken`() throws {
        let scratch = try Scratch()
        do {
            let lock = try DirectoryLock(directory: scratch.store)
            let second = failure { _ = try DirectoryLock(directory: scratch.store) }
            #expect(second == .busy(pid: getpid()))
            let text = try Scratch.bytes(of: scratch.store + "/" + DirectoryLock.fileName)
            #expect(String(decoding: text, as: UTF8.self) == "\(getpid())\n")
            extendLifetime(lock)
        }
        let again = try DirectoryLock(directory: scratch.store)
        extendLifetime(again)
    }

    /// Between fork and exec, a child process has copies of all descriptors.
    @Test func `a released lock can be taken while a child has a copy of its descriptors`() throws {
        let scratch = try Scratch()
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let lock = try DirectoryLock(directory: scratch.store)
            let paths = [scratch.store, "\(scratch.store)/\(DirectoryLock.fileName)"]
            copies = (Int32(0)..<1_024).filter { paths.contains(Scratch.target(of: $0)) }
                .map { dup($0) }
            withExtendedLifetime(lock) {}
        }
        #expect(copies.count == 2)
        let again = try DirectoryLock(directory: scratch.store)
        withExtendedLifetime(again) {}
    }

    @Test func `a lock holds though its file is removed or replaced, and under every name`() throws
    {
        let scratch = try Scratch()
        let file = scratch.store + "/" + DirectoryLock.fileName
        let other = scratch.path + "/other"
        let lock = try DirectoryLock(directory: scratch.store)
        symlink(scratch.store, other)
        #expect(failure { _ = try DirectoryLock(directory: other) } == .busy(pid: getpid()))
        for text in ["", "1234\n"] {
            unlink(file)
            let pid = text.isEmpty ? nil : Int32(1234)
            if !text.isEmpty { try Scratch.put(Array(text.utf8), at: file) }
            #expect(failure { _ = try DirectoryLock(directory: scratch.store) } == .busy(pid: pid))
            let reading = failure { _ = try DirectoryLock(reading: scratch.store) }
            #expect(reading == .busy(pid: pid))
        }
        extendLifetime(lock)
    }

    @Test func `those who only read share a lock, with or without its file`() throws {
        let scratch = try Scratch()
        mkdir(scratch.store, 0o700)
        for _ in 0..<2 {
            do {
                let one = try DirectoryLock(reading: scratch.store)
                let two = try DirectoryLock(reading: scratch.store)
                let writing = failure { _ = try DirectoryLock(directory: scratch.store) }
                #expect(
                    writing == .busy(pid: Scratch.names(in: scratch.store).isEmpty ? nil : getpid())
                )
                extendLifetime(one)
                extendLifetime(two)
            }
            // Leaves its file.
            let lock = try DirectoryLock(directory: scratch.store)
            extendLifetime(lock)
        }
    }

    @Test func `remote and user-space file systems are refused, overlays get a warning`() {
        #expect(FilesystemKind(type: 0x6969) == .refused(name: "NFS"))
        #expect(FilesystemKind(type: 0x517B) == .refused(name: "SMB"))
        #expect(FilesystemKind(type: 0xFF53_4D42) == .refused(name: "SMB"))
        #expect(FilesystemKind(type: 0xFE53_4D42) == .refused(name: "SMB"))
        #expect(FilesystemKind(type: 0x0102_1997) == .refused(name: "9p"))
        #expect(FilesystemKind(type: 0x6573_5546) == .refused(name: "FUSE"))
        #expect(FilesystemKind(type: 0x794C_7630) == .overlay)
        #expect(FilesystemKind(type: 0xEF53) == .local)
        #expect(FilesystemKind(type: 0x0102_1994) == .local)
    }

    @Test func `a path that is no directory is denied`() throws {
        let scratch = try Scratch()
        try Scratch.put([1], at: scratch.path + "/file")
        let found = failure {
            _ = try Environment.open(directory: scratch.path + "/file", options: options)
        }
        #expect(found == .denied(errno: ENOTDIR, path: scratch.path + "/file"))
    }
}

/// Larger files: not every leaf is read at opening, but every pointer is followed.
@Suite struct LargeFileTests {
    @Test func `a large file that lost its end is damaged, and a whole one is opened`() throws {
        let scratch = try Scratch()
        let path = scratch.store + "/data.mdb"
        var wide = options
        wide.mapSizeBytes = 256 << 20
        do {
            let environment = try Environment.open(directory: scratch.store, options: wide)
            let table = try environment.table("things")
            try environment.fill(table, count: 24_000, bytes: 1_900)
        }
        var status = stat()
        #expect(stat(path, &status) == 0)
        try #require(status.st_size > 40 << 20)
        do {
            let environment = try Environment.open(directory: scratch.store, options: wide)
            let table = try environment.table("things")
            #expect(try environment.value(key(23_999), in: table)?.count == 1_900)
        }
        for lost in [4_096, 1 << 20, 20 << 20] {
            #expect(truncate(path, status.st_size - lost) == 0)
            let found = failure {
                _ = try Environment.open(directory: scratch.store, options: wide)
            }
            #expect(isDamage(found), "\(lost) bytes lost")
        }
    }

    @Test func `an overlay file system is reported, not refused`() throws {
        let scratch = try Scratch()
        guard let disk = try SmallDisk(bytes: 8 << 20) else { return }
        for name in ["lower", "upper", "work"] { mkdir("\(disk.path)/\(name)", 0o700) }
        mkdir(scratch.store, 0o700)
        let layers =
            "lowerdir=\(disk.path)/lower,upperdir=\(disk.path)/upper,workdir=\(disk.path)/work"
        guard mount("overlay", scratch.store, "overlay", 0, layers) == 0 else {
            print("SKIPPED: no overlay file system can be mounted here (errno \(errno))")
            return
        }
        defer { umount2(scratch.store, Int32(MNT_DETACH)) }
        let environment = try Environment.open(directory: scratch.store, options: options)
        #expect(environment.warnings == [.overlayFilesystem])
        environment.close()
    }
}

extension Scratch {
    /// What an open descriptor is of; empty where it is closed.
    fileprivate static func target(of descriptor: Int32) -> String {
        var bytes = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
        let text = bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self)
    }
}
