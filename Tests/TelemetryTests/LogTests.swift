import Foundation
import Logging
import Telemetry
import Testing

/// What a sink wrote while `body` ran, line by line.
private func lines(
    format: LogSink.Format = .json,
    level: Logger.Level = .info,
    _ body: (LogSink) throws -> Void
) rethrows -> [String] {
    let pipe = Pipe()
    let sink = LogSink(
        format: format,
        level: level,
        descriptor: pipe.fileHandleForWriting.fileDescriptor
    )
    try body(sink)
    try? pipe.fileHandleForWriting.close()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

private func object(_ line: String) throws -> [String: String] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: String])
}

struct LogTests {
    @Test func `a line is one JSON object with time, level, message and fields`() throws {
        let lines = lines { sink in
            sink.logger("test").info("Catalog loaded", fields: [.version: "7", .count: "2"])
        }
        #expect(lines.count == 1)
        let object = try object(lines[0])
        #expect(object["level"] == "info")
        #expect(object["msg"] == "Catalog loaded")
        #expect(object["version"] == "7" && object["count"] == "2")
        #expect(lines[0].hasPrefix("{\"ts\":\""))
        let ts = try #require(object["ts"])
        let shape = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
        #expect(ts.wholeMatch(of: shape) != nil)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = try Date(ts, strategy: format)
        #expect(abs(date.timeIntervalSinceNow) < 60)
    }

    @Test func `text is for people`() {
        let lines = lines(format: .text) { sink in
            sink.logger("test").warning("Slow", fields: [.path: "/a b", .count: "2"])
        }
        #expect(lines.count == 1)
        #expect(lines[0].hasSuffix("warning  Slow count=2 path=\"/a b\""))
    }

    @Test func `the level changes at run time, for loggers that exist already`() {
        let lines = lines(level: .error) { sink in
            let logger = sink.logger("test")
            logger.info("one")
            #expect(sink.level == .error)
            sink.level = .debug
            logger.debug("two")
            logger.trace("three")
            sink.level = .critical
            logger.error("four")
        }
        #expect(lines.count == 1)
        #expect(lines[0].contains("\"two\""))
    }

    @Test(arguments: Logger.Level.allCases)
    func `ready is written at any level`(level: Logger.Level) throws {
        let lines = lines(level: level) { $0.announce("ready", [.version: "1"]) }
        #expect(lines.count == 1)
        let object = try object(lines[0])
        #expect(object["event"] == "ready" && object["msg"] == "ready" && object["version"] == "1")
    }

    @Test(arguments: [
        "a\nb", "a\u{1B}[31mred", "a\u{202E}txt.exe", "a\u{2066}b", "\0", "\u{85}", "\u{2028}",
        "\u{7F}", "\u{FEFF}", "\r",
    ])
    func `control and bidirectional characters are shown, not done`(text: String) throws {
        for format in [LogSink.Format.json, .text] {
            let lines = lines(format: format) { sink in
                sink.logger("test").info("m", fields: [.reason: text])
                sink.logger("test").info("\(text)")
            }
            #expect(lines.count == 2)
            for line in lines {
                #expect(line.contains("\\u{"))
                for scalar in line.unicodeScalars {
                    let category = scalar.properties.generalCategory
                    #expect(category != .control && category != .format)
                    #expect(category != .lineSeparator)
                }
            }
            if format == .json { #expect(try object(lines[0])["reason"]?.contains("\\u{") == true) }
        }
    }

    @Test func `quotes and backslashes cannot add a field`() throws {
        let text = #"x","level":"error","y":"\"#
        let lines = lines { $0.logger("test").info("m", fields: [.reason: text]) }
        let object = try object(lines[0])
        #expect(object["reason"] == text)
        #expect(object["level"] == "info")
    }

    @Test func `a long text is cut`() throws {
        let long = String(repeating: "x", count: 10_000)
        let lines = lines { $0.logger("test").info("m", fields: [.reason: long]) }
        let reason = try #require(try object(lines[0])["reason"])
        #expect(reason == String(repeating: "x", count: 256) + "…")
    }

    @Test func `metadata of the logger and of the event come together`() throws {
        let lines = lines { sink in
            var logger = sink.logger("test")
            logger[metadataKey: "listener"] = "webhook"
            logger[metadataKey: "level"] = "not the level"
            logger.info("m", metadata: ["listener": "admin", "status": "200"])
        }
        let object = try object(lines[0])
        #expect(object["listener"] == "admin" && object["status"] == "200")
        #expect(object["level"] == "info" && object["_level"] == "not the level")
    }
}
