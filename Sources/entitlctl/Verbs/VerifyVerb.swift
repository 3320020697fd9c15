import ArgumentParser
import JSON

/// `verify USER`: links a signed purchase to a user.
struct VerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Link a signed purchase to a user.",
        discussion: "Each claim given as an option is compared with what is signed."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("The signed transaction; - is standard input.", valueName: "file"))
    var jws: String?

    @Option(help: ArgumentHelp("The signed renewal information.", valueName: "file"))
    var renewalInfo: String?

    @Option(help: "What Google Play gave the device, in place of a document.")
    var purchaseToken: String?

    @Option(help: "A visit to Stripe's payment page, in place of a document.")
    var checkoutSession: String?

    @Option(help: "A subscription of Stripe's, in place of a document.")
    var stripeSubscription: String?

    @Option(help: "Claim: which product was bought.")
    var productId: String?

    @Option(help: "Claim: the store's name for the transaction; alone, Apple is asked for it.")
    var transactionId: String?

    @Option(help: "Claim: the store's name for the subscription.")
    var originalTransactionId: String?

    @Option(help: "Claim: the appAccountToken, or Google's account id, that it was made with.")
    var token: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { jws == nil ? 30 : 5 }

    func validate() throws {
        let leads = [transactionId, purchaseToken, checkoutSession, stripeSubscription]
        if jws == nil, leads.allSatisfy({ $0 == nil }) {
            throw ValidationError(
                "--jws names the document; or --transaction-id, --purchase-token,"
                    + " --checkout-session or --stripe-subscription what to ask the store for"
            )
        }
        if jws == "-", renewalInfo == "-" {
            throw ValidationError("only one document can be read from standard input")
        }
    }

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["signedTransaction"] = try jws.map { .string(try DocumentFile.text($0)) }
        parameters["signedRenewalInfo"] = try renewalInfo.map { .string(try DocumentFile.text($0)) }
        parameters["purchaseToken"] = purchaseToken.map { .string($0) }
        parameters["checkoutSession"] = checkoutSession.map { .string($0) }
        parameters["stripeSubscription"] = stripeSubscription.map { .string($0) }
        parameters["productId"] = productId.map { .string($0) }
        parameters["transactionId"] = transactionId.map { .string($0) }
        parameters["originalTransactionId"] = originalTransactionId.map { .string($0) }
        parameters["appAccountToken"] = token.map { .string($0) }
        try session.show(session.call("verifyPurchase", parameters))
    }
}
