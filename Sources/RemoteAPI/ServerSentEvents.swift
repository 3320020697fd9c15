import JSON
import Wire

/// Notifications of `watch` as server-sent events
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum ServerSentEvents {
    static let mediaType = "text/event-stream"

    private struct Event {
        let name: String
        let params: JSONObject

        var seq: Int64? { params["seq"]?.int64 }

        func text(hasID: Bool) -> String {
            let id = hasID ? seq.map { "id: \($0)\n" } ?? "" : ""
            let data = String(decoding: JSONValue.object(params).bytes, as: UTF8.self)
            return "event: \(name)\n\(id)data: \(data)\n\n"
        }
    }

    /// The events of whole frames, in their order.
    ///
    /// The last event of each position of the journal has it as its id, so that whoever resumes
    /// behind an id has been told all of it. That holds because no piece of a watch ends within a
    /// position.
    static func text(of frames: [UInt8]) -> [UInt8] {
        let events = events(of: frames)
        var text = ""
        for (place, event) in events.enumerated() {
            let isLast = place + 1 == events.count || events[place + 1].seq != event.seq
            text += event.text(hasID: isLast)
        }
        return Array(text.utf8)
    }

    /// What says that everything up to `seq` was told.
    static func heartbeat(_ seq: Int64) -> [UInt8] {
        Array(Event(name: "heartbeat", params: ["seq": .integer(seq)]).text(hasID: true).utf8)
    }

    private static func events(of frames: [UInt8]) -> [Event] {
        let decoder = FrameDecoder(frameBytesMax: .max)
        var events: [Event] = []
        var start = 0
        while case .frame(let body) = frames.withUnsafeBytes({ decoder.step($0, from: start) }) {
            start = body.upperBound
            guard let notification = try? JSONValue.parse(Array(frames[body])),
                let name = notification["method"]?.string,
                let params = notification["params"]?.object
            else { preconditionFailure("the methods push notifications") }
            events.append(Event(name: name, params: params))
        }
        return events
    }
}
