import Entitlements
import JSON

/// A genuine event that Stripe sent to an endpoint, with the object as it was at that moment.
package struct StripeEvent: Sendable {
    /// The id by which a repeat is recognised; each delivery attempt has the same.
    package let id: StripeID
    /// `customer.subscription.updated`, …, as Stripe writes it.
    package let type: String
    /// When it happened, in whole seconds; several events may have the same.
    package let created: Moment
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The version of the API in which the object is written.
    package let apiVersion: String?
    /// The object that it is about.
    package let object: StripeObject
}

/// The verdict on an event, before its meaning is examined.
package enum EventVerdict: Sendable {
    /// Stripe sent it, about this account.
    case genuine(StripeEvent)
    /// Stripe sent it, but it does not matter here: it is of another account, or without an object.
    case foreign(type: String, id: StripeID?)
    /// Not an event at all, though the signature holds.
    case malformed
    /// Stripe did not send it, or the signature is too old or in the future.
    case refused(SignatureFault)
}

extension WebhookSignatures {
    /// Judges the body of a request: first the signature over its bytes, then its content.
    package func verdict(
        on body: [UInt8],
        header: [UInt8]?,
        at now: Moment
    ) -> EventVerdict {
        let environments: Set<StoreEnvironment>
        do throws(SignatureFault) {
            environments = try self.environments(signing: body, header: header, at: now)
        } catch {
            return .refused(error)
        }
        guard let event = StripeObject(try? JSONValue.parse(body)) else { return .malformed }
        guard let kind = event.kind, let type = event["type"]?.string else { return .malformed }
        // Events of API v2 are thin: they name an object and do not contain it.
        if kind.hasPrefix("v2.") {
            guard StripeEvent.isThinType(type) else { return .malformed }
            return .foreign(type: type, id: try? event.id())
        }
        guard StripeEvent.isType(type) else { return .malformed }
        guard kind == "event", let isLive = event["livemode"]?.bool else { return .malformed }
        let environment: StoreEnvironment = isLive ? .production : .sandbox
        guard environments.contains(environment) else { return .refused(.mode) }
        do throws(ShapeFault) {
            let id = try event.id()
            guard let created = try event.moment("created") else { throw ShapeFault("created") }
            guard let object = try event.object("data")?.object("object") else {
                throw ShapeFault("data")
            }
            // Sales through a connected account are not ours: its owner could write our users'
            // names into metadata.
            if event["account"] != nil { return .foreign(type: type, id: id) }
            return .genuine(
                StripeEvent(
                    id: id,
                    type: type,
                    created: created,
                    environment: environment,
                    apiVersion: try event.text("api_version"),
                    object: object.completed(isLive: isLive, created: created)
                )
            )
        } catch {
            return .malformed
        }
    }
}

extension StripeEvent {
    /// Lower-case words and dots, as all types of API v1 are.
    static func isType(_ text: String) -> Bool {
        (1...96).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
            }
    }

    /// The same, where a part in brackets may name what was changed, as in
    /// `v2.core.account[configuration.customer].updated`.
    static func isThinType(_ text: String) -> Bool {
        text.utf8.count <= 96 && isType(text.filter { $0 != "[" && $0 != "]" })
    }
}
