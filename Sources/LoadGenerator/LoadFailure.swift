/// Why a load could not be run to its end.
package struct LoadFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
