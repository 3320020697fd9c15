import ArgumentParser
import AsyncHTTPClient
import EntitlementsClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1
import NIOSSL

/// The daemon's HTTPS door: one call at a time, over one connection that is kept.
final class RemoteDoor {
    private let url: String
    private let authorization: String
    private let timeout: Duration
    private let client: HTTPClient
    private var lastID: Int64 = 0

    /// A door at `url` for the holder of the token in `tokenFile`; nothing is asked yet.
    init(
        _ url: String,
        tokenFile: String,
        caFile: String?,
        timeout: Duration
    ) throws(ClientError) {
        let token = try Self.content(of: tokenFile).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError("invalid_params", "\(tokenFile) holds no token", retryable: false)
        }
        authorization = "Bearer \(token)"
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.timeout = timeout
        // A redirect would carry the token to somebody else.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.decompression = .disabled
        // Whoever watches hears something every 15 s.
        configuration.timeout.read = .seconds(90)
        if let caFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            _ = try Self.content(of: caFile)
            tls.trustRoots = .file(caFile)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // It can fail only where it was shut down before.
        try? client.syncShutdown()
    }

    /// Whether a door may be at `url`: without TLS a token would be read on the way.
    static func isURL(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.user == nil
        else { return false }
        let isHere = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
        return parts.scheme == "https" || parts.scheme == "http" && isHere
    }

    /// The result of `method`.
    func call(_ method: String, _ parameters: JSONObject) throws(ClientError) -> JSONValue {
        lastID += 1
        let body = try Reply.body(
            of: method,
            parameters,
            id: lastID,
            bytesMax: ClientLimits.frameBytesCeiling
        )
        let response = try send(body)
        switch response.status.code {
        case 200: break
        case 401: throw Self.unknownToken
        case 429, 503:
            throw ClientError(
                "overloaded",
                "the daemon takes no more for now (HTTP \(response.status.code))",
                retryable: true
            )
        default:
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "HTTP \(response.status.code) came back, which is no reply of entitld",
                retryable: false
            )
        }
        let bytes = response.body.map { Array($0.readableBytesView) } ?? []
        guard let reply = try Reply(bytes) else {
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "no reply came back",
                retryable: false
            )
        }
        return try reply.outcome.get()
    }

    /// Calls `told` with every event of these users, behind the position `fromSeq` or from now on,
    /// for ever; what is lost on the way is asked for again.
    ///
    /// `lost` is called with the reason when nothing comes any more, and without one when it does
    /// again.
    func watch(
        _ users: [String],
        fromSeq: Int64?,
        lost: @escaping @Sendable (String?) -> Void,
        told: @escaping EventReader.Told
    ) throws {
        var names = users.map { URLQueryItem(name: "userId", value: $0) }
        if let fromSeq { names.append(URLQueryItem(name: "fromSeq", value: "\(fromSeq)")) }
        var parts = URLComponents(string: url + "/watch")
        parts?.queryItems = names.isEmpty ? nil : names
        // It leaves a plus as it is, which a form reads as a blank.
        let address = (parts?.string ?? url).replacingOccurrences(of: "+", with: "%2B")
        var lastID: Int64?
        while true {
            var request = try HTTPClient.Request(url: address, method: .GET)
            request.headers.add(name: "Authorization", value: authorization)
            if let lastID { request.headers.add(name: "Last-Event-ID", value: "\(lastID)") }
            let reader = EventReader(lastID: lastID) { name, data in
                lost(nil)
                try told(name, data)
            }
            do {
                try client.execute(request: request, delegate: reader).wait()
                if let refusal = reader.refusal { try Self.refuse(refusal) }
                lost("the daemon ended the watch")
            } catch let error as ClientError {
                throw error
            } catch let error as ExitCode {
                throw error
            } catch {
                lost("\(url) cannot be reached: \(Self.words(for: error))")
            }
            lastID = reader.lastID
            Thread.sleep(forTimeInterval: 1)
        }
    }

    private static func refuse(_ refusal: (status: Int, message: String)) throws(ClientError) {
        switch refusal.status {
        case 429, 503: return
        case 401: throw Self.unknownToken
        case 400: throw ClientError("invalid_params", refusal.message, retryable: false)
        default:
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "HTTP \(refusal.status): \(refusal.message)",
                retryable: false
            )
        }
    }

    private func send(_ body: [UInt8]) throws(ClientError) -> HTTPClient.Response {
        do {
            var request = try HTTPClient.Request(url: url + "/rpc", method: .POST)
            request.headers.add(name: "Authorization", value: authorization)
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
            let (seconds, attoseconds) = timeout.components
            let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            return
                try client.execute(
                    request: request,
                    deadline: .now() + .nanoseconds(nanoseconds)
                )
                .wait()
        } catch let error as HTTPClientError where Self.isLate(error) {
            throw ClientError(
                ClientError.LocalName.timedOut,
                "the daemon did not answer in time",
                retryable: true
            )
        } catch {
            throw ClientError(
                ClientError.LocalName.unreachable,
                "\(url) cannot be reached: \(Self.words(for: error))",
                retryable: true
            )
        }
    }

    private static let unknownToken = ClientError(
        ClientError.LocalName.permissionDenied,
        "the daemon does not know this token",
        retryable: false
    )

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: error.shortDescription
        case is NIOSSLError:
            "no TLS, or a certificate that nobody vouches for whom this host trusts (--ca-file)"
        default: "\(error)"
        }
    }

    private static func isLate(_ error: HTTPClientError) -> Bool {
        error == .deadlineExceeded || error == .readTimeout || error == .connectTimeout
    }

    private static func content(of path: String) throws(ClientError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ClientError("invalid_params", "\(path) cannot be read", retryable: false)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
