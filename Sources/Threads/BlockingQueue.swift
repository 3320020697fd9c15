import Glibc

/// Why a queue does not take something.
@usableFromInline
package enum QueueRefusal: Sendable {
    /// It is full.
    case full
    /// It takes nothing more.
    case closed
}

/// A bounded queue with many senders and receivers that sleep while there is nothing to do.
///
/// Inlinable, so that it is made for the element of each room: every write goes through one.
@usableFromInline
package final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    // SAFETY: initialised in init, destroyed in deinit, used by nobody else; everything below is
    // touched only while the mutex is held.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    @usableFromInline let countMax: Int
    @usableFromInline var elements: [Element] = []
    @usableFromInline var isClosed = false
    @usableFromInline var refusedCount = 0
    /// The next receiver that waits is to return, though nothing has arrived.
    @usableFromInline var isNudged = false
    /// A receiver that gathers sleeps until there are so many; 0 while none gathers.
    @usableFromInline var gathered = 0

    /// A queue that holds at most `countMax` elements.
    package init(countMax: Int) {
        self.countMax = countMax
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(arrived, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(arrived)
        pthread_mutex_destroy(mutex)
        arrived.deallocate()
        mutex.deallocate()
    }

    /// Takes `element` in, or says why not.
    @inlinable
    package func offer(_ element: Element) -> QueueRefusal? {
        offer(contentsOf: [element]).refusal
    }

    /// Takes in the first `taken` of `many`, and says why not the others.
    ///
    /// Each waiting receiver is woken once.
    @inlinable
    package func offer(
        contentsOf many: [Element]
    ) -> (taken: Int, refusal: QueueRefusal?) {
        let (answer, wakes): ((taken: Int, refusal: QueueRefusal?), Bool) = locked {
            if isClosed { return ((0, .closed), false) }
            let taken = min(many.count, countMax - elements.count)
            if taken > 0 { elements.append(contentsOf: many.prefix(taken)) }
            refusedCount += many.count - taken
            let answer = (taken, taken < many.count ? QueueRefusal.full : nil)
            return (answer, taken > 0 && elements.count >= gathered)
        }
        // Behind the lock: on one core who is woken would run at once, only to wait for it.
        if wakes { pthread_cond_signal(arrived) }
        return answer
    }

    /// The oldest elements, at most `count`; waits for the first one.
    ///
    /// Of several receivers none may gather: the others would sleep as long.
    ///
    /// - Parameters:
    ///   - count: how many at most.
    ///   - milliseconds: how long to wait for the first one; nil for ever.
    ///   - expected: how many are likely to come together; once one is there, the others are waited
    ///     for.
    ///   - microseconds: how long at most.
    /// - Returns: nil when closed and empty; an empty list when the time has passed, or after a
    ///   nudge.
    @inlinable
    package func take(
        _ count: Int,
        waiting milliseconds: Int64? = nil,
        gathering expected: Int = 0,
        for microseconds: Int64 = 0
    ) -> [Element]? {
        locked {
            var deadline = Self.time(in: (milliseconds ?? 0) * 1_000_000)
            while elements.isEmpty {
                if isClosed { return nil }
                if isNudged {
                    isNudged = false
                    return []
                }
                if milliseconds == nil {
                    pthread_cond_wait(arrived, mutex)
                } else if pthread_cond_timedwait(arrived, mutex, &deadline) == ETIMEDOUT {
                    return []
                }
            }
            let wanted = min(count, expected)
            if elements.count < wanted { deadline = Self.time(in: microseconds * 1_000) }
            while elements.count < wanted, !isClosed {
                gathered = wanted
                if pthread_cond_timedwait(arrived, mutex, &deadline) == ETIMEDOUT { break }
            }
            gathered = 0
            if elements.count <= count {
                defer { elements = [] }
                return elements
            }
            let taken = Array(elements.prefix(count))
            elements.removeFirst(taken.count)
            return taken
        }
    }

    /// Has whoever waits, or waits next, return without an element: there is something to do that
    /// did not come through the queue.
    package func nudge() {
        locked { isNudged = true }
        pthread_cond_signal(arrived)
    }

    /// How many wait.
    package var depth: Int { locked { elements.count } }

    /// How many were not taken because it was full.
    package var refused: Int { locked { refusedCount } }

    /// Takes nothing new; what waits is still handed out.
    package func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(arrived)
        }
    }

    @usableFromInline
    static func time(in nanoseconds: Int64) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        time.tv_nsec += Int(nanoseconds)
        time.tv_sec += time.tv_nsec / 1_000_000_000
        time.tv_nsec %= 1_000_000_000
        return time
    }

    @inlinable
    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
