/// A key of the configuration file, with what its value may be.
struct ConfigurationKey {
    /// What a value may be.
    ///
    /// Everything but `access`, `apps` and `outboxes` can be set by an environment variable.
    enum Kind {
        case text
        case integer(ClosedRange<Int>)
        case boolean
        case choice([String])
        case texts
        case choices([String])
        case access
        case apps
        case outboxes
    }

    /// What holds where nobody gives the key, and how the page shows that.
    enum Default: ExpressibleByStringLiteral {
        /// A value as the file would have it, with a remark in parentheses for the page alone.
        case value(String)
        /// No value; the page says what that means.
        case absent(String)

        static let absent = Default.absent("–")

        init(stringLiteral value: String) { self = .value(value) }
    }

    let path: String
    let kind: Kind
    let fallback: Default
    /// What the page says in addition: which values are good, what the key is for, and what of it
    /// SIGHUP reads again.
    private(set) var range = ""
    private(set) var meaning = ""
    private(set) var reload = ""

    private static func key(_ path: String, _ kind: Kind, _ fallback: Default) -> ConfigurationKey {
        ConfigurationKey(path: path, kind: kind, fallback: fallback)
    }

    private func range(_ range: String) -> ConfigurationKey {
        var key = self
        key.range = range
        return key
    }

    private func says(_ meaning: String, reload: String = "") -> ConfigurationKey {
        var key = self
        (key.meaning, key.reload) = (meaning, reload)
        return key
    }

    /// The names of the environment variables that override it, the documented one first.
    var environmentNames: [String] {
        let name = "ENTITLD_" + path.split(separator: ".").map(upperSnake).joined(separator: "_")
        // The rule splits GiB; people write it whole.
        return name.hasSuffix("_GI_B") ? [name.dropLast(5) + "_GIB", name] : [name]
    }

    /// Every key that exists.
    ///
    /// Every other key is refused. The table in docs/configuration.md is made of this list.
    static let all: [ConfigurationKey] = [
        key("storage.directory", .text, "/var/lib/entitld")
            .range("a local file system with 1 MiB free")
            .says("the data directory; created with mode 0700"),
        key("storage.mapSizeGiB", .integer(1...65_536), "1024")
            .says(
                "address space for LMDB, not disk; the tables cannot grow beyond it. Where "
                    + "the address space is limited (`ulimit -v`) and does not suffice, a start "
                    + "ends with 78; pruning needs it three times"
            ),
        key("storage.journalRetentionDays", .integer(0...36_500), "0 (keep all)")
            .says("how long the journal is kept at least ([pruning](operating.md#pruning))"),
        key("rpc.socket", .text, "/run/entitld/entitld.sock")
            .range("at most 107 bytes, not the admin socket's")
            .says("the socket for app servers"),
        key("rpc.socketMode", .text, "\"0660\"")
            .range("octal digits, in quotes")
            .says("its mode"),
        key("rpc.adminSocket", .text, "/run/entitld/admin.sock")
            .range("at most 107 bytes")
            .says("the socket for administrators"),
        key("rpc.adminSocketMode", .text, "\"0600\"")
            .range("octal digits, in quotes")
            .says("its mode"),
        key("rpc.access", .access, "[]")
            .range("`[{uid: 1000, role: reader}, {gid: 2000, role: app}]`")
            .says(
                "who has which role; the first match counts ([below](#who-may-ask-what))",
                reload: "yes"
            ),
        key("rpc.threads", .integer(1...64), "2").says("threads that answer on the sockets"),
        key("rpc.maxFrameBytes", .integer(1_024...16_777_216), "1048576")
            .says("the longest request or reply"),
        key("rpc.sharedAnswers", .boolean, "false")
            .says(
                "whether clients on this host may keep answers of canRender, and know without "
                    + "a call that they hold ([shared answers](shared-answers.md))"
            ),
        key("webhook.listen", .text, .absent("absent: no listener"))
            .range("address:port; with port 0 the kernel chooses one")
            .says("where notifications arrive"),
        key("webhook.tls.certificateFile", .text, .absent)
            .range("PEM, leaf first, with its chain")
            .says("the listener's certificate", reload: "the file's content"),
        key("webhook.tls.privateKeyFile", .text, .absent)
            .range("PEM, readable by the daemon alone")
            .says("its key", reload: "the file's content"),
        key("webhook.plaintext", .boolean, "false")
            .range("true, false; not together with `webhook.tls`")
            .says("true: no TLS. Only behind a TLS proxy or on loopback"),
        key("webhook.allowedSources", .texts, "[] (everybody)")
            .range("CIDR ranges; 17.0.0.0/8 is Apple")
            .says("connections from other addresses are closed", reload: "yes"),
        key("webhook.trustedProxies", .texts, "[]")
            .range("CIDR ranges")
            .says("only from these proxies the last hop of X-Forwarded-For counts as the sender"),
        key("webhook.pathSecretFile", .text, .absent("absent"))
            .range("1 to 256 letters, digits, `-._~`")
            .says("with it only `POST <path>/<secret>` is answered"),
        key("api.listen", .text, .absent("absent: no HTTPS door"))
            .range("address:port; with port 0 the kernel chooses one")
            .says("where callers that are not on this host ask ([page](https-api.md))"),
        key("api.tls.certificateFile", .text, .absent)
            .range("PEM, leaf first, with its chain")
            .says("the door's certificate", reload: "the file's content"),
        key("api.tls.privateKeyFile", .text, .absent)
            .range("PEM, readable by the daemon alone")
            .says("its key", reload: "the file's content"),
        key("api.plaintext", .boolean, "false")
            .range("true, false; not together with `api.tls`")
            .says("true: no TLS. Only behind a TLS proxy or on loopback"),
        key("api.tokensFile", .text, .absent)
            .range("required with `api.listen`; no one but its owner may write it")
            .says(
                "who may ask: one line a token, `NAME ROLE SHA256-OF-TOKEN-IN-HEX`",
                reload: "the file's content"
            ),
        key("api.requestsPerSecond", .integer(1...1_000_000), "1000")
            .says("the rate of each token; so many may come at once"),
        key("outbox", .outboxes, "[]")
            .range(
                "`[{name: crm, url: https://…, secretFile: …, settleSeconds: 0, caFile: …}]`; "
                    + "https, or http to loopback"
            )
            .says("other systems that are told of every change ([page](outbox.md))"),
        key("metrics.listen", .text, .absent("absent: off"))
            .range("address:port")
            .says("where `/metrics`, `/livez` and `/readyz` are served"),
        key("apple.bundleId", .text, .absent)
            .range("required where there is an `apple` section")
            .says("the app's bundle id"),
        key("apple.appAppleId", .integer(Settings.Apple.appleIds), .absent)
            .range("required where Production is accepted")
            .says("the app's Apple ID from App Store Connect"),
        key("apple.apps", .apps, "[]")
            .range("`[{bundleId: com.example.other, appAppleId: 1234567891}]`")
            .says(
                "more apps of the same developer account; each is verified by its own ids, "
                    + "and asked about under the one key"
            ),
        key("apple.environments", .choices(Settings.Apple.Environment.names), "[Production]")
            .range("Production, Sandbox or both")
            .says("which documents count"),
        key("apple.sandboxAccess", .choice(Settings.Apple.SandboxAccess.names), "all")
            .says("who gets what sandbox purchases buy; `all` beside Production raises a warning"),
        key("apple.sandboxUsers", .texts, "[]")
            .range("user ids")
            .says("the users for `listed`"),
        key("apple.rootCertificateFiles", .texts, "[] (Apple Root CA - G3)")
            .range("PEM or DER")
            .says("they replace the built-in root; the log and `/readyz?verbose` say so"),
        key("apple.receiptRootCertificateFiles", .texts, "[] (Apple Inc. Root)")
            .range("PEM or DER")
            .says("the same for receipts"),
        key("apple.blockedSerials", .texts, "[]")
            .range("serial numbers in hexadecimal, in quotes, with or without colons")
            .says(
                "a chain with one of these certificates is refused although it verifies, for "
                    + "notifications, purchases and receipts"
            ),
        key("apple.api.issuerId", .text, .absent("absent: Apple is never asked"))
            .range("from App Store Connect")
            .says("the key's issuer"),
        key("apple.api.keyId", .text, .absent)
            .range("from App Store Connect")
            .says("the key's id"),
        key("apple.api.privateKeyFile", .text, .absent)
            .range("PEM, readable by the daemon alone")
            .says("the key"),
        key("apple.api.baseURL", .text, .absent("Apple's hosts"))
            .range("https, or http to loopback")
            .says("replaces both hosts, for tests"),
        key("google.packageName", .text, .absent)
            .range("required where there is a `google` section")
            .says("the app's package name; without the section `/webhooks/google` answers 503"),
        key("google.push.audience", .text, .absent)
            .range("required where there is a `google.push` section")
            .says("the audience of the bearer tokens, as the push subscription names it"),
        key("google.push.serviceAccountEmail", .text, .absent)
            .range("required where there is a `google.push` section")
            .says("the account that signs them"),
        key("google.push.subscription", .text, .absent("absent: any"))
            .range("`projects/PROJECT/subscriptions/NAME`")
            .says("the one subscription that may send"),
        key("google.push.keysURL", .text, .absent("Google's key set"))
            .range("https, or http to loopback")
            .says("where the keys of the tokens are, for tests"),
        key("google.api.serviceAccountFile", .text, .absent)
            .range("required where there is a `google` section; readable by the daemon alone")
            .says("the JSON file with the key of the service account that asks about purchases"),
        key("google.api.baseURL", .text, .absent("Google's host"))
            .range("https, or http to loopback")
            .says("replaces it, for tests; tokens come from the `token_uri` of the file"),
        key("google.testAccess", .choice(Settings.Apple.SandboxAccess.names), "all")
            .says("who gets what licence testers buy"),
        key("google.testUsers", .texts, "[]")
            .range("user ids")
            .says("the users for `listed`"),
        key("google.acknowledge", .boolean, "true")
            .says(
                "whether purchases are acknowledged, and packs of credits consumed; Google "
                    + "gives the money back for what nobody acknowledges"
            ),
        key("google.allowedSources", .texts, .absent("absent: `webhook.allowedSources`"))
            .range("CIDR ranges; [] is everybody")
            .says("who may send to `/webhooks/google`", reload: "yes"),
        key("stripe.webhookSecretFiles", .texts, "[]")
            .range("files readable by the daemon alone, with `whsec_…`")
            .says("the signing secrets of endpoints in live mode; any of them counts"),
        key("stripe.testWebhookSecretFiles", .texts, "[]")
            .range("files readable by the daemon alone, with `whsec_…`")
            .says("the same in test mode, whose purchases are of the environment Sandbox"),
        key("stripe.api.keyFile", .text, .absent("absent: events count as they are told"))
            .range("`sk_live_…` or `rk_live_…`, readable by the daemon alone")
            .says("with it an event is a hint, and Stripe is asked"),
        key("stripe.api.testKeyFile", .text, .absent)
            .range("`sk_test_…` or `rk_test_…`, readable by the daemon alone")
            .says("the same in test mode"),
        key("stripe.api.baseURL", .text, .absent("https://api.stripe.com"))
            .range("https, or http to loopback")
            .says("replaces Stripe's host, for tests"),
        key("stripe.userIdMetadata", .text, "user_id")
            .range("1 to 40 characters")
            .says("the key under which metadata names the user"),
        key("stripe.pastDueGraceHours", .integer(0...8_784), "168")
            .says("how long access goes on from the start of a period that is not paid"),
        key("stripe.disputes", .choice(Settings.Stripe.Disputes.names), "lost")
            .says("which disputes take access away"),
        key("stripe.testAccess", .choice(Settings.Apple.SandboxAccess.names), "all")
            .says("who gets what was bought in test mode"),
        key("stripe.testUsers", .texts, "[]")
            .range("user ids")
            .says("the users for `listed`"),
        key("stripe.allowedSources", .texts, .absent("absent: `webhook.allowedSources`"))
            .range("CIDR ranges")
            .says("who may send to `/webhooks/stripe`", reload: "yes"),
        key("reconcile.failuresEverySeconds", .integer(1...31_536_000), "3600")
            .says(
                "how often failed deliveries are asked for; the section needs an `api` of a store"
            ),
        key("reconcile.askBeforeEndSeconds", .integer(0...86_400), "600")
            .says(
                "how long before its end a renewing subscription is asked about, if no "
                    + "renewal was heard; 0: not at all"
            ),
        key("reconcile.askAfterSilenceSeconds", .integer(1...31_536_000), "60")
            .says(
                "how long after its end it is asked about, and then again with pauses that "
                    + "double, up to a day"
            ),
        key("reconcile.sweepEverySeconds", .integer(1...31_536_000), "86400")
            .says("how often every active subscription is asked about"),
        key("reconcile.requestsPerSecond", .integer(0...1_000), "0 (half of Apple's limit)")
            .says(
                "the rate of these requests to Apple; Google is asked at half of its limit at "
                    + "most, Stripe at a quarter of its"
            ),
        key("accounts.tokenNamespace", .text, "entitld")
            .range("text")
            .says(
                "what derived tokens are made from: SHA-256 of `NAMESPACE:USER`, its first 16 "
                    + "bytes, of which six bits say that it is a UUID of version 8; another value "
                    + "changes the tokens of new users"
            ),
        key("accounts.userIdIsAppAccountToken", .boolean, "false")
            .says("true: a user id that is a UUID is its own token"),
        key("accounts.transferPolicy", .choice(Settings.Accounts.TransferPolicy.names), "move")
            .says("what restorePurchases does with another user's purchase"),
        key("catalog", .text, "/etc/entitld/catalog.yaml")
            .range("a path")
            .says(
                "the catalog; the default path may be absent, a named file must be there",
                reload: "the file's content"
            ),
        key("log.level", .choice(Settings.Log.Level.names), "info")
            .says("the least level that is logged", reload: "yes"),
        key("log.format", .choice(Settings.Log.Format.names), "json"),
    ]

    static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    /// The paths of the maps that hold keys, such as `webhook` and `webhook.tls`.
    static let sections: Set<String> = {
        var sections: Set<String> = []
        for key in all {
            var path = key.path[...]
            while let dot = path.lastIndex(of: ".") {
                path = path[..<dot]
                sections.insert(String(path))
            }
        }
        return sections
    }()
}

/// `maxFrameBytes` → `MAX_FRAME_BYTES`, `baseURL` → `BASE_URL`: a word begins where a capital
/// follows a small letter.
private func upperSnake(_ name: Substring) -> String {
    var result = ""
    var previousIsSmall = false
    for character in name {
        if character.isUppercase, previousIsSmall { result.append("_") }
        previousIsSmall = character.isLowercase
        result += character.uppercased()
    }
    return result
}
