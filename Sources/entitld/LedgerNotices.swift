import Ledger
import Logging
import Telemetry

/// Brings what the writer tells to the metrics and the log.
struct LedgerNotices: Sendable {
    let metrics: Metrics
    let logger: Logger

    func tell(_ notice: LedgerNotice) {
        switch notice {
        case .stored(let commands, let nanoseconds):
            metrics.commitBatch.observe(commands)
            metrics.commitDuration.observe(nanoseconds)
        case .tornTailCut:
            logger.warning("The journal ended in a group that nobody was told of; it was cut")
        case .replayed(let count):
            logger.notice("The views were behind the journal", fields: [.count: "\(count)"])
        case .unknownProduct(let product):
            logger.warning(
                "No plan or pack of the catalog names this product: it gives no access",
                fields: [.product: product]
            )
        case .clockJumped: logger.warning("The clock jumped; writes wait until it has held")
        case .storageFull: logger.error("Writes are refused for want of space; reads go on")
        case .storageBack: logger.warning("Writes are taken again")
        }
    }
}

extension Logger {
    fileprivate func notice(_ message: Logger.Message, fields: [LogKey: String]) {
        log(level: .notice, message, fields: fields)
    }
}
