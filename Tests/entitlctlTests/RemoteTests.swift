import JSON
import Signatures
import TestSupport
import Testing

/// Callers on other hosts: their tokens, and the options that name the HTTPS door.
struct RemoteTests {
    @Test func `a token is new each time, and its line has the hash of it alone`() throws {
        var tokens: Set<String> = []
        for _ in 1...3 {
            let run = try Invocation(["token", "shop-1", "--role", "app"])
            #expect(run.code == 0 && run.complaint.isEmpty)
            let lines = run.output.split(separator: "\n").map(String.init)
            try #require(lines.count == 2)
            let digest = Digest.sha256(lines[0])
                .flatMap { byte in
                    [byte >> 4, byte & 15].map { String($0, radix: 16) }
                }
            #expect(lines[1] == "shop-1 app \(digest.joined())")
            #expect(lines[0].wholeMatch(of: /entitld_[0-9a-f]{64}/) != nil)
            tokens.insert(lines[0])
        }
        #expect(tokens.count == 3)
        let shown = try Invocation(["--json", "token", "a", "--role", "support"])
        let object = try JSONValue.parse(Array(shown.output.utf8))
        #expect(object["line"]?.string?.hasPrefix("a support ") == true)
        #expect(object["token"]?.string?.hasPrefix("entitld_") == true)
    }

    @Test(arguments: [
        ["token", "shop", "--role", "admin"], ["token", "shop"], ["token", "a b", "--role", "app"],
        ["token", "", "--role", "app"],
        ["ping", "--url", "https://a:1"],
        ["ping", "--token-file", "t"],
        ["ping", "--url", "http://example.com:1", "--token-file", "t"],
        ["ping", "--url", "https://a:1/x", "--token-file", "t"],
        ["ping", "--url", "https://u@a:1", "--token-file", "t"],
        ["ping", "--url", "nonsense", "--token-file", "t"],
        ["ping", "--url", "https://a:1", "--token-file", "t", "--socket", "s"],
        ["watch", "--url", "https://a:1", "--token-file", "t"],
    ])
    func `what cannot be meant is a usage error`(words: [String]) throws {
        let run = try Invocation(words)
        #expect(run.code == 2, "\(run.complaint)")
        #expect(run.output.isEmpty && !run.complaint.isEmpty)
    }

    @Test func `a door that is not there cannot be reached, and a file without a token is named`()
        throws
    {
        let scratch = try Scratch()
        let token = try scratch.write("entitld_x\n", to: "token")
        let empty = try scratch.write("\n", to: "empty")
        let url = "http://127.0.0.1:1"
        let run = try Invocation(["ping", "--url", url, "--token-file", token])
        #expect(run.code == 69, "\(run.complaint)")
        #expect(run.complaint.contains(url))
        for path in [empty, scratch.file("none")] {
            let run = try Invocation(["ping", "--url", url, "--token-file", path])
            #expect(run.code == 2 && run.complaint.contains(path), "\(run.complaint)")
        }
    }
}
