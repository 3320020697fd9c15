// Stripe is everything that only Stripe says: its events are judged, its answers become facts.
//
// In reading order:
//   Stripe               below: the Storefront; +Questions has what its server can be asked
//   WebhookSignatures    whether an event is Stripe's: SignatureHeader, EndpointSecret
//   StripeEvent          an event with its object; StripeTopic is what it is about
//   StripeObject         members of Stripe's objects, strictly; StripeID names one
//   StripeSubscription   an object, as StripeInvoice, StripeCheckout and StripeCharge are
//   StripeSaying         when something was said: the version of the facts in it
//   Facts                from objects to facts; StripeRules is what the configuration says of them
//   StripeAPI            what is asked, with a StripeKey; EventWalk reads the events of the past
//
// Its laws:
//   1. Nothing of an event is used before its signature holds.
//   2. With a key, an event says only what to ask about; without one, its object is the fact.
//   3. A member that decides and is not as documented makes the object unreadable, by its name.
//
// It never opens a socket, looks at a clock, remembers anything, or says what a product gives.

import Entitlements
import Signatures
import Synchronization

/// Stripe: judges its events and asks its API.
///
/// With an API key an event only says what to ask about, and Stripe's answer is stored. Without a
/// key the object in the event is used. Refunds, disputes and one-time purchases then stay unknown,
/// because their events do not say to which purchase they belong.
package final class Stripe: Storefront {
    private let signatures: WebhookSignatures
    let api: StripeAPI
    let keys: [StoreEnvironment: StripeKey]
    private let judged = Mutex(VerdictFigures())

    /// Creates Stripe with this configuration.
    ///
    /// - Parameters:
    ///   - signatures: the signing secrets of the endpoints.
    ///   - keys: the API keys, by mode; none if the API is not asked.
    ///   - rules: the configured rules for facts.
    ///   - host: the host to ask; nil for Stripe's own.
    package init(
        signatures: WebhookSignatures,
        keys: [StoreEnvironment: StripeKey] = [:],
        rules: StripeRules = StripeRules(),
        host: StoreHost? = nil
    ) {
        self.signatures = signatures
        self.keys = keys
        api = StripeAPI(host: host ?? StripeAPI.host, rules: rules)
    }

    /// The properties of this store, whether it is configured or not.
    package static let profile = {
        var profile = StoreProfile(
            .stripe,
            section: "stripe",
            webhook: StoreWebhook(
                paths: StoreWebhook.paths(to: "stripe"),
                challenge: "Stripe-Signature",
                bodyBytesMax: StripeLimits.eventBytesMax,
                fields: [Stripe.signatureField]
            ),
            managementURL: nil
        )
        profile.platform = "web"
        profile.hints = [.checkoutSession, .subscription]
        profile.errands = [.managementPages]
        return profile
    }()

    package var profile: StoreProfile { Self.profile }

    private static let signatureField = "stripe-signature"

    package var figures: VerdictFigures { judged.withLock { $0 } }

    package func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        guard !signatures.isEmpty else {
            judged.withLock { $0.undecided += 1 }
            return .undecided(detail: "no signing secret")
        }
        let headers = delivery.fields.filter { $0.name.lowercased() == Self.signatureField }
        guard headers.count <= 1 else { return refusal(.malformed) }
        let header = headers.first.map { Array($0.value.utf8) }
        switch signatures.verdict(on: delivery.body, header: header, at: now) {
        case .refused(let fault): return refusal(fault)
        case .malformed: return believed(.malformed)
        case .foreign(let type, _): return believed(.foreign(type: type))
        case .genuine(let event):
            do throws(ShapeFault) {
                return believed(try verdict(on: event, in: delivery.body))
            } catch {
                return believed(
                    .unreadable(
                        type: event.type,
                        detail: "\(error.member) is not as documented",
                        document: delivery.body
                    )
                )
            }
        }
    }

    private func believed(_ verdict: NotificationVerdict) -> NotificationVerdict {
        judged.withLock { $0.genuine += 1 }
        return verdict
    }

    private func refusal(_ fault: SignatureFault) -> NotificationVerdict {
        judged.withLock { $0.forged += 1 }
        return .refused(.signature, detail: fault.sentence)
    }

    private func verdict(
        on event: StripeEvent,
        in body: [UInt8]
    ) throws(ShapeFault) -> NotificationVerdict {
        var notification = Notification(
            id: event.notificationID,
            type: event.type,
            subtype: "",
            document: Digest256(bytes: Digest.sha256(body)),
            facts: []
        )
        guard keys[event.environment] != nil else {
            notification = notification.stating(try event.facts(under: api.rules))
            return .genuine(notification)
        }
        let hint: PurchaseHint? =
            switch try event.topic() {
            case .subscription(let id): .subscription(id.text)
            case .checkout(let id): .checkoutSession(id.text)
            case .charge(let id), .payment(let id): .transaction(id.text)
            case .nothing: nil
            }
        guard let hint else { return .genuine(notification) }
        return .announced(notification, hint)
    }
}

extension StripeEvent {
    /// The identity of an event, by which a repeat is recognised: its id.
    var notificationID: NotificationID {
        let words = Digest256(bytes: Digest.sha256(id.text)).words
        return NotificationID(
            digest: Digest256(UInt64(Store.stripe.rawValue), words.0, words.1, words.2)
        )
    }
}
