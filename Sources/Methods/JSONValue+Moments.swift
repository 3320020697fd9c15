import Entitlements
import JSON
import Wire

extension JSONValue {
    /// A moment that can be read back: milliseconds where the calendar has no text for it, null for
    /// none and for `null`.
    static func exact(_ moment: Moment?, null: Moment? = nil) -> JSONValue {
        guard let moment, moment != null else { return .null }
        let text = TimeText.text(moment.milliseconds)
        guard TimeText.parse(text) == moment.milliseconds else {
            return .integer(moment.milliseconds)
        }
        return .string(text)
    }

    /// A moment for people.
    static func time(_ moment: Moment?) -> JSONValue {
        guard let moment, moment != .distantFuture, moment != .distantPast else { return .null }
        return .string(TimeText.text(moment.milliseconds))
    }
}
