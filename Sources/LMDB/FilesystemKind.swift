import CLMDB
import Glibc

/// What `statfs` says about the place of a file, as far as memory maps and locks care.
package enum FilesystemKind: Sendable, Equatable {
    /// Maps and locks behave.
    case local
    /// Maps behave as long as nobody writes below; a container's throw-away layer.
    case overlay
    /// Maps or locks are not coherent; LMDB must not be used.
    case refused(name: String)

    /// The kind behind the magic number `type` (statfs(2), linux/magic.h).
    package init(type: Int) {
        switch UInt32(truncatingIfNeeded: type) {
        case 0x6969: self = .refused(name: "NFS")
        case 0x517B, 0xFF53_4D42, 0xFE53_4D42: self = .refused(name: "SMB")
        case 0x0102_1997: self = .refused(name: "9p")
        case 0x6573_5546: self = .refused(name: "FUSE")
        case 0x794C_7630: self = .overlay
        default: self = .local
        }
    }

    /// The kind of the file system that holds `path`.
    package static func of(_ path: String) throws(LMDBFailure) -> FilesystemKind {
        var answer = statfs()
        // SAFETY: statfs fills the structure it is given.
        guard statfs(path, &answer) == 0 else { throw .ofLastCall("statfs \(path)") }
        return FilesystemKind(type: Int(answer.f_type))
    }
}
