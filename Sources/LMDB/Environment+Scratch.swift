import Glibc

extension Environment {
    private static let scratchPrefix = "scratch-"

    /// An environment for rows that are made, looked at and thrown away.
    ///
    /// Its files lie on the file system of `directory` and have no names: they are gone with the
    /// process, however it ends. Nothing of it is flushed, and its pages have no sums: nobody is
    /// answered from it. A transaction keeps the pages that it changes in memory until it ends; the
    /// kernel keeps the others, and takes them away where it needs the memory. It does not read
    /// ahead then: rows come in any order, and of 32 pages that it reads for one the others would
    /// only take the place of those that are needed.
    package static func scratch(
        in directory: String,
        mapSizeBytes: Int
    ) throws(LMDBFailure) -> Environment {
        let number = UInt32.random(in: 1...UInt32.max)
        let place = "\(directory)/\(scratchPrefix)\(getpid())-\(number)"
        // SAFETY: plain system calls that read the path.
        guard mkdir(place, 0o700) == 0, chmod(place, 0o700) == 0 else {
            throw .ofLastCall("create \(place)")
        }
        defer { removeScratch(place) }
        var options = Options(mapSizeBytes: mapSizeBytes, readAhead: false)
        options.isScratch = true
        do throws(LMDBFailure) {
            return try open(directory: place, options: options)
        } catch .noSpaceFloor {
            throw .diskFull
        }
    }

    /// Removes what a crash left in `directory` in the moment in which scratch files had names.
    ///
    /// For whoever has the directory to themselves.
    package static func clearScratch(in directory: String) {
        // SAFETY: the stream is owned here and closed once; entries are copied before the next.
        guard let stream = opendir(directory) else { return }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(scratchPrefix) { names.append(name) }
        }
        closedir(stream)
        for name in names { removeScratch("\(directory)/\(name)") }
    }

    private static func removeScratch(_ place: String) {
        // SAFETY: plain system calls that read paths.
        for name in ["data.mdb", "lock.mdb", "data.sums"] { _ = unlink("\(place)/\(name)") }
        _ = rmdir(place)
    }
}
