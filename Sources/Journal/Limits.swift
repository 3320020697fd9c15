/// The numbers a journal lives by, each with its unit; tests take smaller ones.
package struct JournalLimits: Sendable, Equatable {
    /// A segment is left for the next one before it grows over this; no group may be larger.
    package var segmentBytesMax: Int
    /// The least that is pre-written at a time, unless even that is not free.
    package var stepBytesMin: Int
    /// The most that is pre-written at a time; commands wait for so long as it takes to the disk.
    package var stepBytesMax: Int

    /// Limits with the usual numbers.
    package init(
        segmentBytesMax: Int = 64 << 20,
        stepBytesMin: Int = 64 << 10,
        stepBytesMax: Int = 2 << 20
    ) {
        precondition(segmentBytesMax >= Limits.blockBytes, "a segment holds at least a block")
        self.segmentBytesMax = segmentBytesMax
        self.stepBytesMin = stepBytesMin
        self.stepBytesMax = stepBytesMax
    }
}

/// The numbers that are the same for every journal.
enum Limits {
    /// Files grow by whole blocks.
    static let blockBytes = 4096

    /// A step is at most this part of what is free.
    static let stepFreeShare = 16

    /// Zeros are written in pieces of this size, which stay near.
    static let zeroPieceBytes = 64 << 10

    /// What a scan reads ahead when it reads whole segments.
    static let windowBytesMax = 1 << 20

    /// Copies are flushed after so much: the flush of an answer waits behind no more than that.
    static let copyFlushBytes = 2 << 20

    /// A search within a segment goes on from group to group once it is so close; also what it
    /// reads ahead.
    static let indexBytesMin = 16 << 10

    /// Segments that a reader has open, the one used last among them.
    static let openSegmentsMax = 8

    /// Places that a reader remembers of one open segment.
    static let placesMax = 512

    /// Groups that a reader remembers, and the bytes that they take together; the newest one
    /// always.
    static let groupsKeptMax = 64
    static let groupsKeptBytesMax = 4 << 20

    /// No segment is larger than this, whatever it claims; memory is taken after this check.
    static let groupBytesMax = 1 << 30

    /// Accounts that one entry may name.
    static let linksMax = Int(UInt16.max)
}
