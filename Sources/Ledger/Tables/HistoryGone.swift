/// An entry that was pruned, or that names nobody any more.
struct HistoryGone: Error {}
