/// Where one member of an object stands in its text: offsets, so that nothing is copied.
@usableFromInline
package struct JSONMember: BitwiseCopyable, Sendable {
    /// The first byte of the key, behind its quote.
    @usableFromInline package var keyStart: UInt32 = 0
    /// The end of the key, at its closing quote.
    @usableFromInline package var keyEnd: UInt32 = 0
    /// The first byte of the value; of a string, its quote.
    @usableFromInline package var valueStart: UInt32 = 0
    /// One past the last byte of the value.
    @usableFromInline package var valueEnd: UInt32 = 0
    /// Where this member's own members begin in `JSONScanner.innerMembers`, if it is an object.
    @usableFromInline package var innerStart: UInt32 = 0
    /// How many members it has, if it is an object.
    @usableFromInline package var innerCount: UInt16 = 0
    /// Whether the key contains an escape.
    @usableFromInline package var keyIsEscaped = false
    /// Whether the value is a string that contains an escape.
    @usableFromInline package var valueIsEscaped = false

    @usableFromInline
    init() {}
}
