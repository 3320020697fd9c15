/// Negative amounts, which the parser would take for options.
enum SignedAmount {
    /// `adjust-credits alice -5` as `adjust-credits alice -- -5`, wherever the amount stands after
    /// the user; everything else as it is.
    static func rewritten(_ arguments: ArraySlice<String>) -> [String] {
        var arguments = Array(arguments)
        guard let verb = arguments.firstIndex(of: "adjust-credits"), !arguments.contains("--"),
            let amount = arguments.indices.last(where: { isNegative(arguments[$0]) }),
            amount > verb + 1, !arguments[amount - 1].hasPrefix("-")
        else { return arguments }
        arguments += ["--", arguments.remove(at: amount)]
        return arguments
    }

    private static func isNegative(_ word: String) -> Bool {
        word.hasPrefix("-") && Int64(word) != nil
    }
}
