// swift-format-ignore-file
// Written by proto/embed.py from proto/openrpc.json; change that, and run it again.

/// The OpenRPC document that `rpc.discover` answers.
package enum OpenRPCDocument {
    /// Compact JSON: what proto/openrpc.json says, in the same order.
    package static let text: String = #"""
{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0","description":"What users of an app\#
 may do right now, asked over a Unix socket. A frame is a 4-byte big-endian length and one JSON va\#
lue; parameters are named. Schemas are JSON Schema draft-07. `x-role` is the least role that may c\#
all a method: reader, app, admin. Reads ignore unknown parameters, writes refuse them. parse_error\#
, invalid_request and method_not_found can answer any frame and are not listed with the methods.",\#
"license":{"name":"Apache-2.0","url":"https://www.apache.org/licenses/LICENSE-2.0"}},"methods":[{"\#
name":"canRender","summary":"Whether a user may render now.","description":"True if any owned subs\#
cription or grant gives access and its plan is unlimited for render, or if the credits cover the c\#
ost. `cost` is 1 unless given.","x-role":"reader","paramStructure":"by-name","params":[{"name":"us\#
erId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"nam\#
e":"cost","summary":"The price in credits, where credits pay.","schema":{"$ref":"#/components/sche\#
mas/Amount"}}],"result":{"name":"answer","schema":{"$ref":"#/components/schemas/RenderAnswer"}},"e\#
rrors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},\#
{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#\#
/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"\#
by subscription","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"\#
canRender":true,"via":"subscription","state":"subscribed","reason":null,"nextChangeAt":"2026-03-15\#
T10:00:00.000Z","seq":42}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"},{"name":\#
"cost","value":1}],"result":{"name":"result","value":{"canRender":false,"via":null,"state":"no_acc\#
ount","reason":"no_account","nextChangeAt":null,"seq":42}}}]},{"name":"getStatus","summary":"All t\#
hat is said about a user at once.","x-role":"reader","paramStructure":"by-name","params":[{"name":\#
"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"\#
name":"at","summary":"A past moment: what the daemon knew then.","schema":{"$ref":"#/components/sc\#
hemas/Time"}}],"result":{"name":"status","schema":{"$ref":"#/components/schemas/Status"}},"errors"\#
:[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compo\#
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors\#
/NotFound"}],"examples":[{"name":"a subscriber","params":[{"name":"userId","value":"alice"}],"resu\#
lt":{"name":"result","value":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber\#
":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"stora\#
geBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expires\#
At":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscri\#
ption":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"s\#
tore":"app_store","environment":"Production","originalTransactionId":"2000000000000001","transacti\#
onId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00\#
.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt"\#
:null,"stale":false},"seq":42}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"r\#
esult":{"name":"result","value":{"userId":"nobody","state":"no_account","canRender":false,"isSubsc\#
riber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tier":"free","limits":{},"s\#
ubscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":\#
null,"seq":42}}}]},{"name":"getEntitlement","summary":"The access by a purchase or a grant.","x-ro\#
le":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required\#
":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type\#
":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"}},"required":["e\#
ntitlement"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors\#
/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotR\#
eady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"exa\#
mples":[{"name":"a subscriber","params":[{"name":"userId","value":"alice"}],"result":{"name":"resu\#
lt","value":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":\#
"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Production"}}\#
}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value\#
":{"entitlement":{"isActive":false}}}}]},{"name":"getCredits","summary":"A user's credits.","x-rol\#
e":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required"\#
:true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type"\#
:"object","properties":{"balance":{"type":"integer","description":"Spendable now, holds taken out.\#
"},"held":{"type":"integer","description":"Set aside by reservations."},"buckets":{"type":"array",\#
"items":{"type":"object","properties":{"amount":{"type":"integer"},"expiresAt":{"anyOf":[{"$ref":"\#
#/components/schemas/Time"},{"type":"null"}]},"source":{"type":"string"}},"required":["amount","ex\#
piresAt","source"]},"description":"In the order of spending: soonest end first."}},"required":["ba\#
lance","held","buckets"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compo\#
nents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components\#
/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overlo\#
aded"}],"examples":[{"name":"three free ones and a pack","params":[{"name":"userId","value":"bob"}\#
],"result":{"name":"result","value":{"balance":12,"held":1,"buckets":[{"amount":2,"expiresAt":"202\#
6-03-15T10:00:00.000Z","source":"grant"},{"amount":10,"expiresAt":null,"source":"pack:com.wearbloo\#
m.credits.10"}]}}}]},{"name":"getManagementURL","summary":"Where a user manages the subscription."\#
,"x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","re\#
quired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"platform","summary":"Where \#
the user reads the page; without it, that of the store of the subscription shown.","schema":{"type\#
":"string","enum":["ios","android","web"]}}],"result":{"name":"result","schema":{"type":"object","\#
properties":{"url":{"type":["string","null"]}},"required":["url"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"an App Store subscriber","pa\#
rams":[{"name":"userId","value":"alice"},{"name":"platform","value":"ios"}],"result":{"name":"resu\#
lt","value":{"url":"https://apps.apple.com/account/subscriptions"}}},{"name":"nobody","params":[{"\#
name":"userId","value":"nobody"}],"result":{"name":"result","value":{"url":null}}}]},{"name":"getH\#
istory","summary":"What changed for a user, oldest first.","description":"A page ends early where \#
the reply would be longer than a frame, so only an empty one says that it was the last.","x-role":\#
"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"afterSeq","summary":"Events after thi\#
s position.","schema":{"$ref":"#/components/schemas/Seq"}},{"name":"limit","summary":"How many at \#
most; events of one position are never parted.","schema":{"type":"integer","minimum":1,"maximum":1\#
000,"default":100}}],"result":{"name":"result","schema":{"type":"object","properties":{"events":{"\#
type":"array","items":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"at\#
":{"$ref":"#/components/schemas/Time"},"cause":{"type":"string"},"before":{"$ref":"#/components/sc\#
hemas/Status"},"after":{"$ref":"#/components/schemas/Status"}},"required":["seq","at","cause","bef\#
ore","after"]},"description":"What changed, when, why, and what was true before and after."},"olde\#
st":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal was pruned be\#
fore this moment, and the user was known then: what changed up to it is not told any more."}},"req\#
uired":["events"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/e\#
rrors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors\#
/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},\#
{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"an account begins","params":[{"name"\#
:"userId","value":"bob"}],"result":{"name":"result","value":{"events":[{"seq":42,"at":"2026-02-15T\#
10:00:00.000Z","cause":"registered","before":{"userId":"bob","state":"no_account","canRender":fals\#
e,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tier":"free","lim\#
its":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subs\#
cription":null,"seq":41},"after":{"userId":"alice","state":"subscribed","canRender":true,"isSubscr\#
iber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"s\#
torageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","exp\#
iresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","sub\#
scription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":nul\#
l,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000001","trans\#
actionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:0\#
0:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revoke\#
dAt":null,"stale":false},"seq":42}}]}}}]},{"name":"explain","summary":"Why a user's status is what\#
 it is.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The us\#
er.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"at","summary":"A pa\#
st moment.","schema":{"$ref":"#/components/schemas/Time"}}],"result":{"name":"result","schema":{"t\#
ype":"object","properties":{"at":{"$ref":"#/components/schemas/Time"},"rule":{"type":"string","des\#
cription":"The rule that decided."},"because":{"type":"string","description":"The same, as a sente\#
nce."},"catalogVersion":{"type":"integer","description":"Counts the catalogs installed."},"facts":\#
{"type":"array","items":{"type":"object"},"description":"The purchases, with everything that the s\#
tore said of them."},"grants":{"type":"array","items":{"type":"object"}},"credits":{"type":"object\#
"},"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"req\#
uired":["at","rule","because","catalogVersion","facts","grants","credits","status","seq"]}},"error\#
s":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$r\#
ef":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/com\#
ponents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/erro\#
rs/NotFound"}],"examples":[{"name":"a stranger","params":[{"name":"userId","value":"bob"}],"result\#
":{"name":"result","value":{"at":"2026-02-15T10:00:00.000Z","rule":"no_account","because":"No writ\#
e has named this user.","catalogVersion":1,"facts":[],"grants":[],"credits":{"balance":0,"held":0,\#
"owed":0},"status":{"userId":"bob","state":"no_account","canRender":false,"isSubscriber":false,"ha\#
dSubscription":false,"creditsRemaining":0,"plan":null,"tier":"free","limits":{},"subscriptionMetho\#
d":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":41},"\#
seq":41}}}]},{"name":"watch","summary":"Be told of every change from now on.","description":"The r\#
esult is followed by notifications on this connection: entitlementChanged {seq, userId, cause, sta\#
tus}, one per change; catalogChanged {seq, version}; heartbeat {seq} every 15 s; resync {oldest} w\#
hen the cursor is too old or too much was missed. coalesced: true stands in an entitlementChanged \#
that takes the place of older ones of the same user, because more than 256 waited unsent.","x-role\#
":"reader","paramStructure":"by-name","params":[{"name":"userIds","summary":"Of these users; of ev\#
erybody when absent.","schema":{"type":"array","maxItems":10000,"items":{"$ref":"#/components/sche\#
mas/UserId"}}},{"name":"fromSeq","summary":"Also of what changed after this position.","schema":{"\#
$ref":"#/components/schemas/Seq"}}],"result":{"name":"result","schema":{"type":"object","propertie\#
s":{"seq":{"$ref":"#/components/schemas/Seq"}},"required":["seq"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"everybody","params":[],"resu\#
lt":{"name":"result","value":{"seq":42}}}]},{"name":"registerAccount","summary":"Begin a user's ac\#
count, or link another token to it.","description":"Free credits come with the first call for a us\#
er. Purchases with the token that nobody owns become the user's. Repeating it is safe.","x-role":"\#
app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"\#
schema":{"$ref":"#/components/schemas/UserId"}},{"name":"appAccountToken","summary":"The token; de\#
rived from the user when absent.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"appAccountToken":{"$ref":"#/components/schemas\#
/Token"},"created":{"type":"boolean","description":"Whether this call began the account."},"credit\#
sRemaining":{"type":"integer"}},"required":["appAccountToken","created","creditsRemaining"]}},"err\#
ors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"\#
$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/c\#
omponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/e\#
rrors/OwnershipConflict"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the firs\#
t time","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"appAccoun\#
tToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":true,"creditsRemaining":3}}},{"name":"aga\#
in","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"appAccountTok\#
en":"0640ee36-9aef-80b6-aa42-790840cec83b","created":false,"creditsRemaining":3}}}]},{"name":"veri\#
fyPurchase","summary":"Link a signed purchase to a user.","description":"A claim that differs from\#
 what is signed is refused. A purchase is never taken from another user, and one whose newest toke\#
n is nobody's must be named in appAccountToken or be derived. Repeating it is safe.","x-role":"app\#
","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"sch\#
ema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransaction","summary":"The signed tra\#
nsaction; without it the store is asked for `transactionId`.","schema":{"$ref":"#/components/schem\#
as/SignedDocument"}},{"name":"signedRenewalInfo","summary":"The store's signed renewal information\#
.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"productId","summary":"Claim: \#
which product was bought.","schema":{"type":"string"}},{"name":"transactionId","summary":"Claim: t\#
he store's name for the transaction.","schema":{"type":"string"}},{"name":"originalTransactionId",\#
"summary":"Claim: the store's name for the subscription.","schema":{"type":"string"}},{"name":"app\#
AccountToken","summary":"Claim: the token that the purchase was made with; names a signed token of\#
 nobody.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":{"ty\#
pe":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$r\#
ef":"#/components/schemas/Status"},"applied":{"type":"boolean","description":"Whether a document w\#
as newer than what is kept."}},"required":["entitlement","status","applied"]}},"errors":[{"$ref":"\#
#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compon\#
ents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/error\#
s/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Verificat\#
ionFailed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/components/errors/ClaimMis\#
match"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"exampl\#
es":[{"name":"a new purchase","summary":"The document is shortened.","params":[{"name":"userId","v\#
alue":"alice"},{"name":"signedTransaction","value":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0d\#
XJl"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"com.example.\#
premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001"\#
,"environment":"Production"},"status":{"userId":"alice","state":"subscribed","canRender":true,"isS\#
ubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits\#
":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription"\#
,"expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none"\#
,"subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId\#
":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000001","\#
transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15\#
T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"r\#
evokedAt":null,"stale":false},"seq":42},"applied":true}}}]},{"name":"restorePurchases","summary":"\#
Link what a user's device knows of their purchases.","description":"A purchase of another user goe\#
s by accounts.transferPolicy. One whose newest token is nobody's is `refused`, unless the token is\#
 named or derived. Credit packs are credited to whom they belong and are not listed. One document \#
that does not verify fails the call, with its place in data.index, and nothing is applied.","x-rol\#
e":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransactions","summary":"The de\#
vice's transactions.","required":true,"schema":{"type":"array","minItems":1,"maxItems":100,"items"\#
:{"$ref":"#/components/schemas/SignedDocument"}}},{"name":"appAccountToken","summary":"Names a sig\#
ned token of nobody as the user's, whichever of the documents carries it.","schema":{"$ref":"#/com\#
ponents/schemas/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entit\#
lement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"\#
},"results":{"type":"array","items":{"type":"object","properties":{"originalTransactionId":{"type"\#
:"string"},"outcome":{"type":"string","enum":["linked","already_owned","moved","shared","refused"]\#
}},"required":["originalTransactionId","outcome"]},"description":"One for each subscription, in or\#
der of appearance."}},"required":["entitlement","status","results"]}},"errors":[{"$ref":"#/compone\#
nts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/erro\#
rs/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shuttin\#
gDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$re\#
f":"#/components/errors/VerificationFailed"}],"examples":[{"name":"a new phone, another account","\#
params":[{"name":"userId","value":"bob"},{"name":"signedTransactions","value":["eyJhbGciOiJFUzI1Ni\#
IsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":{"isActive":t\#
rue,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTran\#
sactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice","state":"subs\#
cribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"p\#
remium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMet\#
hod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10\#
:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.premi\#
um.monthly","pendingProductId":null,"store":"app_store","environment":"Production","originalTransa\#
ctionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.\#
000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial\#
":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"originalTransact\#
ionId":"2000000000000001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":"Link the pur\#
chases of an app receipt of the time before StoreKit 2.","description":"The receipt is verified he\#
re; Apple's verifyReceipt is not called. A receipt carries no token: where a notification brought \#
one that is nobody's, it must be named or derived.","x-role":"app","paramStructure":"by-name","par\#
ams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schema\#
s/UserId"}},{"name":"receiptData","summary":"The receipt, base64.","required":true,"schema":{"type\#
":"string"}},{"name":"productId","summary":"The product that is asked about.","schema":{"type":"st\#
ring"}},{"name":"appAccountToken","summary":"Names a token of nobody on the receipt's purchases as\#
 the user's.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":\#
{"type":"object","properties":{"isValid":{"type":"boolean","description":"Whether the purchase giv\#
es access now."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"tie\#
r":{"type":"string"},"message":{"type":"string","description":"One sentence for people."},"status"\#
:{"$ref":"#/components/schemas/Status"}},"required":["isValid","expiresAt","tier","message","statu\#
s"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Internal\#
Error"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"\#
$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/co\#
mponents/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/componen\#
ts/errors/OwnershipConflict"}],"examples":[{"name":"a subscriber","params":[{"name":"userId","valu\#
e":"bob"},{"name":"receiptData","value":"MIIT"}],"result":{"name":"result","value":{"isValid":true\#
,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","message":"The purchase gives access.","stat\#
us":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":\#
true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"re\#
tentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.\#
000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscri\#
bed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","enviro\#
nment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000000000000001",\#
"purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpire\#
sAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq\#
":42}}}}]},{"name":"consumeCredit","summary":"Spend credits, once per key.","description":"The fir\#
st answer under a key, also insufficient, is kept for 30 days and given again.","x-role":"app","pa\#
ramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":\#
{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never cha\#
rges twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amo\#
unt","summary":"How many.","schema":{"$ref":"#/components/schemas/Amount"}}],"result":{"name":"res\#
ult","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["consumed","insuff\#
icient","unlimited"],"description":"unlimited: the user's plan renders without counting; nothing w\#
as charged or stored."},"creditsRemaining":{"type":"integer","description":"What can be spent now.\#
"},"replayed":{"type":"boolean","description":"Whether this is the stored first answer to the same\#
 key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["outcome","creditsRemaining","repla\#
yed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/\#
InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRe\#
ady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$re\#
f":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples\#
":[{"name":"the last credit","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","v\#
alue":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,\#
"replayed":false,"seq":51}}},{"name":"the same again, after a lost connection","params":[{"name":"\#
userId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","\#
value":{"outcome":"consumed","creditsRemaining":0,"replayed":true,"seq":51}}}]},{"name":"reserveCr\#
edits","summary":"Set credits aside for a render whose success is not known yet.","x-role":"app","\#
paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema\#
":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never r\#
eserves twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"\#
amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":100\#
0000000}},{"name":"ttlSeconds","summary":"After so long they return by themselves.","required":tru\#
e,"schema":{"type":"integer","minimum":1,"maximum":604800}},{"name":"releaseOnDisconnect","summary\#
":"They return when this connection, or the daemon, ends.","schema":{"type":"boolean"}}],"result":\#
{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reser\#
ved","insufficient","unlimited","released"],"description":"released: it was reserved under this ke\#
y, and returned when its connection ended."},"reservation":{"type":["string","null"],"description"\#
:"The reservation's name; null where nothing is held."},"creditsRemaining":{"type":"integer","desc\#
ription":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the\#
 stored first answer to the same key."}},"required":["outcome","reservation","creditsRemaining","r\#
eplayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/In\#
ternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRead\#
y"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref"\#
:"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":\#
[{"name":"one credit for five minutes","params":[{"name":"userId","value":"bob"},{"name":"idempote\#
ncyKey","value":"render-816"},{"name":"amount","value":1},{"name":"ttlSeconds","value":300}],"resu\#
lt":{"name":"result","value":{"outcome":"reserved","reservation":"r6917529027641081857","creditsRe\#
maining":2,"replayed":false}}}]},{"name":"commitReservation","summary":"Spend what is held, or a p\#
art of it; the rest returns.","x-role":"app","paramStructure":"by-name","params":[{"name":"reserva\#
tion","summary":"Its name.","required":true,"schema":{"type":"string"}},{"name":"amount","summary"\#
:"How many of the held credits; all when absent.","schema":{"type":"integer","minimum":1,"maximum"\#
:1000000000}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type"\#
:"string","enum":["committed","expired","released"],"description":"A second commit gets the first \#
answer."},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"required"\#
:["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],\#
"examples":[{"name":"done","params":[{"name":"reservation","value":"r6917529027641081857"}],"resul\#
t":{"name":"result","value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":"releaseReser\#
vation","summary":"Give back what is held.","x-role":"app","paramStructure":"by-name","params":[{"\#
name":"reservation","summary":"Its name.","required":true,"schema":{"type":"string"}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["release\#
d","expired","committed"]},"creditsRemaining":{"type":"integer","description":"What can be spent n\#
ow."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/er\#
rors/NotFound"}],"examples":[{"name":"the render failed","params":[{"name":"reservation","value":"\#
r6917529027641081857"}],"result":{"name":"result","value":{"outcome":"released","creditsRemaining"\#
:3}}}]},{"name":"reverseCredits","summary":"Put a charge back into the buckets that it came from; \#
what has ended stays ended.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId",\#
"summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"id\#
empotencyKey","summary":"The same key never puts back twice.","required":true,"schema":{"$ref":"#/\#
components/schemas/IdempotencyKey"}},{"name":"consumeKey","summary":"The key of the consumeCredit.\#
","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reversed","nothing\#
"],"description":"nothing: nothing was charged, or it was put back before."},"creditsRemaining":{"\#
type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description"\#
:"Whether this is the stored first answer to the same key."}},"required":["outcome","creditsRemain\#
ing","replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/er\#
rors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/\#
NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},\#
{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$re\#
f":"#/components/errors/NotFound"}],"examples":[{"name":"the picture was broken","params":[{"name"\#
:"userId","value":"bob"},{"name":"idempotencyKey","value":"refund-815"},{"name":"consumeKey","valu\#
e":"render-815"}],"result":{"name":"result","value":{"outcome":"reversed","creditsRemaining":1,"re\#
played":false}}}]},{"name":"grantEntitlement","summary":"Give a user the access of a plan.","descr\#
iption":"An unknown plan is invalid_params. A repeated key with the same parameters gets the first\#
 answer, with others idempotency_mismatch.","x-role":"admin","paramStructure":"by-name","params":[\#
{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/User\#
Id"}},{"name":"plan","summary":"A plan of the catalog.","required":true,"schema":{"type":"string"}\#
},{"name":"idempotencyKey","summary":"The same key never makes a second grant.","required":true,"s\#
chema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","s\#
chema":{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","summary":"The beginning; now when\#
 absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"store","summary":"What `subscrip\#
tionMethod` shows instead of grant.","schema":{"type":"string","enum":["app_store","google_play","\#
stripe"]}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result\#
":{"name":"result","schema":{"type":"object","properties":{"grant":{"type":"string","description":\#
"The grant's name, for revokeGrant."},"status":{"$ref":"#/components/schemas/Status"},"replayed":{\#
"type":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{\#
"$ref":"#/components/schemas/Seq"}},"required":["grant","status","replayed","seq"]}},"errors":[{"$\#
ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/\#
components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components\#
/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Ide\#
mpotencyMismatch"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a month of prem\#
ium","params":[{"name":"userId","value":"bob"},{"name":"plan","value":"premium"},{"name":"idempote\#
ncyKey","value":"support-4711"},{"name":"expiresAt","value":"2026-03-15T10:00:00.000Z"},{"name":"r\#
eason","value":"an apology"}],"result":{"name":"result","value":{"grant":"g43","status":{"userId":\#
"bob","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":false,"creditsRe\#
maining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":nu\#
ll},"subscriptionMethod":"grant","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15\#
T10:00:00.000Z","paywall":"none","subscription":null,"seq":43},"replayed":false,"seq":43}}}]},{"na\#
me":"revokeGrant","summary":"Take a grant back; one that was taken back before is not_found.","x-r\#
ole":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required\#
":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"grant","summary":"The grant's nam\#
e.","required":true,"schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history."\#
,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"s\#
tatus":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required\#
":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/\#
errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/error\#
s/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"\#
},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{\#
"name":"take it back","params":[{"name":"userId","value":"bob"},{"name":"grant","value":"g43"}],"r\#
esult":{"name":"result","value":{"status":{"userId":"bob","state":"free_with_credits","canRender":\#
true,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":3,"plan":"free","tier":"free"\#
,"limits":{"storageBytes":262144000,"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,\#
"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"gra\#
ntCredits","summary":"Give a user credits.","x-role":"admin","paramStructure":"by-name","params":[\#
{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/User\#
Id"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":\#
1,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts twice.","re\#
quired":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary\#
":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"sour\#
ce","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}},{"name":\#
"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result",\#
"schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description":"What c\#
an be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first an\#
swer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining",\#
"replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/e\#
rrors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors\#
/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"}\#
,{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"ex\#
amples":[{"name":"an apology","params":[{"name":"userId","value":"bob"},{"name":"amount","value":5\#
},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"an apology"}],"result\#
":{"name":"result","value":{"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCre\#
dits","summary":"Correct a user's credits, up or down; stops at 0.","x-role":"admin","paramStructu\#
re":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#\#
/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"schema":{"ty\#
pe":"integer","minimum":-1000000000,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The\#
 same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyK\#
ey"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref":"#/compon\#
ents/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits shows it.","s\#
chema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"str\#
ing"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemaining":{"typ\#
e":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"W\#
hether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"\#
}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/Inval\#
idParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDen\#
ied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":\#
"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components\#
/errors/IdempotencyMismatch"}],"examples":[{"name":"a correction","params":[{"name":"userId","valu\#
e":"bob"},{"name":"amount","value":-2},{"name":"idempotencyKey","value":"support-4712"},{"name":"r\#
eason","value":"given twice"}],"result":{"name":"result","value":{"creditsRemaining":6,"replayed":\#
false,"seq":53}}}]},{"name":"dump","summary":"A page of what is kept.","description":"Values are d\#
ecoded. A page ends early where the reply would be longer than a frame, so only a null cursor says\#
 that it was the last.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","sum\#
mary":"Only this table; all of them when absent.","schema":{"type":"string"}},{"name":"prefix","su\#
mmary":"Only keys that begin so.","schema":{"type":"string"}},{"name":"cursor","summary":"Where th\#
e page before ended.","schema":{"type":"string"}},{"name":"limit","summary":"How many rows at most\#
.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page",\#
"schema":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type\#
":"array","items":{"$ref":"#/components/schemas/Row"}},"cursor":{"type":["string","null"],"descrip\#
tion":"For the next page; null after the last row."}},"required":["seq","entries","cursor"]}},"err\#
ors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"\#
$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/c\#
omponents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"th\#
e only token","params":[{"name":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"n\#
ame":"result","value":{"seq":42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840\#
cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role\#
":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"The table.","required":t\#
rue,"schema":{"type":"string"}},{"name":"key","summary":"The key, as dump shows it.","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"o\#
bject","properties":{"value":{"description":"The decoded value."}},"required":["value"]}},"errors"\#
:[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compo\#
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors\#
/NotFound"}],"examples":[{"name":"whose token it is","params":[{"name":"table","value":"tokens"},{\#
"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"\#
value":{"userId":"alice"}}}}]},{"name":"load","summary":"Take in rows as dump writes them.","descr\#
iption":"One call is one entry of the journal: all of it or nothing. A row that is here with anoth\#
er value refuses the call, with its place in data.index; one that is equal counts as loaded. Rows \#
of meta, alarms, ticks and tombstones are passed over. Load every page of a dump before the users \#
come.","x-role":"admin","paramStructure":"by-name","params":[{"name":"entries","summary":"The rows\#
.","required":true,"schema":{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/compon\#
ents/schemas/Row"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"loaded":{\#
"type":"integer","minimum":0,"description":"How many rows are now as they were to be."}},"required\#
":["loaded"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors\#
/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotR\#
eady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$r\#
ef":"#/components/errors/Overloaded"}],"examples":[{"name":"a token","params":[{"name":"entries","\#
value":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}\#
],"result":{"name":"result","value":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a pers\#
on.","description":"Every row about the person goes; the rows of the journal keep amounts, and a p\#
seudonym in the place of the user id, the tokens and the ids of the store. What stores say of the \#
person later is answered and not kept, until registerAccount names the person again; then free cre\#
dits are not given a second time. Backups made before still hold the person.","x-role":"admin","pa\#
ramStructure":"by-name","params":[{"name":"userId","summary":"Whom to forget.","required":true,"sc\#
hema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object"\#
,"properties":{"erased":{"type":"boolean","description":"Whether there was somebody to forget."},"\#
seq":{"$ref":"#/components/schemas/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/compo\#
nents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/er\#
rors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutt\#
ingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"e\#
xamples":[{"name":"Forgotten","params":[{"name":"userId","value":"user-1"}],"result":{"name":"resu\#
lt","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","summary":"Everything kept about a\#
 person.","description":"One reply for most people. Where it would be longer than a frame, the lis\#
ts go on on the next page; the account stands on every page.","x-role":"admin","paramStructure":"b\#
y-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compo\#
nents/schemas/UserId"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type"\#
:"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"userId":{"$ref":"#\#
/components/schemas/UserId"},"account":{"type":["object","null"],"description":"As dump writes it;\#
 null, and nothing else, for a user of whom nothing is kept."},"seq":{"$ref":"#/components/schemas\#
/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal w\#
as pruned before this moment: earlier events are not kept."},"tokens":{"type":"array","description\#
":"Their tokens."},"subscriptions":{"type":"array","description":"With their facts, as dump writes\#
 them."},"settlements":{"type":"array","description":"First answers under their keys."},"reservati\#
ons":{"type":"array","description":"Credits that were held."},"packs":{"type":"array","description\#
":"Credit packs."},"events":{"type":"array","description":"The journal's entries about them, oldes\#
t first."},"cursor":{"type":["string","null"],"description":"For the next page; null after the las\#
t."}},"required":["userId","account"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$\#
ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":\#
"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/\#
errors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"r\#
esult":{"name":"result","value":{"userId":"nobody","account":null}}}]},{"name":"backup","summary":\#
"Copy one consistent state into a new directory.","description":"Made under another name, flushed,\#
 verified by replaying its journal, then renamed. Writes go on meanwhile. One at a time.","x-role"\#
:"admin","paramStructure":"by-name","params":[{"name":"path","summary":"Absolute, on the daemon's \#
host, not there yet; it becomes a data directory.","required":true,"schema":{"type":"string"}}],"r\#
esult":{"name":"result","schema":{"type":"object","properties":{"path":{"type":"string"},"bytes":{\#
"type":"integer","minimum":1,"description":"The bytes of its files."},"digest":{"type":"string","p\#
attern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then the journal's segments in their \#
order, then base/data.mdb where there is one."},"seq":{"$ref":"#/components/schemas/Seq"}},"requir\#
ed":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$re\#
f":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#\#
/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/er\#
rors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"every night","p\#
arams":[{"name":"path","value":"/var/backups/entitld/2026-02-15"}],"result":{"name":"result","valu\#
e":{"path":"/var/backups/entitld/2026-02-15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55a\#
d015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLevel","summary":"Change what i\#
s logged, until the configuration is read again.","x-role":"admin","paramStructure":"by-name","par\#
ams":[{"name":"level","summary":"The least level.","required":true,"schema":{"type":"string","enum\#
":["trace","debug","info","notice","warning","error","critical"]}}],"result":{"name":"result","sch\#
ema":{"type":"object","properties":{"level":{"type":"string"}},"required":["level"]}},"errors":[{"\#
$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#\#
/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/component\#
s/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"more","par\#
ams":[{"name":"level","value":"debug"}],"result":{"name":"result","value":{"level":"debug"}}}]},{"\#
name":"stats","summary":"Figures about the daemon.","x-role":"admin","paramStructure":"by-name","p\#
arams":[],"result":{"name":"stats","schema":{"type":"object","properties":{"version":{"type":"stri\#
ng"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion"\#
:{"type":"integer"},"plans":{"type":"array","items":{"type":"string"}},"commands":{"type":"integer\#
"},"groups":{"type":"integer"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"c\#
lockJumps":{"type":"integer"},"journal":{"type":"object","properties":{"bytes":{"type":"integer"},\#
"prunedSeq":{"type":"integer","description":"The newest position that was pruned; 0 while everythi\#
ng is there."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"descripti\#
on":"From when on everything is known; null while everything is there."}},"required":["bytes","pru\#
nedSeq","oldest"]},"views":{"type":"object","properties":{"mapBytes":{"type":"integer"},"usedBytes\#
":{"type":"integer"},"readers":{"type":"integer"}},"required":["mapBytes","usedBytes","readers"]}}\#
,"required":["version","seq","uptimeSeconds","catalogVersion","plans","commands","groups","queueDe\#
pth","storageFull","clockJumps","journal","views"],"description":"The set grows."}},"errors":[{"$r\#
ef":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/c\#
omponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/\#
errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a small one"\#
,"params":[],"result":{"name":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"cat\#
alogVersion":1,"plans":["free","paid","premium"],"commands":42,"groups":40,"queueDepth":0,"storage\#
Full":false,"clockJumps":0,"journal":{"bytes":65536,"prunedSeq":0,"oldest":null},"views":{"mapByte\#
s":68719476736,"usedBytes":81920,"readers":3}}}}]},{"name":"reconcile","summary":"Ask the store wh\#
at was missed.","description":"Needs apple.api in the configuration.","x-role":"admin","paramStruc\#
ture":"by-name","params":[{"name":"userId","summary":"About this user, and wait; without, begin a \#
round through everything.","schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"res\#
ult","schema":{"type":"object","properties":{"applied":{"type":"boolean","description":"With a use\#
r: whether something was newer than what was kept."},"status":{"$ref":"#/components/schemas/Status\#
"},"running":{"type":"boolean","description":"Without a user: true; progress is in stats."}},"requ\#
ired":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Int\#
ernalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady\#
"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":\#
"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"on\#
e user","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"applied":tr\#
ue,"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscr\#
iption":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":10737418\#
2400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T1\#
0:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":\#
"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store"\#
,"environment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000000000\#
000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeri\#
odExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":fal\#
se},"seq":42}}}},{"name":"everything","params":[],"result":{"name":"result","value":{"running":tru\#
e}}}]},{"name":"testNotification","summary":"Ask Apple to send a test notification, and wait for i\#
t.","description":"The check of the set-up that every new operator wants. Needs apple.api in the c\#
onfiguration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"timeoutSeconds","sum\#
mary":"How long.","schema":{"type":"integer","minimum":1,"maximum":600,"default":60}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"delivered":{"type":"boolean","description"\#
:"Whether Apple could deliver it here."},"sendAttemptResult":{"type":["string","null"],"descriptio\#
n":"What Apple says of the attempt."}},"required":["delivered","sendAttemptResult"]}},"errors":[{"\#
$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#\#
/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/component\#
s/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Ov\#
erloaded"}],"examples":[{"name":"it works","params":[],"result":{"name":"result","value":{"deliver\#
ed":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary":"Whether the daemon answers."\#
,"description":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-n\#
ame","params":[],"result":{"name":"nothing","schema":{"type":"object"}},"errors":[{"$ref":"#/compo\#
nents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components\#
/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{"name":"result","value":{}}\#
}]},{"name":"version","summary":"Which daemon answers.","description":"Answers before the daemon i\#
s ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"versions\#
","schema":{"type":"object","properties":{"entitld":{"type":"string","description":"The daemon's v\#
ersion."},"protocol":{"type":"string","description":"The major version of the protocol: of frames,\#
 methods and words."},"format":{"type":"integer","description":"The version of what is on disk."}}\#
,"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/components/errors/InternalError\#
"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"exa\#
mples":[{"name":"version","params":[],"result":{"name":"result","value":{"entitld":"0.1.0","protoc\#
ol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This document.","x-role":"reader","param\#
Structure":"by-name","params":[],"result":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.g\#
ithubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$ref":"#/components/er\#
rors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"\#
},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"discover","summary":"The documen\#
t is shortened.","params":[],"result":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":\#
"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string"\#
,"minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 without control characters, \#
compared byte by byte."},"Token":{"type":"string","format":"uuid","description":"A UUID that a pur\#
chase carries; the all-zero one is none."},"Time":{"type":"string","format":"date-time","pattern":\#
"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in U\#
TC with three decimals."},"Amount":{"type":"integer","minimum":1,"maximum":1000000000,"default":1}\#
,"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"description":"1 to 200 bytes. It\#
s scope is the user, over all methods."},"Seq":{"type":"integer","minimum":0,"description":"The jo\#
urnal position that the answer reflects."},"SignedDocument":{"type":"string","description":"A JWS \#
in its compact form, as the store signed it."},"State":{"type":"string","enum":["no_account","tria\#
l","subscribed","free_with_credits","free_no_credits"],"description":"The first that matches: tria\#
l also when cancelled during the trial; subscribed is any other access by subscription, grace or g\#
rant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"type":"boolean"},"via":{"enum"\#
:["subscription","grace","grant","credits","free",null],"description":"What lets the user in; null\#
 where nothing does. free: the plan free names the feature."},"state":{"$ref":"#/components/schema\#
s/State"},"reason":{"enum":["no_account","not_in_plan","unknown_product","sandbox_not_admitted","r\#
evoked","billing_retry","expired","credits_exhausted","never_subscribed",null],"description":"Why \#
not, the first that matches; null where canRender is true. not_in_plan: there is access, by a plan\#
 that does not name the feature. unknown_product: something is paid for that no plan names. sandbo\#
x_not_admitted: apple.sandboxAccess does not let this user in."},"nextChangeAt":{"anyOf":[{"$ref":\#
"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"require\#
d":["canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","propertie\#
s":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},\#
"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access by subscript\#
ion, grace or grant, trials included."},"hadSubscription":{"type":"boolean","description":"Whether\#
 the user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["stri\#
ng","null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":{"type":["n\#
umber","string","boolean","null"]},"description":"Those of the plan, as the catalog has them; null\#
 is no limit."},"subscriptionMethod":{"type":["string","null"],"description":"What gives access no\#
w: app_store_subscription, google_play, stripe, grant, or the store that a grant names; null where\#
 nothing does."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"nex\#
tChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"paywall":{"type":"str\#
ing","enum":["none","resubscribe","start_trial","subscribe"],"description":"What to offer: none wi\#
th access by subscription, grace or grant, and to somebody who pays for a product that no plan nam\#
es."},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq\#
":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","ha\#
dSubscription","creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextCha\#
ngeAt","paywall","subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"t\#
ype":"string","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","e\#
xpired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description"\#
:"From the next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"stri\#
ng","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"t\#
ype":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null\#
"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpi\#
resAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["bool\#
ean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/T\#
ime"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}\#
]},"stale":{"type":"boolean","description":"A renewal is due and the store has not been heard."}},\#
"required":["status","productId","pendingProductId","store","environment","originalTransactionId",\#
"transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledA\#
t","revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"\#
},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransact\#
ionId":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"require\#
d":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"ty\#
pe":"string"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Ro\#
w":{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/Ro\#
wKey"},"value":{"description":"The decoded value."}},"required":["table","key","value"]}},"errors"\#
:{"ParseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","ret\#
ryable":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"co\#
de":"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no s\#
uch method.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,\#
"message":"A parameter is missing, unknown or not what it should be.","data":{"code":"invalid_para\#
ms","retryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"cod\#
e":"internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's \#
role does not include the method.","data":{"code":"permission_denied","retryable":false}},"NotRead\#
y":{"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":\#
true}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shut\#
ting_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","\#
data":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The\#
 document does not verify.","data":{"code":"verification_failed","retryable":false,"reason":"signa\#
ture"}},"OwnershipConflict":{"code":-32021,"message":"The purchase is another user's.","data":{"co\#
de":"ownership_conflict","retryable":false,"reason":"owned"}},"ClaimMismatch":{"code":-32022,"mess\#
age":"What is claimed differs from what is signed.","data":{"code":"claim_mismatch","retryable":fa\#
lse,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with ot\#
her arguments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-3202\#
4,"message":"There is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overl\#
oaded":{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryabl\#
e":true,"retryAfterMs":100}}}}}
"""#
}
