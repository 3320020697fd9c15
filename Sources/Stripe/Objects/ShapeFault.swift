/// The named member of an object differs from Stripe's documentation.
package struct ShapeFault: Error, Hashable, Sendable {
    /// The member.
    package let member: String

    init(_ member: String) { self.member = member }
}
