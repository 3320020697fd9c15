// Made by contrib/clients/generate.py from proto/openrpc.json.

import FoundationEssentials

/// How the daemon is; the set grows.
public struct DaemonStats: Decodable, Equatable, Sendable {
    /// The journal.
    public struct Journal: Decodable, Equatable, Sendable {
        /// Its size in bytes.
        public let bytes: Int64
        /// The newest position that was pruned; 0 while everything is there.
        public let prunedSeq: Int64
        /// From when on everything is known; nil while everything is there.
        public let oldest: Date?
    }

    /// The tables.
    public struct Views: Decodable, Equatable, Sendable {
        /// The size of the map.
        public let mapBytes: Int64
        /// How much of it is used.
        public let usedBytes: Int64
        /// How many read at the moment.
        public let readers: Int64
    }

    /// What is left of the map, or of the disk.
    public struct Space: Decodable, Equatable, Sendable {
        /// The whole.
        public let bytes: Int64
        /// What is free.
        public let freeBytes: Int64
        /// What is taken in a day, less what is given back; nil in the first hour.
        public let bytesPerDay: Int64?
        /// How many days the rest lasts at that rate; nil where nothing is taken, or in the first
        /// hour.
        public let daysLeft: Int64?
    }

    /// The daemon's version.
    public let version: String
    /// The journal position that the answer reflects.
    public let seq: Int64
    /// For how long it has run.
    public let uptimeSeconds: Int64
    /// Counts the catalogs.
    public let catalogVersion: Int64
    /// The plans of the catalog in force.
    public let plans: [String]
    /// The commands decided since the start.
    public let commands: Int64
    /// The groups in which they were written to disk.
    public let groups: Int64
    /// The commands that wait.
    public let queueDepth: Int64
    /// Whether writes are refused because the disk is full.
    public let storageFull: Bool
    /// How often the clock jumped by more than a minute.
    public let clockJumps: Int64
    /// The journal.
    public let journal: Journal
    /// The tables.
    public let views: Views
    /// The space that is left: `map`, of the views' map, and `disk`.
    public let space: [String: Space]
    /// All of it as the daemon wrote it, with what this version does not name.
    public let json: String
}
