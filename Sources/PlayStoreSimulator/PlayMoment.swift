import Foundation

/// Moments as Google writes them.
enum PlayMoment {
    /// RFC 3339 with milliseconds.
    static func text(_ milliseconds: Int64) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(style)
    }
}
