/// Where one member of an object stands in its text: offsets, so that nothing is copied.
package struct JSONMember: BitwiseCopyable, Sendable {
    /// The first byte of the key, behind its quote.
    package var keyStart: UInt32 = 0
    /// The end of the key, at its closing quote.
    package var keyEnd: UInt32 = 0
    /// The first byte of the value; of a string, its quote.
    package var valueStart: UInt32 = 0
    /// One past the last byte of the value.
    package var valueEnd: UInt32 = 0
    /// Where this member's own members begin in `JSONScanner.innerMembers`, if it is an object.
    package var innerStart: UInt32 = 0
    /// How many members it has, if it is an object.
    package var innerCount: UInt16 = 0
    /// Whether the key contains an escape.
    package var keyIsEscaped = false
    /// Whether the value is a string that contains an escape.
    package var valueIsEscaped = false

    @usableFromInline
    init() {}
}
