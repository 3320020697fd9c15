import Glibc

/// What the kernel says about this process, read when asked for.
struct ProcessFigures: Equatable {
    var cpuMicroseconds = 0
    var residentBytes = 0
    var virtualBytes = 0
    var openDescriptors = 0
    var descriptorsMax = 0
    /// Since 1970.
    var startCentiseconds = 0

    /// The figures of the moment; one that cannot be read stays 0.
    ///
    /// From /proc/self alone: the rest of /proc may be hidden from a service.
    static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            let rest = Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
            figures.cpuMicroseconds = seconds * 1_000_000 + rest
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.descriptorsMax = Int(clamping: limit.rlim_cur)
        }
        figures.openDescriptors = openDescriptors()
        let pages = words("/proc/self/statm")
        if pages.count > 1 {
            figures.virtualBytes = (Int(pages[0]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
            figures.residentBytes = (Int(pages[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        }
        figures.startCentiseconds = start
        return figures
    }

    private static func openDescriptors() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without `.`, `..` and the one that reads the directory.
        return max(0, count - 3)
    }

    /// The start of this process, found once.
    ///
    /// Found anew it would follow each step of the clock, and its last digit would change between
    /// two looks: whoever is told of restarts by a change would be told of some that were none.
    private static let start = startCentiseconds()

    /// The 22nd word of stat(5) is the start in ticks since boot; the second, the program's name in
    /// parentheses, may itself have spaces.
    private static func startCentiseconds() -> Int {
        let line = text("/proc/self/stat")
        guard let end = line.lastIndex(of: ")") else { return 0 }
        let words = line[line.index(after: end)...].split(separator: " ")
        guard words.count > 19, let ticks = Int(words[19]) else { return 0 }
        var sinceBoot = timespec()
        var since1970 = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        clock_gettime(CLOCK_REALTIME, &since1970)
        let boot = centiseconds(since1970) - centiseconds(sinceBoot)
        return boot + ticks * 100 / sysconf(Int32(_SC_CLK_TCK))
    }

    private static func centiseconds(_ time: timespec) -> Int {
        time.tv_sec * 100 + time.tv_nsec / 10_000_000
    }

    private static func words(_ path: String) -> [Substring] {
        text(path).split { $0 == " " || $0 == "\n" }
    }

    /// The beginning of a file of /proc, which comes whole with one read.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
