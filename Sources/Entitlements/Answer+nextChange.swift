extension Answer {
    /// The first moment after `showing.at` at which what is visible changes, if nothing is heard.
    ///
    /// It goes from one change of what is shown to the next, and through the balances between
    /// them; moments at which neither changes are not looked at. So it takes one pass over slots
    /// and grants for each change that nobody sees, and one step for each balance.
    ///
    /// - Parameters:
    ///   - showing: what is shown now.
    ///   - cost: what is asked about, in credits.
    ///   - policy: what products and plans mean.
    ///   - sandboxes: the stores whose sandbox purchases let this user in.
    ///   - looks: counts what was looked at, as `Limits.nextChangeLooksMax` does.
    /// - Returns: the moment, or nil where nothing will change. After `Limits.nextChangeLooksMax`
    ///   looks, the moment up to which nothing changes: whoever asks again then is right all the
    ///   time.
    @inlinable
    package func nextChange(
        after showing: Showing,
        _ cost: Int64,
        _ policy: Policy,
        _ sandboxes: StoreSet,
        counting looks: inout Int
    ) -> Moment? {
        var showing = showing
        var begun = balancesBegun(at: showing.at)
        let visible = showing.visible(with: spendable(afterBalances: begun), cost, policy)
        while true {
            looks += 3 * slots.count + grants.count
            let end = end(of: showing, policy, sandboxes)
            while begun < balances.count, balances[begun].from < end {
                begun += 1
                looks += 1
                let next = showing.visible(with: spendable(afterBalances: begun), cost, policy)
                if next != visible { return balances[begun - 1].from }
            }
            if end == .distantFuture { return nil }
            if looks >= Limits.nextChangeLooksMax { return end }
            showing = self.showing(at: end, policy, sandboxes)
            if begun < balances.count, balances[begun].from == end { begun += 1 }
            let next = showing.visible(with: spendable(afterBalances: begun), cost, policy)
            if next != visible { return end }
        }
    }
}
