/// Who is at the other end of a socket, as the kernel attested when the connection was made.
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

    /// A caller.
    package init(uid: UInt32, gid: UInt32, pid: Int32, role: Role) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.role = role
    }
}
