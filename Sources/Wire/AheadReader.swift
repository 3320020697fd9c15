import JSON

/// Checks frames ahead of the thread that answers them.
///
/// Used by one thread at a time: whoever has checked a frame hands this over together with it, and
/// leaves it alone until it is given back.
package final class AheadReader: @unchecked Sendable {
    // SAFETY: used by one thread at a time, which hands it over with the frame.
    var reader = RequestReader()
    var shape: Result<RequestReader.Shape, JSONFailure> = .failure(.truncated(at: 0))

    /// A reader that has checked nothing.
    package init() {}

    /// Checks `frame`, which has to stay where it is until it was answered.
    package func check(_ frame: UnsafeRawBufferPointer) {
        do throws(JSONFailure) {
            shape = .success(try reader.shape(of: frame))
        } catch {
            shape = .failure(error)
        }
    }

    /// How many requests it has; what is no request counts as one.
    package var requests: Int {
        guard case .success(.batch(let elements)) = shape else { return 1 }
        return max(1, elements)
    }

    /// Forgets the last frame, and gives back the memory that checking it took.
    package func forget() { reader = RequestReader() }
}
