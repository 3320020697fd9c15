import JSON

/// Asks entitld what users may do, over its Unix socket.
///
/// One client is meant to be shared by a whole process: its calls travel on one connection, many
/// at a time, and each reply finds its caller. The connection is made with the first call, and
/// made again after it was lost. Until their deadline, calls wait for a daemon that restarts; reads,
/// and writes that are safe to repeat, are sent again after a lost connection, others end with
/// `connection_lost`. Replies to reads and writes may overtake each other.
///
/// When the daemon cannot be asked, `canRender` throws and does not answer: whether the user may
/// go on then is the caller's decision.
public final class EntitlementsClient: Sendable {
    /// The socket for app servers, where the daemon's configuration does not name another.
    public static let defaultSocketPath = "/run/entitld/entitld.sock"

    /// The socket for admins, where the daemon's configuration does not name another.
    public static let defaultAdminSocketPath = "/run/entitld/admin.sock"

    let socketPath: String
    let frameBytesMax: Int
    let writeTimeout: Duration
    let storeTimeout: Duration

    private let exchange: Exchange
    private let readTimeout: Duration

    /// A client of the daemon that listens at `socketPath`; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - socketPath: Where the daemon listens. Grants need the admin socket.
    ///   - readTimeout: How long a question may take.
    ///   - writeTimeout: How long a command, or a question about the past, may take.
    ///   - storeTimeout: How long a command about purchases may take, for which the daemon may ask
    ///     the store.
    ///   - frameBytesMax: The daemon's `rpc.maxFrameBytes`.
    /// - Throws: `unreachable` when this process has no descriptor left.
    public init(
        socketPath: String = EntitlementsClient.defaultSocketPath,
        readTimeout: Duration = .milliseconds(250),
        writeTimeout: Duration = .seconds(2),
        storeTimeout: Duration = .seconds(30),
        frameBytesMax: Int = 1_048_576
    ) throws(ClientError) {
        self.socketPath = socketPath
        self.frameBytesMax = frameBytesMax
        self.storeTimeout = storeTimeout
        exchange = try Exchange(path: socketPath, frameBytesMax: frameBytesMax)
        self.readTimeout = readTimeout
        self.writeTimeout = writeTimeout
    }

    deinit { exchange.close() }

    /// Ends the connection; waiting and later calls throw `closed`.
    public func close() { exchange.close() }

    func read(
        _ method: String,
        _ parameters: JSONObject,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Members {
        let result = try await exchange.call(
            method,
            parameters,
            isRepeatable: true,
            timeout: timeout ?? readTimeout
        )
        return try Members(result, of: method)
    }

    func write(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Members {
        let result = try await exchange.call(
            method,
            parameters,
            isRepeatable: isRepeatable,
            timeout: timeout ?? writeTimeout
        )
        return try Members(result, of: method)
    }

    /// A command under `key`, which every repetition of it carries, and its error too.
    func write(
        _ method: String,
        _ parameters: JSONObject,
        under key: String
    ) async throws(ClientError) -> Members {
        var parameters = parameters
        parameters["idempotencyKey"] = .string(key)
        do {
            return try await write(method, parameters, isRepeatable: true)
        } catch {
            var error = error
            error.idempotencyKey = key
            throw error
        }
    }
}
