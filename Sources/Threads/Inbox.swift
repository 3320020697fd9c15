import Synchronization

/// Any thread can leave an element here without waiting for another thread.
///
/// There is no lock that a thread of lower priority could hold while it is interrupted.
///
/// Emptying it returns everything, oldest first.
@usableFromInline
struct Inbox<Element: Sendable>: ~Copyable, Sendable {
    /// What was left at once, and what had been left before.
    @usableFromInline final class Bundle: @unchecked Sendable {
        // SAFETY: written before the bundle is published, read by whoever took it.
        @usableFromInline let elements: [Element]
        @usableFromInline var before: Unmanaged<Bundle>?

        @usableFromInline init(_ elements: [Element]) { self.elements = elements }
    }

    // SAFETY: each bundle is retained once for being here, and released by whoever takes it.
    @usableFromInline let newest = Atomic<Unmanaged<Bundle>?>(nil)

    @usableFromInline init() {}

    deinit { _ = takeAll() }

    @inlinable var isEmpty: Bool { newest.load(ordering: .sequentiallyConsistent) == nil }

    /// Leaves `elements`; answers whether nothing was there before.
    @inlinable func leave(_ elements: [Element]) -> Bool {
        let bundle = Bundle(elements)
        // SAFETY: `takeAll` releases what is retained here.
        let mine = Unmanaged.passRetained(bundle)
        var before = newest.load(ordering: .relaxed)
        while true {
            bundle.before = before
            let (isDone, found) = newest.weakCompareExchange(
                expected: before,
                desired: mine,
                ordering: .sequentiallyConsistent
            )
            if isDone { return before == nil }
            before = found
        }
    }

    /// Everything that was left, oldest first.
    @inlinable func takeAll() -> [Element] {
        var next = newest.exchange(nil, ordering: .sequentiallyConsistent)
        guard next != nil else { return [] }
        var bundles: [Bundle] = []
        while let taken = next {
            // SAFETY: it was retained by `leave`, and is out of everybody else's reach.
            let bundle = taken.takeRetainedValue()
            next = bundle.before
            bundles.append(bundle)
        }
        if bundles.count == 1 { return bundles[0].elements }
        return bundles.reversed().flatMap(\.elements)
    }
}
