import Glibc
import Synchronization

/// A bounded queue in which callers take turns.
///
/// One element of each session is under way at a time; the others wait in their order. Callers take
/// turns, and so do the sessions of one caller: a session that offers many delays only itself.
///
/// Offering never waits for the lock, because the threads that take have a lower priority and may
/// be interrupted while they hold it. While it is held, the element is left in an inbox for the
/// thread that holds it; in this case only the limit of the whole queue is checked.
///
/// Inlinable, so that it is made for the element of each room: every notification goes through one.
@usableFromInline
package final class TurnQueue<Element: Sendable>: @unchecked Sendable {
    // SAFETY: initialised in init, destroyed in deinit, used by nobody else; all that changes is
    // touched only while the mutex is held.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Raised for each session that may go on, and to tell that the queue is closed.
    // SAFETY: initialised in init, destroyed in deinit; a semaphore may be raised by any thread.
    @usableFromInline let arrived = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    @usableFromInline let inbox = Inbox<(Element, TurnPlace)>()
    @usableFromInline let left = Atomic<Int>(0)

    /// One session: what it waits for, and whether something of it is under way.
    @usableFromInline struct Line {
        @usableFromInline var waiting: [Element] = []
        @usableFromInline var isUnderWay = false

        @usableFromInline init() {}
    }

    /// One caller: how many of its elements wait, and the sessions that may go on, oldest first.
    @usableFromInline struct Share {
        @usableFromInline var count = 0
        @usableFromInline var ready: [UInt64] = []

        @usableFromInline init() {}
    }

    @usableFromInline let limits: TurnLimits
    @usableFromInline var lines: [TurnPlace: Line] = [:]
    @usableFromInline var shares: [UInt32: Share] = [:]
    /// The callers with a session that may go on, whose turn comes in this order.
    @usableFromInline var ready: [UInt32] = []
    @usableFromInline var count = 0
    @usableFromInline var refusedCount = 0
    @usableFromInline var isClosed = false

    /// A queue that holds so much at most.
    package init(_ limits: TurnLimits) {
        self.limits = limits
        pthread_mutex_init(mutex, nil)
        sem_init(arrived, 0, 0)
    }

    deinit {
        sem_destroy(arrived)
        pthread_mutex_destroy(mutex)
        arrived.deallocate()
        mutex.deallocate()
    }

    /// Takes `element` in, or says why not.
    @inlinable package func offer(_ element: Element, from place: TurnPlace) -> QueueRefusal? {
        if pthread_mutex_trylock(mutex) == 0 {
            defer { unlock() }
            addWhatWasLeft()
            if isClosed { return .closed }
            guard count < limits.all, shares[place.caller]?.count ?? 0 < limits.perCaller,
                lines[place]?.waiting.count ?? 0 < limits.perSession
            else {
                refusedCount += 1
                return .full
            }
            add(element, from: place)
            return nil
        }
        guard left.add(1, ordering: .relaxed).newValue <= limits.all else {
            left.subtract(1, ordering: .relaxed)
            return .full
        }
        _ = inbox.leave([(element, place)])
        takeInWhatWasLeft()
        return nil
    }

    /// The next element, whose receiver calls `finish` when it is done with it; waits for one.
    ///
    /// - Returns: nil when the queue is closed and empty.
    @inlinable package func take() -> (element: Element, place: TurnPlace)? {
        while true {
            // One permit for each session that may go on: whoever takes a session has taken a
            // permit before. A permit that is taken for nothing would leave a session asleep.
            while sem_wait(arrived) != 0 {}
            let (found, isOver) = locked {
                (ready.isEmpty ? nil : next(), isClosed && count == 0 && inbox.isEmpty)
            }
            if let found { return found }
            if isOver {
                // The next one who waits is to see it, too.
                sem_post(arrived)
                return nil
            }
        }
    }

    /// What was taken from `place` is done: the next of its session may go on.
    ///
    /// - Returns: how many wait.
    @discardableResult
    @inlinable package func finish(_ place: TurnPlace) -> Int {
        locked {
            lines[place]?.isUnderWay = false
            if lines[place]?.waiting.isEmpty ?? true {
                lines[place] = nil
            } else {
                makeReady(place)
            }
            return count
        }
    }

    /// How many wait.
    @inlinable package var depth: Int { locked { count } }

    /// How many were not taken because there was no room.
    @inlinable package var refused: Int { locked { refusedCount } }

    /// Takes nothing new; what waits is still handed out.
    @inlinable package func close() {
        locked {
            isClosed = true
        }
        sem_post(arrived)
    }

    @inlinable func add(_ element: Element, from place: TurnPlace) {
        count += 1
        shares[place.caller, default: Share()].count += 1
        lines[place, default: Line()].waiting.append(element)
        if lines[place]?.waiting.count == 1, lines[place]?.isUnderWay == false {
            makeReady(place)
        }
    }

    @inlinable func makeReady(_ place: TurnPlace) {
        let isFirst = shares[place.caller]?.ready.isEmpty ?? true
        shares[place.caller, default: Share()].ready.append(place.session)
        if isFirst { ready.append(place.caller) }
        sem_post(arrived)
    }

    /// The oldest element of the session whose turn it is, of the caller whose turn it is.
    @inlinable func next() -> (element: Element, place: TurnPlace) {
        let caller = ready.removeFirst()
        guard let session = shares[caller]?.ready.removeFirst() else {
            preconditionFailure("a caller whose turn it is has a session that may go on")
        }
        let place = TurnPlace(caller: caller, session: session)
        count -= 1
        shares[caller]?.count -= 1
        if shares[caller]?.ready.isEmpty == false { ready.append(caller) }
        if shares[caller]?.count == 0 { shares[caller] = nil }
        guard let element = lines[place]?.waiting.removeFirst() else {
            preconditionFailure("a session that is ready waits")
        }
        lines[place]?.isUnderWay = true
        // The last one of a closed queue wakes those who wait for nothing any more.
        if isClosed, count == 0 { sem_post(arrived) }
        return (element, place)
    }

    @inlinable func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        addWhatWasLeft()
        defer { unlock() }
        return body()
    }

    /// What was left while the lock was held is taken in by whoever held it, or left it.
    @inlinable func unlock() {
        pthread_mutex_unlock(mutex)
        // A thread that left an element because the lock was held is seen here, or finds it free.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        takeInWhatWasLeft()
    }

    @inlinable func takeInWhatWasLeft() {
        while !inbox.isEmpty, pthread_mutex_trylock(mutex) == 0 {
            addWhatWasLeft()
            pthread_mutex_unlock(mutex)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
    }

    @inlinable func addWhatWasLeft() {
        guard !inbox.isEmpty else { return }
        for (element, place) in inbox.takeAll() {
            left.subtract(1, ordering: .relaxed)
            add(element, from: place)
        }
    }
}

/// The session and the caller that put something into a queue of turns.
@usableFromInline
package struct TurnPlace: Sendable, Hashable {
    /// The user of the system, or whatever else has a share of the room.
    @usableFromInline package let caller: UInt32
    /// The session; of one, one element is under way at a time.
    @usableFromInline package let session: UInt64

    /// A session of a caller.
    @inlinable package init(caller: UInt32, session: UInt64) {
        self.caller = caller
        self.session = session
    }
}

/// How much may wait in a queue of turns.
@usableFromInline
package struct TurnLimits: Sendable {
    @usableFromInline let all: Int
    @usableFromInline let perCaller: Int
    @usableFromInline let perSession: Int

    /// So much of all together, of one caller and of one session.
    package init(all: Int, perCaller: Int, perSession: Int) {
        self.all = all
        self.perCaller = perCaller
        self.perSession = perSession
    }
}
