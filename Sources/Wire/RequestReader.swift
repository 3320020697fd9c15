import JSON

/// Checks frames and lays requests open without copying them.
///
/// One per RPC thread.
package struct RequestReader: ~Copyable {
    private var scanner = JSONScanner()
    private let decoded = DecodedText()

    /// A reader.
    package init() {}

    /// Whether a frame is one request or a list of them.
    package enum Shape: Equatable, Sendable {
        /// Anything but an array.
        case single
        /// An array of so many elements.
        case batch(elements: Int)
    }

    /// Checks a whole frame.
    package mutating func shape(
        of frame: UnsafeRawBufferPointer
    ) throws(JSONFailure) -> Shape {
        begin()
        try scanner.scan(frame)
        let first = frame.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return first == UInt8(ascii: "[") ? .batch(elements: scanner.rootElements) : .single
    }

    /// Forgets what was decoded for the requests before.
    package mutating func begin() { decoded.removeAll() }

    /// The request in a frame that `shape` has just called single.
    @inline(__always)
    package mutating func request(in frame: UnsafeRawBufferPointer) -> RequestView {
        view(of: frame)
    }

    /// The request at `start` in a frame that `shape` has called a batch.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - start: where the element begins; moved behind it, over the white space.
    /// - Returns: the element, which may be no request at all: see its `fault`.
    package mutating func element(
        of frame: UnsafeRawBufferPointer,
        at start: inout Int
    ) -> RequestView {
        // SAFETY: `start` lies before the end of the frame, and `length` within the rest.
        let rest = UnsafeRawBufferPointer(rebasing: frame[start...])
        // The frame as a whole was accepted, so its parts are; the scan finds their members.
        let length = (try? scanner.scanFirst(of: rest, isChecked: true)) ?? rest.count
        let element = UnsafeRawBufferPointer(rebasing: rest[..<length])
        start += length
        return view(of: element)
    }

    private func view(of text: UnsafeRawBufferPointer) -> RequestView {
        guard let base = text.baseAddress else { preconditionFailure("a frame has bytes") }
        let members = scanner.rootMembers
        let root = ParamsView(base: base, members: members, decoded: decoded)
        var draft = RequestDraft()
        for member in members {
            if root.isNamed(member, "id") {
                draft.takeID(root.token(member))
            } else if root.isNamed(member, "method") {
                draft.takeMethod(root.token(member), member.valueIsEscaped ? decoded : nil)
            } else if root.isNamed(member, "params") {
                draft.takeParams(root.token(member), member)
            } else if root.isNamed(member, "jsonrpc") {
                draft.takeVersion(root.token(member), member.valueIsEscaped ? decoded : nil)
            }
        }
        if members.isEmpty, !Self.isObject(text) { draft.fault = .noObject }
        let inner = scanner.innerMembers
        // SAFETY: the range is that of members which the scanner has just found.
        let params = UnsafeBufferPointer(rebasing: inner[draft.params])
        return RequestView(
            idBytes: draft.id ?? Self.null,
            hasID: draft.hasID,
            method: draft.method,
            params: ParamsView(base: base, members: params, decoded: decoded),
            fault: draft.verdict
        )
    }

    private static func isObject(_ text: UnsafeRawBufferPointer) -> Bool {
        text.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == UInt8(ascii: "{")
    }

    private static var null: UnsafeRawBufferPointer {
        let word: StaticString = "null"
        // SAFETY: a literal lives as long as the process.
        return UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    }
}

/// What has been seen of a request while its members are walked.
private struct RequestDraft {
    var id: UnsafeRawBufferPointer?
    var hasID = false
    var method = UnsafeRawBufferPointer(start: nil, count: 0)
    var params = 0..<0
    var fault: RequestFault?
    private var hasMethod = false
    private var hasVersion = false
    private var idFault = false
    private var paramsFault: RequestFault?

    /// First match wins: no object, version, id, method, params.
    var verdict: RequestFault? {
        if let fault { return fault }
        if !hasVersion { return .version }
        if idFault { return .id }
        if !hasMethod { return .method }
        return paramsFault
    }

    mutating func takeID(_ token: UnsafeRawBufferPointer) {
        hasID = true
        switch token[0] {
        case UInt8(ascii: "\""): idFault = token.count - 2 > WireLimits.idBytesMax
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            idFault = token.count > WireLimits.idBytesMax
        case UInt8(ascii: "n"): break
        default: idFault = true
        }
        if !idFault { id = token }
    }

    mutating func takeMethod(_ token: UnsafeRawBufferPointer, _ decoded: DecodedText?) {
        guard token[0] == UInt8(ascii: "\"") else { return }
        hasMethod = true
        method = Self.inside(token, decoded)
    }

    mutating func takeVersion(_ token: UnsafeRawBufferPointer, _ decoded: DecodedText?) {
        guard token[0] == UInt8(ascii: "\"") else { return }
        let text = Self.inside(token, decoded)
        hasVersion =
            text.count == 3 && text[0] == UInt8(ascii: "2") && text[1] == UInt8(ascii: ".")
            && text[2] == UInt8(ascii: "0")
    }

    mutating func takeParams(_ token: UnsafeRawBufferPointer, _ member: JSONMember) {
        switch token[0] {
        case UInt8(ascii: "{"):
            let start = Int(member.innerStart)
            params = start..<start + Int(member.innerCount)
        case UInt8(ascii: "["): paramsFault = .listedParams
        default: paramsFault = .scalarParams
        }
    }

    private static func inside(
        _ token: UnsafeRawBufferPointer,
        _ decoded: DecodedText?
    ) -> UnsafeRawBufferPointer {
        // SAFETY: a string's token has both its quotes.
        let text = UnsafeRawBufferPointer(rebasing: token[1..<(token.count - 1)])
        return decoded?.copy(of: text) ?? text
    }
}
