import Testing

@testable import HTTPServer

struct HTTPConnectionStateTests {
    private func request(_ body: String = "", keepsAlive: Bool = true) -> HTTPRequest {
        var request = HTTPRequest(
            path: "/",
            query: "",
            source: "1.2.3.4",
            keepsAlive: keepsAlive,
            bodyBytesMax: 4
        )
        request.body = Array(body.utf8)
        return request
    }

    private func next(_ state: inout HTTPConnectionState) -> HTTPConnectionState.Step {
        state.next()
    }

    private func timeIsUp(_ state: inout HTTPConnectionState) -> Bool {
        state.timeIsUp()
    }

    /// A state that has read a request with this body.
    private func state(after body: String, keepsAlive: Bool = true) -> HTTPConnectionState {
        var state = HTTPConnectionState(pipelinedMax: 2)
        state.bytesArrived()
        let verdict = HeadVerdict.accept(request(keepsAlive: keepsAlive), wantsContinue: false)
        let action = state.headArrived(verdict)
        #expect(action == .read)
        for byte in body.utf8 { state.bodyArrived([byte]) }
        state.endArrived()
        return state
    }

    @Test func `a request is answered once, then the next is waited for`() {
        var state = state(after: "abcd")
        #expect(next(&state) == .answer(request("abcd")))
        #expect(next(&state) == .busy)
        #expect(!state.closesNext)
        state.answered()
        #expect(next(&state) == .wait)
    }

    @Test func `a client that wants to close gets its answer as the last`() {
        var state = state(after: "", keepsAlive: false)
        #expect(next(&state) == .answer(request("", keepsAlive: false)))
        #expect(state.closesNext)
        state.answered()
        #expect(next(&state) == .finish)
    }

    @Test func `a byte too many is refused, and what follows is not read`() {
        var state = state(after: "abcde")
        #expect(next(&state) == .refuse(.bodyTooLong))
        let action = state.headArrived(.accept(request(), wantsContinue: false))
        #expect(action == .ignore)
        state.answered()
        #expect(next(&state) == .finish)
    }

    @Test func `what was whole is answered before a later failure`() {
        var state = state(after: "a")
        state.bytesArrived()
        state.parserFailed(.malformed)
        state.parserFailed(.headersTooLong)
        #expect(next(&state) == .answer(request("a")))
        #expect(!state.closesNext)
        state.answered()
        #expect(next(&state) == .refuse(.malformed))
        #expect(state.closesNext)
        state.answered()
        #expect(next(&state) == .finish)
    }

    @Test func `no more wait than may`() {
        var state = state(after: "1")
        for body in ["2", "3"] {
            let action = state.headArrived(.accept(request(), wantsContinue: false))
            #expect(action == (body == "2" ? .read : .ignore))
            state.bodyArrived(Array(body.utf8))
            state.endArrived()
        }
        var answered: [String] = []
        while case .answer(let request) = state.next() {
            answered.append(String(decoding: request.body, as: UTF8.self))
            state.answered()
        }
        #expect(answered == ["1", "2"])
        #expect(next(&state) == .finish)
    }

    @Test func `only the answer to a HEAD is one to a HEAD`() {
        var state = HTTPConnectionState(pipelinedMax: 4)
        for isHead in [false, true, false] {
            let verdict = HeadVerdict.accept(request(), wantsContinue: false)
            let action = state.headArrived(verdict, isHead: isHead)
            #expect(action == .read)
            state.endArrived()
        }
        _ = state.headArrived(.refuse(.notFound), isHead: true)
        var answers: [Bool] = []
        while next(&state) != .finish {
            answers.append(state.answersHead)
            state.answered()
        }
        #expect(answers == [false, true, false, true])
        // What is no request at all comes behind a HEAD.
        var broken = HTTPConnectionState(pipelinedMax: 4)
        _ = broken.headArrived(.accept(request(), wantsContinue: false), isHead: true)
        broken.endArrived()
        broken.parserFailed(.malformed)
        _ = next(&broken)
        broken.answered()
        #expect(next(&broken) == .refuse(.malformed))
        #expect(!broken.answersHead)
    }

    @Test func `an invitation goes out only when nothing else is due`() {
        var idle = HTTPConnectionState(pipelinedMax: 2)
        let invited = idle.headArrived(.accept(request(), wantsContinue: true))
        #expect(invited == .invite)
        var busy = state(after: "1")
        let behind = busy.headArrived(.accept(request(), wantsContinue: true))
        #expect(behind == .read)
    }

    @Test func `time is up`() {
        var silent = HTTPConnectionState(pipelinedMax: 2)
        #expect(!timeIsUp(&silent))
        #expect(next(&silent) == .finish)
        var begun = HTTPConnectionState(pipelinedMax: 2)
        begun.bytesArrived()
        #expect(timeIsUp(&begun))
        #expect(next(&begun) == .refuse(.tooSlow))
    }

    @Test func `a drain lets begun requests end`() {
        var idle = HTTPConnectionState(pipelinedMax: 2)
        idle.drain()
        #expect(next(&idle) == .finish)
        var begun = HTTPConnectionState(pipelinedMax: 2)
        begun.bytesArrived()
        begun.drain()
        #expect(next(&begun) == .wait)
        let action = begun.headArrived(.accept(request(), wantsContinue: false))
        #expect(action == .read)
        begun.endArrived()
        #expect(next(&begun) == .answer(request()))
        #expect(begun.closesNext)
        begun.answered()
        #expect(next(&begun) == .finish)
    }

    @Test func `a source that may not send is not answered`() {
        var state = HTTPConnectionState(pipelinedMax: 2)
        let action = state.headArrived(.close(.source))
        #expect(action == .close(.source))
        #expect(next(&state) == .finish)
    }
}
