// What a policy means for one feature of the app. `canRender` asks about `render`, and for that
// the policy itself is made; for every other feature that the catalog names there is one more.

extension Policy {
    /// What `canRender` asks about.
    package static let render = "render"

    /// The policies of every other feature that a source names, and of one that it does not name.
    static func others(of source: Source, numbering: Numbering) -> [FeaturePolicy] {
        var names = Set(source.plans?.flatMap(\.unlimited) ?? []).union(source.creditsPayFor)
        names.remove(render)
        // No feature is called so: it stands for those that nobody names.
        return ([""] + names.sorted())
            .map { name in
                let policy = Policy(source, numbering: numbering, for: name)
                return FeaturePolicy(name: Array(name.utf8), policy: policy)
            }
    }

    /// The policy for the feature whose name, as UTF-8, somebody lends; allocates nothing.
    package func asked(about feature: UnsafeRawBufferPointer) -> Policy {
        for other in others where other.name.count == feature.count {
            if other.name.withUnsafeBytes({ $0.elementsEqual(feature) }) { return other.policy }
        }
        let isRender = feature.elementsEqual(Self.render.utf8)
        return isRender ? self : others.first?.policy ?? self
    }

    /// The same for the feature of this name.
    package func asked(about feature: String) -> Policy {
        Array(feature.utf8).withUnsafeBytes { asked(about: $0) }
    }
}

/// A feature, and what the policy means for it.
struct FeaturePolicy: Sendable {
    let name: [UInt8]
    let policy: Policy
}
