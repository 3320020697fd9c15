// GooglePlay is everything that only Google says: its pushes are judged, its answers become facts.
//
// In reading order:
//   GooglePlay             below: the Storefront; +Questions has what its server can be asked
//   PushAuthority          whether a push is Google's, for us: BearerToken, KeyRing, KeySet
//   PushReader             what a genuine push says: DeveloperNotification
//   Publisher              the Android Publisher API: what is sent, and what the answers state
//   ServiceAccount         with which account it is asked
//   PlaySubscription       an answer about a subscription; PlayProduct about one-time products
//   Facts                  from answers to facts; PlayAnswer has what those of one answer share
//   PlayLimits             the bounds of this room
//
// Its laws:
//   1. A push is believed for its bearer token alone, and says only that something changed.
//   2. What holds is what the API answers: every answer about a purchase is a whole state of it.
//   3. A member that decides about access is strict; what is only shown may be absent.
//
// It never opens a socket, looks at a clock, remembers a purchase, or says what a product gives.

import Entitlements
import JSON
import Signatures
import Synchronization

/// Google Play: judges the pushes of Pub/Sub, asks the Android Publisher API, and turns its answers
/// into facts.
///
/// A push is accepted if its bearer token is valid, and says only that something changed. The state
/// is then fetched over TLS with this daemon's credentials; Google does not sign it.
package final class GooglePlay: Storefront {
    /// The configuration of Google Play.
    package struct Settings: Sendable {
        /// The app.
        package var package: String
        /// The authority that judges pushes; nil if none are accepted.
        package var authority: PushAuthority?
        /// The Pub/Sub subscription that may send; nil for any.
        package var subscription: String?
        /// The address of the keys of bearer tokens.
        package var keys = PlayAddress.keys
        /// The account with which Google is asked; nil if it is not asked.
        package var account: ServiceAccount?
        /// The server that is asked.
        package var host = Publisher.google
        /// Whether purchases are acknowledged, and packs of credits consumed.
        package var acknowledges = true

        /// The settings of an app.
        package init(package: String) { self.package = package }
    }

    let settings: Settings
    let publisher: Publisher
    private let reader: PushReader
    private let ring = Mutex(KeyRing())

    /// Creates Google Play with these settings.
    package init(_ settings: Settings) {
        self.settings = settings
        publisher = Publisher(package: settings.package, host: settings.host)
        reader = PushReader(subscription: settings.subscription)
    }

    /// The properties of this store, whether it is configured or not.
    package static let profile = {
        var profile = StoreProfile(
            .googlePlay,
            section: "google",
            webhook: StoreWebhook(
                paths: StoreWebhook.paths(to: "google"),
                challenge: "Bearer",
                bodyBytesMax: PlayLimits.pushBytesMax,
                fields: ["authorization"],
                // Pub/Sub promises no media type.
                wantsJSON: false
            ),
            managementURL: "https://play.google.com/store/account/subscriptions"
        )
        profile.platform = "android"
        profile.hints = [.purchaseToken]
        profile.takesAccountIDs = true
        profile.errands = [.testsByHand]
        return profile
    }()

    package var profile: StoreProfile { Self.profile }

    /// The page on which a customer manages this subscription (Google's page "Link to the
    /// subscription center").
    package func managementURL(ofProduct product: String?) -> String? {
        guard let page = Self.profile.managementURL, let product else {
            return Self.profile.managementURL
        }
        let names = [("sku", product), ("package", settings.package)]
        let query = names.map { "\($0.0)=\(StoreRequest.encoded($0.1))" }
        return page + "?" + query.joined(separator: "&")
    }

    package func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        guard let authority = settings.authority else {
            return .undecided(detail: "google.push is not configured")
        }
        let shown = delivery.fields.filter { $0.name.lowercased() == "authorization" }
        guard shown.count <= 1 else {
            return .refused(.malformed, detail: "several Authorization fields")
        }
        let verdict = authority.verdict(
            onPush: delivery.body,
            authorization: shown.first.map { Array($0.value.utf8) },
            keys: ring.withLock { $0.keys(at: now) },
            at: now
        )
        switch verdict {
        case .genuine(let push): return Self.verdict(on: reader.content(of: push), of: push, self)
        case .undecided: return .undecided(detail: "Google's keys are not at hand")
        case .unknownKey:
            return ring.withLock { $0.mayLearn(at: now) }
                ? .undecided(detail: "the token names a key that is not at hand")
                : .refused(.signature, detail: "the token names a key that Google has not")
        case .refused(let fault, let detail): return .refused(fault.documentFault, detail: detail)
        }
    }

    package func upkeep(at now: Moment) -> StoreQuestion<Void>? {
        guard settings.authority != nil, ring.withLock({ $0.fetch(at: now) }) else { return nil }
        let request = StoreRequest(
            .get,
            settings.keys.host,
            settings.keys.path,
            isAuthorised: false
        )
        return StoreQuestion(request) { [self] (reply, now) throws(StoreAPIFailure) in
            let set: KeySet
            do throws(KeySetFault) {
                set = try KeySet(reply.body)
            } catch {
                throw StoreAPIFailure(.malformed, "Google's keys cannot be used: \(error)")
            }
            ring.withLock {
                $0.keep(
                    set,
                    cacheControl: reply.field("cache-control"),
                    age: reply.field("age"),
                    at: now
                )
            }
            return .answer(())
        }
    }

    private static func verdict(
        on content: PushContent,
        of push: AuthenticPush,
        _ play: GooglePlay
    ) -> NotificationVerdict {
        switch content {
        case .elsewhere:
            return .refused(.app, detail: "another subscription than google.push.subscription")
        case .unreadable(let detail):
            return .unreadable(type: "UNREADABLE", detail: detail, document: push.body)
        case .notification(let heard):
            // A topic may carry the messages of several apps.
            guard heard.package.isSame(as: play.settings.package) else {
                return .foreign(type: heard.type)
            }
            let notification = notification(heard, push)
            switch heard.subject {
            case .subscription(_, let token), .oneTime(_, let token):
                return .announced(notification, .purchaseToken(token.text))
            case .voided(let notice):
                guard !notice.isPartial else {
                    return .announced(
                        notification,
                        .partialWithdrawal(purchaseToken: notice.token.text, at: notice.at)
                    )
                }
                return .announced(
                    notification,
                    .withdrawal(
                        purchaseToken: notice.token.text,
                        orderID: notice.orderID,
                        at: notice.at
                    )
                )
            case .refundReview, .test: return .genuine(notification)
            case .other(let name):
                return .unreadable(
                    type: heard.type,
                    detail: "about \(name), which is not known",
                    document: push.body
                )
            }
        }
    }

    /// The notification of a push.
    ///
    /// A repeat is recognised by the message id, which Pub/Sub keeps when it sends again.
    private static func notification(
        _ heard: DeveloperNotification,
        _ push: AuthenticPush
    ) -> Notification {
        let name = "\(Store.googlePlay.name)/\(heard.messageID)"
        return Notification(
            id: NotificationID(digest: Digest256(bytes: Digest.sha256(name))),
            type: heard.type,
            subtype: "",
            document: Digest256(bytes: Digest.sha256(push.body)),
            facts: []
        )
    }
}

extension BearerFault {
    /// The same fault, in the terms that all stores share.
    var documentFault: DocumentFault {
        switch self {
        case .missing, .malformed: .malformed
        case .algorithm, .signature, .expired, .time: .signature
        case .issuer: .chain
        case .audience, .account: .app
        }
    }
}
