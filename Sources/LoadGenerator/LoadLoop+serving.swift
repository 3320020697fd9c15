import CLinux
import Glibc

extension LoadLoop {
    /// Connects, and watches for replies.
    func open(_ index: Int) throws(LoadFailure) {
        let descriptor = try plan.endpoint.connect()
        connections[index].descriptor = descriptor
        let code = linux_epoll_add(epoll, descriptor, UInt32(LINUX_READABLE), UInt64(index))
        guard code == 0 else { throw LoadFailure("epoll_ctl: errno \(-code)") }
    }

    /// Writes the first requests of all connections.
    mutating func fillAll(at now: Int64) throws(LoadFailure) {
        for index in 0..<connections.count { try fill(index, at: now) }
    }

    /// A connection can be read or written.
    @inline(__always)
    mutating func serve(_ index: Int, _ events: UInt32) throws(LoadFailure) {
        if events & UInt32(LINUX_WRITABLE) != 0 { try sendRest(index) }
        guard events & ~UInt32(LINUX_WRITABLE) != 0 else { return }
        let received = linux_receive(
            connections[index].descriptor,
            scratch.baseAddress,
            scratch.count
        )
        guard received > 0 else {
            if received == -Int(EAGAIN) || received == -Int(EINTR) { return }
            throw LoadFailure("the server closed a connection: errno \(max(0, -received))")
        }
        let now = clockNanoseconds(CLOCK_MONOTONIC)
        // SAFETY: the kernel wrote `received` bytes, which is above 0 here.
        try take(UnsafeRawBufferPointer(rebasing: scratch[..<received]), index, at: now)
        if plan.load == .churn, connections[index].underWay == 0 {
            close(connections[index].descriptor)
            connections[index].descriptor = -1
            if phase == .draining || issued >= issuedMax { return }
            let begun = clockNanoseconds(CLOCK_MONOTONIC)
            try open(index)
            try fill(index, at: begun)
        } else if plan.rate == 0 {
            try fill(index, at: now)
        }
    }

    /// Takes the replies in `bytes` and keeps what is not whole.
    @inline(__always)
    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ index: Int,
        at now: Int64
    ) throws(LoadFailure) {
        guard connections[index].input.isEmpty else {
            connections[index].input.append(bytes)
            let consumed = try count(connections[index].input.bytes, index, at: now)
            connections[index].input.consume(consumed)
            return
        }
        let consumed = try count(bytes, index, at: now)
        if consumed < bytes.count {
            // SAFETY: `consumed` is less than the number of bytes.
            connections[index].input.append(UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
        }
    }

    /// Counts whole replies; returns how many bytes they have.
    @inline(__always)
    private mutating func count(
        _ bytes: UnsafeRawBufferPointer,
        _ index: Int,
        at now: Int64
    ) throws(LoadFailure) -> Int {
        var start = 0
        while start < bytes.count {
            // SAFETY: `start` is less than the number of bytes.
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let scan = peer.reply(in: rest) else { break }
            guard let due = connections[index].release(scan, named: Server.namesReplies) else {
                throw LoadFailure("a reply that nobody asked for")
            }
            if phase == .measuring { note(scan, rest, took: now - due) }
            start += scan.count
        }
        guard bytes.count - start <= LoadLimits.replyBytesMax else {
            throw LoadFailure("a reply is longer than \(LoadLimits.replyBytesMax) bytes")
        }
        return start
    }

    @inline(__always)
    private mutating func note(
        _ scan: ReplyScan,
        _ bytes: UnsafeRawBufferPointer,
        took nanoseconds: Int64
    ) {
        histogram.record(nanoseconds)
        result.replies += 1
        switch scan.verdict {
        case .positive: result.positives += 1
        case .negative: break
        case .overloaded: result.overloaded += 1
        case .error: noteError(scan, bytes)
        }
    }

    @inline(never)
    private mutating func noteError(_ scan: ReplyScan, _ bytes: UnsafeRawBufferPointer) {
        if result.errors == 0 {
            let shown = bytes.prefix(min(scan.count, LoadLimits.errorBytesShown))
            let printable = shown.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }
            result.firstError = String(decoding: printable, as: UTF8.self)
        }
        result.errors += 1
    }

    /// Closed loop: a request for every free slot.
    @inline(__always)
    mutating func fill(_ index: Int, at now: Int64) throws(LoadFailure) {
        while phase != .draining, issued < issuedMax, connections[index].hasRoom,
            out.count < LoadLimits.writeBytesMax
        {
            write(to: index, due: now)
        }
        try flush(index)
    }

    @inline(__always)
    mutating func write(to index: Int, due: Int64) {
        let slot = connections[index].take(at: due, named: Server.namesReplies)
        peer.write(account: accounts.next(), slot: slot, into: &out)
        issued += 1
    }

    /// Sends what has been written for one connection, behind what already waits.
    @inline(__always)
    mutating func flush(_ index: Int) throws(LoadFailure) {
        guard out.count > 0 else { return }
        defer { out.removeAll() }
        guard connections[index].output.isEmpty else {
            connections[index].output.append(out.written)
            return
        }
        let sent = linux_send(connections[index].descriptor, out.written.baseAddress, out.count)
        guard sent < out.count else { return }
        // SAFETY: the kernel took `sent` bytes, fewer than were written.
        try keep(UnsafeRawBufferPointer(rebasing: out.written[max(sent, 0)...]), sent, index)
    }

    @inline(never)
    private func keep(
        _ rest: UnsafeRawBufferPointer,
        _ sent: Int,
        _ index: Int
    ) throws(LoadFailure) {
        guard sent >= 0 || sent == -Int(EAGAIN) || sent == -Int(EINTR) else {
            throw LoadFailure("the server closed a connection: errno \(-sent)")
        }
        connections[index].output.append(rest)
        watch(index, UInt32(LINUX_READABLE) | UInt32(LINUX_WRITABLE))
    }

    @inline(never)
    private func sendRest(_ index: Int) throws(LoadFailure) {
        let bytes = connections[index].output.bytes
        let sent = linux_send(connections[index].descriptor, bytes.baseAddress, bytes.count)
        if sent > 0 {
            connections[index].output.consume(sent)
        } else if sent != -Int(EAGAIN), sent != -Int(EINTR) {
            throw LoadFailure("the server closed a connection: errno \(-sent)")
        }
        if connections[index].output.isEmpty { watch(index, UInt32(LINUX_READABLE)) }
    }

    private func watch(_ index: Int, _ events: UInt32) {
        _ = linux_epoll_modify(epoll, connections[index].descriptor, events, UInt64(index))
    }
}
