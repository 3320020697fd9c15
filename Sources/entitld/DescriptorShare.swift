import Glibc
import HTTPServer
import Sockets

/// How the doors share the descriptors that the system gives this process.
///
/// A door that has its share turns others away. Without shares clients could take the last one, and
/// a journal that cannot open its next segment ends the process.
struct DescriptorShare: Equatable {
    /// Connections on the app socket.
    let sockets: Int
    /// Connections on the admin socket, which no app can take.
    let admin: Int
    /// Connections of each HTTP listener: webhook, metrics, and the door for callers where it is.
    let http: Int

    /// What the store, histories, backups, threads and questions to the store may have open.
    private static let othersMax = 192
    /// The least that is left for the doors.
    private static let doorsMin = 64

    /// More than every door together may have.
    private static func wanted(_ listeners: Int) -> Int {
        SocketLimits.connectionsMax + SocketLimits.adminConnectionsMax
            + listeners * HTTPLimits().connectionsMax + othersMax
    }

    /// Shares `limit` descriptors among the sockets and so many HTTP listeners; nil where there are
    /// too few.
    init?(of limit: Int, listeners: Int = 2) {
        let doors = limit - Self.othersMax
        guard doors >= Self.doorsMin else { return nil }
        http = min(HTTPLimits().connectionsMax, doors / 8)
        admin = min(SocketLimits.adminConnectionsMax, doors / 8)
        sockets = min(SocketLimits.connectionsMax, doors - listeners * http - admin)
    }

    /// Shares as many as this process may have, which it raises to what the doors can use.
    static func taken(listeners: Int) throws(Stop) -> DescriptorShare {
        let wanted = wanted(listeners)
        var limit = rlimit()
        // SAFETY: getrlimit and setrlimit read and fill the structure.
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let raised = min(limit.rlim_max, rlim_t(wanted))
        if limit.rlim_cur < raised {
            limit.rlim_cur = raised
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let count = Int(clamping: limit.rlim_cur)
        guard let share = DescriptorShare(of: count, listeners: listeners) else {
            let needed = othersMax + doorsMin
            throw .configuration(
                "at most \(count) files may be open here (ulimit -n), and \(needed) are needed"
            )
        }
        makeTable(of: min(count, wanted))
        return share
    }

    /// Has the kernel's table of this process's descriptors hold `count` from the beginning.
    ///
    /// It would grow when a connection is accepted, and where there are several threads that waits
    /// for a grace period of RCU: 10 to 20 ms, in which the thread answers nobody.
    private static func makeTable(of count: Int) {
        // SAFETY: plain system calls on descriptors that this function owns.
        let first = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard first >= 0 else { return }
        let last = fcntl(first, F_DUPFD_CLOEXEC, Int32(count - 1))
        if last >= 0 { close(last) }
        close(first)
    }
}
