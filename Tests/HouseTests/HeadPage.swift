/// The page at the top of a room's main file: what the room is for, and how to read it.
///
/// It begins with the room's name, then says what to read "In reading order:", one name at the
/// beginning of each indented line; then "Its laws:"; and what "It never" does.
struct HeadPage {
    /// The comment lines before the first line of code, without their marks.
    let lines: [Substring]

    private static let linesMax = 30

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
            .map { $0.dropFirst($0.hasPrefix("// ") ? 3 : 2) }
    }

    /// What is wrong with the page of `room`, whose files say `names`; empty where nothing is.
    func faults(room: String, names: Set<String>) -> [String] {
        guard lines.first?.hasPrefix("\(room) ") == true else {
            return ["does not begin with a comment \"// \(room) …\""]
        }
        var faults: [String] = []
        if lines.count > Self.linesMax { faults.append("has \(lines.count) lines") }
        let order = lines.firstIndex { $0.hasPrefix("In reading order") }
        let laws = lines.firstIndex { $0 == "Its laws:" }
        let never = lines.firstIndex { $0.hasPrefix("It never ") }
        if order == nil { faults.append("has no \"In reading order\"") }
        if laws == nil { faults.append("has no \"Its laws:\"") }
        if never == nil { faults.append("has no \"It never …\"") }
        guard let order, let laws, let never else { return faults }
        guard order < laws, laws < never else { return ["has its parts in another order"] }
        let cited = lines[order..<laws].filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .map { String($0.dropFirst(2).prefix { $0 != " " }) }
        if cited.isEmpty { faults.append("names nothing to read") }
        for name in cited where !names.contains(name) { faults.append("there is no \(name)") }
        return faults
    }
}
