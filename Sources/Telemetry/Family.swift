/// The series of one metric: one for every combination of its labels' fixed values.
package final class Family<Member: Series>: Metric {
    package let description: MetricDescription
    /// The combinations in the order of the description, with their series.
    let members: [(labels: [String], series: Member)]

    private let byLabels: [[String]: Member]
    private let fallbacks: [String?]

    init(_ name: String, _ help: String, _ axes: [MetricAxis]) {
        let description = MetricDescription(name, Member.kind, help, axes: axes)
        self.description = description
        var combinations: [[String]] = [[]]
        for axis in axes {
            combinations = combinations.flatMap { prefix in axis.values.map { prefix + [$0] } }
        }
        let members = combinations.map { (labels: $0, series: Member(description)) }
        self.members = members
        byLabels = Dictionary(uniqueKeysWithValues: members.map { ($0.labels, $0.series) })
        fallbacks = axes.map { $0.values.contains("other") ? "other" : nil }
    }

    /// The series of these label values, in the order of the description.
    ///
    /// A value that is not fixed counts as `other` where the label has that value; elsewhere it
    /// is a mistake of the caller. On a hot path look it up once and keep it.
    package func series(_ labels: String...) -> Member {
        if let series = byLabels[labels] { return series }
        precondition(labels.count == fallbacks.count, "one value for every label")
        for choice in 1..<(1 << labels.count) {
            let tried = labels.indices.map { index in
                choice & (1 << index) == 0 ? labels[index] : fallbacks[index] ?? labels[index]
            }
            if let series = byLabels[tried] { return series }
        }
        // A slip in a label is not worth the daemon: it is counted under the last combination.
        assertionFailure("\(labels) are no label values of this metric")
        return members[members.count - 1].series
    }

    package func write(to page: inout Exposition) {
        for (labels, series) in members {
            page.sample(description.name, description.axes, labels, "\(series.value)")
        }
    }
}
