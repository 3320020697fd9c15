/// One request, still in its frame's own bytes.
///
/// Valid only until the worker has answered: copy what is kept.
@usableFromInline
package struct RequestView {
    /// The `id` as it was written, to be echoed byte for byte; `null` if there is none to echo.
    @usableFromInline package let idBytes: UnsafeRawBufferPointer
    /// Whether an answer is wanted: false for a notification.
    @usableFromInline package let hasID: Bool
    /// The method's name, escapes decoded.
    @usableFromInline package let method: UnsafeRawBufferPointer
    /// The parameters.
    @usableFromInline package let params: ParamsView
    /// Why this is no request; nil if it is one.
    package let fault: RequestFault?

    /// A copy of the id, for an answer that comes later.
    package var id: [UInt8] { Array(idBytes) }

    /// Whether the method's name is `name`.
    @inlinable
    package func isMethod(_ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard method.count == count else { return false }
        var index = 0
        while index < count {
            if method[index] != name.utf8Start[index] { return false }
            index += 1
        }
        return true
    }

    /// The method's name.
    package var methodName: String { String(decoding: method, as: UTF8.self) }
}
