import Foundation
import Glibc
import Logging
import Telemetry
import Testing

/// F_SETPIPE_SZ of <linux/fcntl.h>, which Glibc's module leaves out.
private let setPipeSize: Int32 = 1_031

/// A log pipe that nobody reads holds nobody up.
@Suite(.timeLimit(.minutes(5))) struct LogBufferTests {
    private let pipe = Pipe()
    private let sink: LogSink

    init() {
        // The smallest that there is: a few lines fill it.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, setPipeSize, 4_096)
        sink = LogSink(
            format: .json,
            level: .info,
            descriptor: pipe.fileHandleForWriting.fileDescriptor
        )
    }

    /// Writes lines on a thread of its own while `body` runs, and as long as somebody reads.
    private func written(while body: (Logger) throws -> Void) throws -> [String] {
        let isDone = DispatchSemaphore(value: 0)
        let sink = sink
        let thread = Thread {
            sink.writeLines()
            isDone.signal()
        }
        thread.start()
        while !sink.isBuffered { usleep(1_000) }
        try body(sink.logger("test"))
        sink.close()
        let handle = pipe.fileHandleForReading
        let end = pipe.fileHandleForWriting
        DispatchQueue.global()
            .async {
                isDone.wait()
                try? end.close()
            }
        let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `lines come in the order in which they were logged`() throws {
        let lines = try written { logger in
            for number in 0..<500 { logger.info("line \(number)") }
        }
        #expect(lines.count == 500)
        for (number, line) in lines.enumerated() { #expect(line.contains("\"line \(number)\"")) }
        #expect(sink.droppedLines == 0)
    }

    @Test func `what finds no room is dropped and counted where it is missing`() throws {
        let count = 3 * TelemetryLimits.logLinesMax
        let lines = try written { logger in
            for number in 0..<count { logger.info("line \(number)") }
            #expect(!sink.flush())
        }
        let dropped = sink.droppedLines
        #expect(dropped > 0 && dropped <= count - TelemetryLimits.logLinesMax)
        // How many lines are missing stands where they are; nothing else is.
        var next = 0
        var missing = 0
        for line in lines {
            guard line.contains("Log lines were dropped") else {
                #expect(line.contains("\"line \(next)\""))
                next += 1
                continue
            }
            let told = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
            let gap = try #require(told?["count"].flatMap { Int($0) })
            next += gap
            missing += gap
        }
        #expect(next == count)
        #expect(missing == dropped)
    }

    @Test func `long lines are bounded by their bytes`() throws {
        let long = String(repeating: "x", count: 256)
        let lines = try written { logger in
            for _ in 0..<TelemetryLimits.logLinesMax - 100 {
                logger.info("m", metadata: ["a": "\(long)", "b": "\(long)", "c": "\(long)"])
            }
        }
        #expect(sink.droppedLines > 0)
        let bytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        // What waited, and the first batch, which was being written.
        #expect(bytes <= 2 * TelemetryLimits.logBytesMax)
        #expect(bytes >= TelemetryLimits.logBytesMax - 1_000)
    }

    @Test func `the end waits for what was logged, and not for ever`() throws {
        let lines = try written { logger in
            logger.info("one")
            #expect(sink.flush())
            for _ in 0..<200 { logger.info("more than the pipe takes") }
            #expect(!sink.flush())
        }
        #expect(lines.count == 201)
    }

    @Test func `last words go to a pipe as far as it takes them`() {
        let end = pipe.fileHandleForWriting.fileDescriptor
        let few = Array("few\n".utf8)
        #expect(BoundedWrite.write(few, to: end, within: 100))
        let many = [UInt8](repeating: 0x61, count: 10_000)
        #expect(!BoundedWrite.write(many, to: end, within: 50))
        #expect(pipe.fileHandleForReading.availableData.starts(with: few))
    }

    @Test func `of one kind a few lines a minute are admitted, and the others counted`() {
        let sampler = LogSampler()
        let start = ContinuousClock.now
        let most = TelemetryLimits.logSampledLinesMax
        for number in 0..<most + 30 {
            let suppressed = sampler.admit("forged", at: start + .seconds(number))
            #expect(suppressed == (number < most ? 0 : nil))
            #expect(sampler.admit("malformed\(number)", at: start) == 0)
        }
        #expect(sampler.admit("forged", at: start + .seconds(60)) == 30)
        #expect(sampler.admit("forged", at: start + .seconds(61)) == 0)
    }
}
