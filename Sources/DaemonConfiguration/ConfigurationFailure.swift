/// Why the daemon cannot start, or keeps its former settings: one sentence that names the key.
///
/// A program that ends for it ends with exit code 78.
package struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The dotted key, such as `rpc.maxFrameBytes`; the file's path where no key is to blame.
    package let key: String

    /// One sentence for the operator; it names the key and never shows a secret.
    package let sentence: String

    /// Blames `key`: the sentence is the key followed by `problem`.
    static func wrong(_ key: String, _ problem: String) -> ConfigurationFailure {
        ConfigurationFailure(key: key, sentence: "\(key) \(problem).")
    }

    /// Says that `key` must have a value.
    static func missing(_ key: String) -> ConfigurationFailure { wrong(key, "is missing") }

    /// The sentence.
    package var description: String { sentence }
}
