import Glibc
import HTTPServer
import Methods
import Sockets
import Webhooks
import Wire

/// What the limits let the daemon's memory grow to, under the default configuration.
///
/// `MemoryMax=` of the unit follows from the sum, and docs/sizing.md shows it; tests hold the three
/// together. A larger `rpc.maxFrameBytes` or `rpc.threads` needs more.
enum MemoryPlan {
    /// One part of the sum.
    struct Part {
        /// As docs/sizing.md calls it.
        let name: String
        let bytes: Int
    }

    /// Beside the doors: memtable, queues, caches, stacks, the program itself.
    static let restBytes = 64 << 20
    /// What the kernel charges for a socket that is not read: its send buffer, doubled for its own
    /// bookkeeping, and passed by half of that.
    static let kernelShare = 3
    /// A connection that holds nothing: its slot, its session, and what the methods keep for it.
    static let connectionBytes = 2 << 10
    /// What reading one frame takes: the trees of lists of small values, times its bytes.
    static let frameFactor = 64
    /// A webhook connection without the body: TLS, the parser, bytes read ahead.
    ///
    /// Measured: 280 KiB each, where 512 connections over TLS had a megabyte on its way.
    static let webhookBytes = 320 << 10
    /// A body grows by doubling, so the memory for it may be twice as long as what has come.
    static let growth = 2
    /// What upkeep may take at a time: a history's page, a backup, an erasure.
    static let upkeepBytes = 256 << 20
    /// Pages of the views and of the journal.
    ///
    /// The kernel takes them back when it must, and reads them again: with fewer, checks wait for
    /// the disk.
    static let pagesBytes = 512 << 20

    /// The parts, as docs/sizing.md lists them.
    static var parts: [Part] {
        let (apps, admins) = (SocketLimits.connectionsMax, SocketLimits.adminConnectionsMax)
        let http = HTTPLimits().connectionsMax
        let free = SocketLimits.freeBytesEach + connectionBytes
        let bodies =
            growth * (WebhookLimits.waitingBytesMax + http * WebhookLimits.freeBytesEach)
        let kernel = SocketLimits.sendBufferBytes * kernelShare
        let threads = 2
        return [
            Part(name: "at rest", bytes: restBytes),
            Part(
                name: "app socket, what waits",
                bytes: overdrawn(SocketLimits.totalBytesMax)
            ),
            Part(
                name: "admin socket, what waits",
                bytes: overdrawn(SocketLimits.adminBytesMax)
            ),
            Part(name: "connections of both sockets", bytes: (apps + admins) * free),
            Part(name: "the kernel's buffers for them", bytes: (apps + admins) * kernel),
            Part(
                name: "RPC threads, reading one frame each",
                bytes: threads * frameFactor * WireLimits.frameBytesMax
            ),
            Part(
                name: "news kept for watchers",
                // What is new; what was missed: read now, kept for the next, and not told yet.
                bytes: MethodLimits.watchKeptBytesMax + 3 * MethodLimits.watchPastBytesMax
            ),
            Part(name: "webhook connections", bytes: http * webhookBytes + bodies),
            Part(
                name: "the kernel's buffers for them and for metrics",
                bytes: 2 * http * HTTPLimits.kernelBytesEach
            ),
            Part(name: "upkeep", bytes: upkeepBytes),
            Part(name: "pages of the views and of the journal", bytes: pagesBytes),
        ]
    }

    /// All of it.
    static var sumBytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    private static func overdrawn(_ bytes: Int) -> Int {
        bytes + bytes / SocketLimits.overdraftDivisor
    }
}
