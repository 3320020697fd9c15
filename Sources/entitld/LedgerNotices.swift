import Ledger
import Logging
import Telemetry

/// Brings what the writer tells to the metrics and the log.
struct LedgerNotices: Sendable {
    let metrics: Metrics
    let logger: Logger
    let undated: UndatedProducts

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
        case .rulesChanged(let version):
            logger.warning(
                """
                A release with other rules made these tables: accounts of which nothing is heard \
                keep what it made, until entitld compact --rebuild makes them anew
                """,
                fields: [.rules: "\(version)"]
            )
        case .undatedProduct(let product): undated.tell(product)
        case .clockJumped: logger.warning("The clock jumped; writes wait until it has held")
        case .clockBehind(let milliseconds):
            logger.warning(
                "The clock is behind the journal; reads and writes are judged by the clock",
                fields: [.durationMs: "\(milliseconds)"]
            )
        case .clockAhead(let milliseconds):
            logger.warning(
                """
                The clock is far ahead of the journal: unless the daemon was stopped for so long, \
                it is wrong; nothing more is removed for its age until it has held for a day
                """,
                fields: [.durationMs: "\(milliseconds)"]
            )
        case .storageFull: logger.error("Writes are refused for want of space; reads go on")
        case .storageBack: logger.warning("Writes are taken again")
        case .met(.damaged(let what)):
            logger.error("What is stored is damaged", fields: [.reason: what])
        case .viewsDamaged: break  // The daemon ends, and says so.
        case .met(let failure): logger.error("The ledger failed", fields: [.reason: "\(failure)"])
        case .erasureUnfinished(let reason):
            logger.error(
                "An erasure cannot be finished: files name the person still",
                fields: [.reason: reason]
            )
        }
    }

    /// What the watch over the store saw.
    func tell(_ report: StoreReport) {
        switch report {
        case .oldView(let process, let isOwn, let seconds):
            logger.warning(
                isOwn
                    ? "A view of the store has been held for more than a minute: it keeps pages"
                    : "Another process holds a view of the store: data.mdb grows meanwhile",
                fields: [.pid: "\(process)", .durationMs: "\(seconds * 1_000)"]
            )
        case .staleReaders(let count):
            logger.warning(
                "Processes that read the store had died; what they kept is free again",
                fields: [.count: "\(count)"]
            )
        case .spaceEnds(.map, let days):
            logger.warning(
                "storage.mapSizeGiB is used up in so many days; writes are refused then",
                fields: [.days: "\(days)"]
            )
        case .spaceEnds(.disk, let days):
            logger.warning(
                "The disk is full in so many days; writes are refused then",
                fields: [.days: "\(days)"]
            )
        }
    }

    /// What a scrub found.
    func tell(_ scrub: ScrubReport) {
        switch scrub {
        case .round(let bytes):
            logger.info("Everything stored was read", metadata: [LogKey.bytes.rawValue: "\(bytes)"])
        case .damaged(_, let what):
            logger.error("What is stored is damaged", fields: [.reason: what])
        case .failed(let reason):
            logger.warning("What is stored could not be read", fields: [.reason: reason])
        }
    }

    /// What became of a pruning.
    func tell(_ pruning: Result<PruneReport, LedgerFailure>) {
        let result: String
        switch pruning {
        case .success(.nothing): result = "nothing"
        case .success(.later): result = "later"
        case .success(.noSpace(let bytes)):
            result = "no_space"
            logger.warning(
                "The journal is not pruned: so many bytes must be free",
                fields: [.bytes: "\(bytes)"]
            )
        case .success(.pruned(let segments, let border)):
            result = "pruned"
            logger.notice(
                "The journal was pruned up to this position",
                fields: [.seq: "\(border.seq)", .count: "\(segments)"]
            )
        case .failure(let failure):
            result = "failed"
            logger.error("The journal was not pruned", fields: [.reason: "\(failure)"])
        }
        metrics.prunings.series(result).increment()
    }
}

extension Logger {
    fileprivate func notice(_ message: Logger.Message, fields: [LogKey: String]) {
        log(level: .notice, message, fields: fields)
    }
}
