import Glibc

/// What a server process has used, from /proc.
package struct ServerMeter: Sendable {
    /// One look.
    package struct Reading: Sendable {
        /// Nanoseconds on a processor, all threads together.
        package var processorNanoseconds: Int64 = 0
        /// Memory that is in no file: what the process costs beside its map.
        package var anonymousBytes: Int64 = 0
        /// Memory of files, the map among them.
        package var fileBytes: Int64 = 0
        /// Calls of malloc and its kin, where they are counted.
        package var allocations: Int64 = 0
    }

    private let process: Int32
    private let counter: String?

    /// A meter of the process with this id.
    ///
    /// - Parameters:
    ///   - process: its id.
    ///   - counter: the file of 8 bytes in which the process counts what it allocates.
    package init(process: Int32, counter: String? = nil) {
        self.process = process
        self.counter = counter
    }

    /// What it has used until now; zeros where it is gone.
    package func reading() -> Reading {
        var reading = Reading()
        for thread in Self.names(in: "/proc/\(process)/task") {
            let words = Self.text(of: "/proc/\(process)/task/\(thread)/schedstat")
                .split(separator: " ")
            reading.processorNanoseconds += words.first.flatMap { Int64($0) } ?? 0
        }
        for line in Self.text(of: "/proc/\(process)/status").split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, let kilobytes = Int64(words[1]) else { continue }
            if words[0] == "RssAnon:" { reading.anonymousBytes = kilobytes << 10 }
            if words[0] == "RssFile:" { reading.fileBytes = kilobytes << 10 }
        }
        reading.allocations = counter.map(Self.count) ?? 0
        return reading
    }

    private static func count(in path: String) -> Int64 {
        guard let file = fopen(path, "r") else { return 0 }
        defer { fclose(file) }
        var count: Int64 = 0
        // SAFETY: eight bytes are read into a variable of eight bytes.
        return fread(&count, 8, 1, file) == 1 ? count : 0
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // SAFETY: the kernel ends the name with a zero, within the entry.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
