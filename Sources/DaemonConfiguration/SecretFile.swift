import Glibc

/// A file with a secret in it, found and readable by us alone when it was checked.
package struct SecretFile: Sendable, Equatable {
    /// The key that names the file.
    package let key: String
    /// Where the file is.
    package let path: String
    /// Whether systemd keeps it in `$CREDENTIALS_DIRECTORY`.
    package let isCredential: Bool

    /// Reads the file, refusing one that others can read.
    package func read() throws(ConfigurationFailure) -> Secret<[UInt8]> {
        let forbidden = isCredential ? SecretFile.othersBits : SecretFile.groupAndOthersBits
        return Secret(
            try readFile(
                path,
                key: key,
                bytesMax: ConfigurationLimits.secretBytesMax,
                forbidden: forbidden
            )
        )
    }

    // systemd gives a credential to a service's user by an access list, whose mask shows as the
    // group's bits; its directory lets nobody else in.
    private static let othersBits: mode_t = 0o007
    private static let groupAndOthersBits: mode_t = 0o077
}

/// The bytes of the regular file at `path`, which `key` names.
///
/// First match wins: it cannot be opened, it is no regular file, its mode has a `forbidden` bit
/// (`complaint` says what is wrong with that), it is too long, it cannot be read.
func readFile(
    _ path: String,
    key: String,
    bytesMax: Int,
    forbidden: mode_t = 0,
    complaint: (_ mode: String) -> String = {
        "a secret that others can read (mode 0\($0)); make it 0600"
    }
) throws(ConfigurationFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
        throw .wrong(key, "names \(path), which cannot be read: \(reason(errno))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw .wrong(key, "names \(path), which is no regular file")
    }
    guard status.st_mode & forbidden == 0 else {
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw .wrong(key, "names \(path), \(complaint(mode))")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count >= 0 else {
            if errno == EINTR { continue }
            throw .wrong(key, "names \(path), which cannot be read: \(reason(errno))")
        }
        if count == 0 { return bytes }
        bytes.append(contentsOf: chunk[..<count])
        guard bytes.count <= bytesMax else {
            throw .wrong(key, "names \(path), which is longer than \(bytesMax) bytes")
        }
    }
}

private func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file"
    case EACCES: "permission denied"
    case EISDIR: "it is a directory"
    case ENOTDIR: "a part of the path is no directory"
    case ELOOP: "too many symbolic links"
    default: "error \(code)"
    }
}

/// Whether nothing is at `path`; a file that cannot be reached is not absent.
func isAbsent(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && errno == ENOENT
}
