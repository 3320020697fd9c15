import DaemonConfiguration
import HTTPServer
import Logging
import Methods
import RemoteAPI
import Sockets
import Telemetry
import Webhooks
import Wire

/// How each door is opened.
extension Daemon {
    static func startSockets(
        _ settings: Settings,
        _ share: DescriptorShare,
        _ service: MethodService
    ) throws -> RPCServer {
        var configuration = RPCServer.Configuration(settings.rpc)
        configuration.sockets[0].connectionsMax = share.sockets
        configuration.sockets[1].connectionsMax = share.admin
        do {
            return try RPCServer.start(configuration, service)
        } catch {
            throw Stop(error)
        }
    }

    /// Refuses to start beside another daemon before the file of shared answers is opened: that
    /// one's readers would take it for theirs.
    static func expectFree(_ socket: String) throws(Stop) {
        do {
            try SocketFile.expectFree(socket)
        } catch {
            throw Stop(error)
        }
    }

    static func startWebhook(
        _ settings: Settings,
        _ share: DescriptorShare,
        _ metrics: Metrics,
        _ logger: Logger,
        _ routes: [WebhookRoute]
    ) async throws -> WebhookListener? {
        guard let webhook = settings.webhook else { return nil }
        var configuration = WebhookConfiguration(webhook)
        configuration.limits.connectionsMax = share.http
        do {
            return try await WebhookListener.start(
                configuration: configuration,
                metrics: metrics,
                logger: logger,
                routes: routes
            )
        } catch {
            throw Stop.configuration("webhook.listen \(webhook.listen): \(error)")
        }
    }

    static func startHealth(
        _ settings: Settings,
        _ share: DescriptorShare,
        _ metrics: Metrics,
        _ figures: Figures,
        _ service: MethodService
    ) async throws -> MetricsListener? {
        guard let listen = settings.metrics.listen else { return nil }
        var limits = HTTPLimits()
        limits.connectionsMax = share.http
        do {
            return try await MetricsListener.start(
                listen: listen,
                metrics: metrics,
                limits: limits,
                refresh: { figures.refresh() },
                readiness: { await figures.readiness(service, settings) }
            )
        } catch {
            throw Stop.configuration("metrics.listen \(listen): \(error)")
        }
    }

    static func startAPI(
        _ settings: Settings,
        _ share: DescriptorShare,
        _ metrics: Metrics,
        _ logger: Logger,
        _ service: MethodService
    ) async throws -> APIListener? {
        guard let api = settings.api else { return nil }
        var configuration = APIConfiguration(api, frameBytesMax: settings.rpc.maxFrameBytes)
        configuration.limits.connectionsMax = share.http
        do {
            return try await APIListener(configuration, service, metrics: metrics, logger: logger)
        } catch {
            throw Stop.configuration("api.listen \(api.listen): \(error)")
        }
    }
}

extension RPCServer.Configuration {
    /// What the sockets below are called in metrics, in their order.
    static let doorNames = ["app", "admin"]

    /// What the configuration file says.
    ///
    /// The app socket never gives more than app.
    fileprivate init(_ settings: Settings.RPC) {
        self.init(
            sockets: [
                .init(path: settings.socket, mode: UInt32(settings.socketMode), ceiling: .app),
                .init(
                    path: settings.adminSocket,
                    mode: UInt32(settings.adminSocketMode),
                    ceiling: .admin
                ),
            ],
            access: AccessRules(settings),
            threads: settings.threads,
            frameBytesMax: settings.maxFrameBytes
        )
    }
}

extension AccessRules {
    /// What the configuration file says.
    init(_ settings: Settings.RPC) { self.init(settings.access.map(Rule.init)) }
}

extension AccessRules.Rule {
    fileprivate init(_ access: Settings.RPC.Access) {
        let subject: AccessRules.Subject =
            switch access.peer {
            case .user(let uid): .uid(uid)
            case .group(let gid): .gid(gid)
            }
        switch access.role {
        case .reader: self.init(subject, .reader)
        case .app: self.init(subject, .app)
        case .support: self.init(subject, .support)
        case .admin: self.init(subject, .admin)
        }
    }
}
