import Foundation

/// Moments as Google writes them.
enum PlayMoment {
    /// RFC 3339 with milliseconds.
    static func text(_ milliseconds: Int64) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The style cuts off what is behind the milliseconds: half of one more keeps them whole.
        let seconds = (Double(milliseconds) + 0.5) / 1_000
        return Date(timeIntervalSince1970: seconds).formatted(style)
    }
}
