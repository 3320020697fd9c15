import Foundation
import TestSupport
import Wire

@testable import Sockets

/// A server in a directory of its own, stopped and removed at the end.
final class TestServer {
    private let scratch: Scratch
    let path: String
    let adminPath: String
    let service = TestService()
    let server: RPCServer
    private var isStopped = false

    init(
        threads: Int = 2,
        access: AccessRules = AccessRules(),
        frameBytesMax: Int = WireLimits.frameBytesMax,
        change: (inout RPCServer.Configuration) -> Void = { _ in }
    ) throws {
        scratch = try Scratch()
        path = scratch.file("app.sock")
        adminPath = scratch.file("admin.sock")
        var configuration = RPCServer.Configuration(
            sockets: [
                .init(path: path, mode: 0o660, ceiling: .app),
                .init(path: adminPath, mode: 0o600, ceiling: .admin),
            ],
            access: access,
            threads: threads,
            frameBytesMax: frameBytesMax
        )
        change(&configuration)
        server = try RPCServer.start(configuration, service)
    }

    deinit { stop() }

    func stop(deadlineSeconds: Int = 1) {
        guard !isStopped else { return }
        isStopped = true
        server.drain(deadlineSeconds: deadlineSeconds)
    }

    func client() throws -> TestClient {
        guard let client = TestClient(path) else { throw NoConnection() }
        return client
    }

    /// Waits until `condition` holds; false after twenty seconds.
    static func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            usleep(2_000)
        }
        return false
    }

    struct NoConnection: Error {}
}
