/// Who is at the other end of a connection: of a socket, as the kernel attested when it was made,
/// or of the HTTPS door, as a token says.
package struct Caller: Sendable, Equatable {
    /// The effective user.
    package let uid: UInt32
    /// The effective primary group.
    package let gid: UInt32
    /// The process.
    ///
    /// Only for logs: numbers are used again.
    package let pid: Int32
    /// What this caller may ask for.
    package let role: Role

    /// The name of the token that was shown; nil on a socket.
    ///
    /// With it, `uid` is a number that no user of the system has.
    package let token: String?

    /// A caller.
    package init(uid: UInt32, gid: UInt32, pid: Int32, role: Role, token: String? = nil) {
        self.token = token
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.role = role
    }
}
