/// A value that must not be seen: printing, interpolating or reflecting it shows `***`.
package struct Secret<Value: Sendable>: Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The value itself, for the one place that needs it.
    package let revealed: Value

    /// Hides `value`.
    package init(_ value: Value) {
        revealed = value
    }

    /// Always `***`.
    package var description: String { "***" }

    /// Always `***`.
    package var debugDescription: String { "***" }

    /// Shows no child, so that `dump` tells nothing either.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Equatable where Value: Equatable {}
