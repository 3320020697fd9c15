// EntitlementsClient is the library with which a Swift program asks the daemon.
//
// In reading order:
//   EntitlementsClient  below: one client for a process; +Questions, +History, +Commands,
//                       +Credits, +Stores, +Admin and +Upkeep are its calls
//   RenderAnswer        the answer to canRender; a result is one type in the file of its name
//   ClientError         why a call has no result, and whether to repeat it
//   Exchange            the thread that carries calls; InFlight has those that wait
//   Line                a connection that many calls share; Connection is for programs that block
//   RemoteDoor          the HTTPS door, from another host; DoorExchange carries calls to it
//   EntitlementWatch    changes as they happen; WatchFeed outlives its connection
//
// Its laws:
//   1. Only what is safe to repeat is sent again after a lost connection.
//   2. Every call ends by its deadline.
//   3. Words that a newer daemon may add are kept as text, and are no failure.
//
// It never answers for the daemon: where none can be asked, canRender throws.

import JSON

/// Asks entitld what users may do, over its Unix socket or, from another host, over HTTPS.
///
/// One client is meant to be shared by a whole process: its calls travel on one connection, many
/// at a time, and each reply finds its caller. The connection is made with the first call, and
/// made again after it was lost. Until their deadline, calls wait for a daemon that restarts;
/// reads, and writes that are safe to repeat, are sent again after a lost connection, others end
/// with `connection_lost`. Replies to reads and writes may overtake each other.
///
/// When the daemon cannot be asked, `canRender` throws and does not answer: whether the user may
/// go on then is the caller's decision.
public final class EntitlementsClient: Sendable {
    /// The socket for app servers, where the daemon's configuration does not name another.
    public static let defaultSocketPath = "/run/entitld/entitld.sock"

    /// The socket for admins, where the daemon's configuration does not name another.
    public static let defaultAdminSocketPath = "/run/entitld/admin.sock"

    let place: DaemonPlace
    let frameBytesMax: Int
    let writeTimeout: Duration
    let storeTimeout: Duration

    private let exchange: any CallCarrier
    let readTimeout: Duration

    /// A client of the daemon that listens at `socketPath`; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - socketPath: Where the daemon listens. Grants need the admin socket.
    ///   - readTimeout: How long a question may take.
    ///   - writeTimeout: How long a command, or a question about the past, may take.
    ///   - storeTimeout: How long a call may take for which the daemon may ask a store, and other
    ///     slow calls.
    ///   - frameBytesMax: The daemon's `rpc.maxFrameBytes`.
    /// - Throws: `unreachable` when this process has no descriptor left.
    public convenience init(
        socketPath: String = EntitlementsClient.defaultSocketPath,
        readTimeout: Duration = .milliseconds(250),
        writeTimeout: Duration = .seconds(2),
        storeTimeout: Duration = .seconds(30),
        frameBytesMax: Int = 1_048_576
    ) throws(ClientError) {
        self.init(
            at: .socket(socketPath),
            by: try Exchange(path: socketPath, frameBytesMax: frameBytesMax),
            timeouts: (readTimeout, writeTimeout, storeTimeout),
            frameBytesMax: frameBytesMax
        )
    }

    /// A client of the daemon whose HTTPS door is at `url`, from another host; nothing is connected
    /// yet.
    ///
    /// - Parameters:
    ///   - url: `https://HOST:PORT`; `http` only to this host.
    ///   - token: Who asks; what its role does not allow is `permission_denied`.
    ///   - caFile: The certificate to trust, in PEM; those of the system where absent.
    ///   - readTimeout: How long a question may take.
    ///   - writeTimeout: How long a command, or a question about the past, may take.
    ///   - storeTimeout: How long a call may take for which the daemon may ask a store, and other
    ///     slow calls.
    ///   - frameBytesMax: The daemon's `rpc.maxFrameBytes`.
    /// - Throws: `invalid_params` where `url`, `token` or `caFile` cannot be.
    public convenience init(
        url: String,
        token: String,
        caFile: String? = nil,
        readTimeout: Duration = .seconds(1),
        writeTimeout: Duration = .seconds(2),
        storeTimeout: Duration = .seconds(30),
        frameBytesMax: Int = 1_048_576
    ) throws(ClientError) {
        let door = try RemoteDoor(url, token: token, caFile: caFile)
        self.init(
            at: .door(door),
            by: DoorExchange(door, frameBytesMax: frameBytesMax),
            timeouts: (readTimeout, writeTimeout, storeTimeout),
            frameBytesMax: frameBytesMax
        )
    }

    private init(
        at place: DaemonPlace,
        by exchange: any CallCarrier,
        timeouts: (read: Duration, write: Duration, store: Duration),
        frameBytesMax: Int
    ) {
        self.place = place
        self.exchange = exchange
        (readTimeout, writeTimeout, storeTimeout) = timeouts
        self.frameBytesMax = frameBytesMax
    }

    deinit { exchange.close() }

    /// Ends the connection; waiting and later calls throw `closed`.
    public func close() { exchange.close() }

    /// A question; its answer is the member `member` of the result, or all of it.
    ///
    /// A call that `isSlow` may take `storeTimeout`, and quick ones do not wait behind it.
    func read<Answer: Decodable>(
        _ method: String,
        _ parameters: JSONObject,
        member: String? = nil,
        timeout: Duration? = nil,
        isSlow: Bool = false
    ) async throws(ClientError) -> Answer {
        let result = try await result(
            of: method,
            parameters,
            timeout: timeout ?? (isSlow ? storeTimeout : readTimeout),
            isSlow: isSlow
        )
        guard let member else { return try JSONValue.object(result).decoded(of: method) }
        return try (result[member] ?? .null).decoded(of: "\(method).\(member)")
    }

    /// A command without a key.
    func write<Answer: Decodable>(
        _ method: String,
        _ parameters: JSONObject,
        timeout: Duration? = nil,
        isSlow: Bool = false
    ) async throws(ClientError) -> Answer {
        let result = try await result(
            of: method,
            parameters,
            timeout: timeout ?? (isSlow ? storeTimeout : writeTimeout),
            isSlow: isSlow
        )
        return try JSONValue.object(result).decoded(of: method)
    }

    /// A command under `key`, which every repetition of it carries; its answer, or its error, names
    /// the key too.
    func write<Answer: Decodable>(
        _ method: String,
        _ parameters: JSONObject,
        under key: String
    ) async throws(ClientError) -> Answer {
        var parameters = parameters
        parameters["idempotencyKey"] = .string(key)
        do {
            var result = try await result(of: method, parameters, timeout: writeTimeout)
            result["idempotencyKey"] = .string(key)
            return try JSONValue.object(result).decoded(of: method)
        } catch {
            var error = error
            error.idempotencyKey = key
            throw error
        }
    }

    /// What `method` answers; it is sent again where that does no harm, or under its key.
    package func result(
        of method: String,
        _ parameters: JSONObject,
        timeout: Duration,
        isSlow: Bool = false
    ) async throws(ClientError) -> JSONObject {
        let result = try await exchange.call(
            method,
            parameters,
            isRepeatable: RepeatableMethods.names.contains(method)
                || parameters["idempotencyKey"] != nil,
            timeout: timeout,
            isSlow: isSlow
        )
        guard let object = result.object else {
            throw .malformedReply("the result of \(method) is not what is documented")
        }
        return object
    }
}
