/// Why a key, a certificate or a document could not be made.
package struct ForgeryFailure: Error, CustomStringConvertible {
    package let description: String
}
