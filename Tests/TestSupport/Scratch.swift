import Glibc

/// A directory of a test's own, gone with the value.
///
/// Its path is short, because that of a socket has at most 107 bytes.
package final class Scratch: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/entitld-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made, chmod(made, 0o755) == 0 else { throw Failure(call: "mkdtemp", code: errno) }
        path = made
    }

    deinit { Self.remove(path) }

    /// The path of `name` in it.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes `text` to the file `name`; answers its path.
    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try Self.put(Array(text.utf8), at: file(name))
        guard chmod(file(name), mode) == 0 else { throw Failure(call: "chmod", code: errno) }
        return file(name)
    }

    package static func names(in path: String) -> [String] {
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

    package static func remove(_ path: String) {
        for name in names(in: path) {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }

    package static func bytes(of path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw Failure(call: "open \(path)", code: errno) }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        var bytes = [UInt8](repeating: 0, count: status.st_size)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw Failure(call: "read \(path)", code: errno) }
        return bytes
    }

    package static func put(_ bytes: [UInt8], at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw Failure(call: "open \(path)", code: errno) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw Failure(call: "write \(path)", code: errno) }
    }

    /// Puts the files of one directory into another, which is new.
    package static func copy(_ from: String, to: String) throws {
        remove(to)
        guard mkdir(to, 0o700) == 0 else { throw Failure(call: "mkdir \(to)", code: errno) }
        for name in names(in: from) {
            try put(try bytes(of: "\(from)/\(name)"), at: "\(to)/\(name)")
        }
    }

    /// A system call that failed.
    package struct Failure: Error {
        package let call: String
        package let code: Int32

        package init(call: String, code: Int32) {
            self.call = call
            self.code = code
        }
    }
}
