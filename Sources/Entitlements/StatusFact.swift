/// One version of the store's own word on the state; see `StatusCode`, others survive.
package struct StatusFact: Hashable, Sendable {
    /// Which version this is; the signing time is the notification's.
    package var version: Version
    /// What it means, by Apple's numbers.
    package var code: Int64
    /// How the store itself writes it, where that is not the number.
    package var word: String

    /// The word `code` of this version.
    package init(version: Version, code: Int64, word: String = "") {
        self.version = version
        self.code = code
        self.word = word
    }
}
