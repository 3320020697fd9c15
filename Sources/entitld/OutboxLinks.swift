import DaemonConfiguration
import Ledger
import Logging
import Methods
import Outbox
import Telemetry
import Wire

extension Configured {
    /// The systems that are told of changes, with what posts to them are signed with, and whom
    /// they may be.
    func receivers() throws -> [ReceiverSettings] {
        var receivers: [ReceiverSettings] = []
        for (index, outbox) in settings.outboxes.enumerated() {
            guard let secrets = WebhookSecret.all(in: try content(of: outbox.secretFile)) else {
                throw Stop.configuration(
                    "\(outbox.secretFile.key) names \(outbox.secretFile.path), which holds no "
                        + "secret: whsec_ and base64 of 24 to 64 bytes, one in a line"
                )
            }
            var roots: ReceiverRoots?
            if let path = outbox.caFile {
                roots = ReceiverRoots(path: path)
                guard roots != nil else {
                    throw Stop.configuration(
                        "outbox[\(index)].caFile names \(path), which holds no certificate in PEM"
                    )
                }
            }
            receivers.append(
                ReceiverSettings(
                    name: outbox.name,
                    url: outbox.url,
                    secrets: secrets,
                    settleSeconds: outbox.settleSeconds,
                    roots: roots
                )
            )
        }
        return receivers
    }
}

/// The outboxes beside the daemon.
enum OutboxLinks {
    /// The outboxes, which begin at once; nil where none is configured.
    static func outbox(
        _ configured: Configured,
        _ ledger: Ledger,
        _ metrics: Metrics,
        _ logger: Logger
    ) throws -> Outbox? {
        let receivers = try configured.receivers()
        guard !receivers.isEmpty else { return nil }
        do {
            return try Outbox(
                receivers,
                in: configured.settings.storage.directory,
                version: Build.version,
                metrics: metrics,
                report: { logger.log($0) },
                reader: { () throws(RPCFailure) in try ChangeReader(ledger) }
            )
        } catch {
            throw Stop(code: 78, sentence: "The outbox cannot begin: \(error)")
        }
    }
}

extension Logger {
    fileprivate func log(_ notice: OutboxNotice) {
        switch notice {
        case .receiverDown(let name, let reason):
            warning(
                "Nothing goes through to a system that is told of changes; it is tried again",
                fields: [.outbox: name, .reason: reason]
            )
        case .receiverUp(let name):
            log(
                level: .notice,
                "A system that is told of changes takes them again",
                metadata: [LogKey.outbox.rawValue: "\(name)"]
            )
        case .parked(let name, let id, let reason):
            error(
                "A change that was not delivered is given up and parked",
                fields: [.outbox: name, .change: id, .reason: reason]
            )
        case .parkedForRoom(let name, let count):
            error(
                "Changes of users whom a system refuses are parked, so that others' go on",
                fields: [.outbox: name, .count: "\(count)"]
            )
        case .retelling(let name):
            log(
                level: .notice,
                "A system is told the states of users, not their changes alone",
                metadata: [LogKey.outbox.rawValue: "\(name)"]
            )
        case .recordUnreadable(let name):
            warning(
                "How far an outbox is cannot be read; the states of all users are told",
                fields: [.outbox: name]
            )
        case .recordUnsaved(let name, let code):
            error(
                "How far an outbox is cannot be written; after a restart it tells some again",
                fields: [.outbox: name, .reason: "errno \(code)"]
            )
        }
    }
}
