import Entitlements

/// A source that holds nothing: where a replay of one history starts.
struct EmptySource: RecordSource {
    func record<T: TableRow>(of type: T.Type, at key: T.Key) -> T.Record? { nil }
    func unclaimed(with token: Token) -> [Unclaimed] { [] }
    func traces(of user: UserID) -> PersonTraces { PersonTraces() }
}
