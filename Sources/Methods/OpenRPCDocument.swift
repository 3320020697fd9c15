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
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a subs\#
criber","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"userId":"\#
alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRe\#
maining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":nu\#
ll},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChan\#
geAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId\#
":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Product\#
ion","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"\#
2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"auto\#
Renew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}},{"name"\#
:"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"userId\#
":"nobody","state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"cr\#
editsRemaining":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null\#
,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":42}}}]},{"name":"getEntitleme\#
nt","summary":"The access by a purchase or a grant.","x-role":"reader","paramStructure":"by-name",\#
"params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sc\#
hemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{\#
"$ref":"#/components/schemas/Entitlement"}},"required":["entitlement"]}},"errors":[{"$ref":"#/comp\#
onents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/e\#
rrors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shut\#
tingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a subscriber","params":\#
[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"entitlement":{"isActive":t\#
rue,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTran\#
sactionId":"2000000000000001","environment":"Production"}}}},{"name":"nobody","params":[{"name":"u\#
serId","value":"nobody"}],"result":{"name":"result","value":{"entitlement":{"isActive":false}}}}]}\#
,{"name":"getCredits","summary":"A user's credits.","x-role":"reader","paramStructure":"by-name","\#
params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sch\#
emas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"balance":{"type\#
":"integer","description":"Spendable now, holds taken out."},"held":{"type":"integer","description\#
":"Set aside by reservations."},"buckets":{"type":"array","items":{"type":"object","properties":{"\#
amount":{"type":"integer"},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"nul\#
l"}]},"source":{"type":"string"}},"required":["amount","expiresAt","source"]},"description":"In th\#
e order of spending: soonest end first."}},"required":["balance","held","buckets"]}},"errors":[{"$\#
ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/\#
components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components\#
/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"three free \#
ones and a pack","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"ba\#
lance":12,"held":1,"buckets":[{"amount":2,"expiresAt":"2026-03-15T10:00:00.000Z","source":"grant"}\#
,{"amount":10,"expiresAt":null,"source":"pack:com.wearbloom.credits.10"}]}}}]},{"name":"getManagem\#
entURL","summary":"Where a user manages the subscription.","x-role":"reader","paramStructure":"by-\#
name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/UserId"}},{"name":"platform","summary":"Where the user reads the page; without it, tha\#
t of the store of the subscription shown.","schema":{"type":"string","enum":["ios","android","web"\#
]}}],"result":{"name":"result","schema":{"type":"object","properties":{"url":{"type":["string","nu\#
ll"]}},"required":["url"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"an App Store subscriber","params":[{"name":"userId","value":"alice"}\#
,{"name":"platform","value":"ios"}],"result":{"name":"result","value":{"url":"https://apps.apple.c\#
om/account/subscriptions"}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"resul\#
t":{"name":"result","value":{"url":null}}}]},{"name":"getHistory","summary":"What changed for a us\#
er, oldest first.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summar\#
y":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"afterSeq"\#
,"summary":"Events after this position.","schema":{"$ref":"#/components/schemas/Seq"}},{"name":"li\#
mit","summary":"How many at most; events of one position are never parted.","schema":{"type":"inte\#
ger","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"result","schema":{"type":"objec\#
t","properties":{"events":{"type":"array","items":{"type":"object","properties":{"seq":{"$ref":"#/\#
components/schemas/Seq"},"at":{"$ref":"#/components/schemas/Time"},"cause":{"type":"string"},"befo\#
re":{"$ref":"#/components/schemas/Status"},"after":{"$ref":"#/components/schemas/Status"}},"requir\#
ed":["seq","at","cause","before","after"]},"description":"What changed, when, why, and what was tr\#
ue before and after."},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Whe\#
re the journal was pruned before this moment, and the user was known then: what changed up to it i\#
s not told any more."}},"required":["events"]}},"errors":[{"$ref":"#/components/errors/InvalidPara\#
ms"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},\#
{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/com\#
ponents/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"an accou\#
nt begins","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"events":\#
[{"seq":42,"at":"2026-02-15T10:00:00.000Z","cause":"registered","before":{"userId":"bob","state":"\#
no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"p\#
lan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null\#
,"paywall":"subscribe","subscription":null,"seq":41},"after":{"userId":"alice","state":"subscribed\#
","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium\#
","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"\#
app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00\#
.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.mon\#
thly","pendingProductId":null,"store":"app_store","environment":"Production","originalTransactionI\#
d":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z",\#
"expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":fals\#
e,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}]}}}]},{"name":"explain","summary":\#
"Why a user's status is what it is.","x-role":"reader","paramStructure":"by-name","params":[{"name\#
":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},\#
{"name":"at","summary":"A past moment.","schema":{"$ref":"#/components/schemas/Time"}}],"result":{\#
"name":"result","schema":{"type":"object","properties":{"at":{"$ref":"#/components/schemas/Time"},\#
"rule":{"type":"string","description":"The rule that decided."},"because":{"type":"string","descri\#
ption":"The same, as a sentence."},"catalogVersion":{"type":"integer","description":"Counts the ca\#
talogs installed."},"facts":{"type":"array","items":{"type":"object"},"description":"The purchases\#
, with everything that the store said of them."},"grants":{"type":"array","items":{"type":"object"\#
}},"credits":{"type":"object"},"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/co\#
mponents/schemas/Seq"}},"required":["at","rule","because","catalogVersion","facts","grants","credi\#
ts","status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components\#
/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/erro\#
rs/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"\#
},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a stranger","params":[{"name":"use\#
rId","value":"bob"}],"result":{"name":"result","value":{"at":"2026-02-15T10:00:00.000Z","rule":"no\#
_account","because":"No write has named this user.","catalogVersion":1,"facts":[],"grants":[],"cre\#
dits":{"balance":0,"held":0,"owed":0},"status":{"userId":"bob","state":"no_account","canRender":fa\#
lse,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tier":"free","l\#
imits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","su\#
bscription":null,"seq":41},"seq":41}}}]},{"name":"watch","summary":"Be told of every change from n\#
ow on.","description":"The result is followed by notifications on this connection: entitlementChan\#
ged {seq, userId, cause, status}, one per change; catalogChanged {seq, version}; heartbeat {seq} e\#
very 15 s; resync {oldest} when the cursor is too old or too much was missed. coalesced: true stan\#
ds in an entitlementChanged that takes the place of older ones of the same user, because more than\#
 256 waited unsent.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userIds","sum\#
mary":"Of these users; of everybody when absent.","schema":{"type":"array","maxItems":10000,"items\#
":{"$ref":"#/components/schemas/UserId"}}},{"name":"fromSeq","summary":"Also of what changed after\#
 this position.","schema":{"$ref":"#/components/schemas/Seq"}}],"result":{"name":"result","schema"\#
:{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"}},"required":["seq"]}},"e\#
rrors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},\#
{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#\#
/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"\#
everybody","params":[],"result":{"name":"result","value":{"seq":42}}}]},{"name":"registerAccount",\#
"summary":"Begin a user's account, or link another token to it.","description":"Free credits come \#
with the first call for a user. Purchases with the token that nobody owns become the user's. Repea\#
ting it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"\#
The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"appAccountTok\#
en","summary":"The token; derived from the user when absent.","schema":{"$ref":"#/components/schem\#
as/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"appAccountToken":{\#
"$ref":"#/components/schemas/Token"},"created":{"type":"boolean","description":"Whether this call \#
began the account."},"creditsRemaining":{"type":"integer"}},"required":["appAccountToken","created\#
","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/componen\#
ts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/er\#
rors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFu\#
ll"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"the first time","param\#
s":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640e\#
e36-9aef-80b6-aa42-790840cec83b","created":true,"creditsRemaining":3}}},{"name":"again","params":[\#
{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640ee36-\#
9aef-80b6-aa42-790840cec83b","created":false,"creditsRemaining":3}}}]},{"name":"verifyPurchase","s\#
ummary":"Link a signed purchase to a user.","description":"A claim that differs from what is signe\#
d is refused. A purchase is never taken from another user. Repeating it is safe.","x-role":"app","\#
paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema\#
":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransaction","summary":"The signed transa\#
ction; without it the store is asked for `transactionId`.","schema":{"$ref":"#/components/schemas/\#
SignedDocument"}},{"name":"signedRenewalInfo","summary":"The store's signed renewal information.",\#
"schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"productId","summary":"Claim: whi\#
ch product was bought.","schema":{"type":"string"}},{"name":"transactionId","summary":"Claim: the \#
store's name for the transaction.","schema":{"type":"string"}},{"name":"originalTransactionId","su\#
mmary":"Claim: the store's name for the subscription.","schema":{"type":"string"}},{"name":"appAcc\#
ountToken","summary":"Claim: the token that the purchase was made with; names a signed token of no\#
body.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":{"type"\#
:"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$ref"\#
:"#/components/schemas/Status"},"applied":{"type":"boolean","description":"Whether a document was \#
newer than what is kept."}},"required":["entitlement","status","applied"]}},"errors":[{"$ref":"#/c\#
omponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/component\#
s/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/S\#
huttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Verification\#
Failed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/components/errors/ClaimMismat\#
ch"}],"examples":[{"name":"a new purchase","summary":"The document is shortened.","params":[{"name\#
":"userId","value":"alice"},{"name":"signedTransaction","value":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.\#
e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":\#
"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000\#
000000000001","environment":"Production"},"status":{"userId":"alice","state":"subscribed","canRend\#
er":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"\#
paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_\#
subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","pa\#
ywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pen\#
dingProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"200000\#
0000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt\#
":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancell\#
edAt":null,"revokedAt":null,"stale":false},"seq":42},"applied":true}}}]},{"name":"restorePurchases\#
","summary":"Link what a user's device knows of their purchases.","description":"A purchase of ano\#
ther user goes by accounts.transferPolicy. One document that does not verify fails the call, with \#
its place in data.index, and nothing is applied.","x-role":"app","paramStructure":"by-name","param\#
s":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/\#
UserId"}},{"name":"signedTransactions","summary":"The device's transactions.","required":true,"sch\#
ema":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocum\#
ent"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"\#
#/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"results":{"typ\#
e":"array","items":{"type":"object","properties":{"originalTransactionId":{"type":"string"},"outco\#
me":{"type":"string","enum":["linked","already_owned","moved","shared","refused"]}},"required":["o\#
riginalTransactionId","outcome"]},"description":"One for each subscription, in order of appearance\#
."}},"required":["entitlement","status","results"]}},"errors":[{"$ref":"#/components/errors/Invali\#
dParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDeni\#
ed"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"\#
#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/\#
errors/VerificationFailed"}],"examples":[{"name":"a new phone, another account","params":[{"name":\#
"userId","value":"bob"},{"name":"signedTransactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e3\#
0.c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"\#
com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"20000\#
00000000001","environment":"Production"},"status":{"userId":"alice","state":"subscribed","canRende\#
r":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"p\#
aid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_s\#
ubscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","pay\#
wall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pend\#
ingProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000\#
000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt"\#
:"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelle\#
dAt":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"originalTransactionId":"200000000\#
0000001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":"Link the purchases of an app \#
receipt of the time before StoreKit 2.","description":"The receipt is verified here; Apple's verif\#
yReceipt is not called.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","sum\#
mary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receip\#
tData","summary":"The receipt, base64.","required":true,"schema":{"type":"string"}},{"name":"produ\#
ctId","summary":"The product that is asked about.","schema":{"type":"string"}}],"result":{"name":"\#
result","schema":{"type":"object","properties":{"isValid":{"type":"boolean","description":"Whether\#
 the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"typ\#
e":"null"}]},"tier":{"type":"string"},"message":{"type":"string","description":"One sentence for p\#
eople."},"status":{"$ref":"#/components/schemas/Status"}},"required":["isValid","expiresAt","tier"\#
,"message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/component\#
s/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/err\#
ors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFul\#
l"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"},{"\#
$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a subscriber","params":[{"nam\#
e":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"result":{"name":"result","value\#
":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","message":"The purchase giv\#
es access.","status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"\#
hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes"\#
:107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"202\#
6-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{\#
"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"a\#
pp_store","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"2\#
000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","\#
gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"s\#
tale":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend credits, once per key.","desc\#
ription":"The first answer under a key, also insufficient, is kept for 30 days and given again.","\#
x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","require\#
d":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The s\#
ame key never charges twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKe\#
y"}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/components/schemas/Amount"}}],"res\#
ult":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["\#
consumed","insufficient","unlimited"],"description":"unlimited: the user's plan renders without co\#
unting; nothing was charged or stored."},"creditsRemaining":{"type":"integer","description":"What \#
can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first a\#
nswer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["outcome","credits\#
Remaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/c\#
omponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compon\#
ents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/St\#
orageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMism\#
atch"}],"examples":[{"name":"the last credit","params":[{"name":"userId","value":"bob"},{"name":"i\#
dempotencyKey","value":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","cre\#
ditsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same again, after a lost connection","p\#
arams":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{\#
"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed":true,"seq":51}}}]},{\#
"name":"reserveCredits","summary":"Set credits aside for a render whose success is not known yet."\#
,"x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","requi\#
red":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The\#
 same key never reserves twice.","required":true,"schema":{"$ref":"#/components/schemas/Idempotenc\#
yKey"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum\#
":1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so long they return by themselves\#
.","required":true,"schema":{"type":"integer","minimum":1,"maximum":604800}},{"name":"releaseOnDis\#
connect","summary":"They return when this connection, or the daemon, ends.","schema":{"type":"bool\#
ean"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"strin\#
g","enum":["reserved","insufficient","unlimited","released"],"description":"released: it was reser\#
ved under this key, and returned when its connection ended."},"reservation":{"type":["string","nul\#
l"],"description":"The reservation's name; null where nothing is held."},"creditsRemaining":{"type\#
":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Wh\#
ether this is the stored first answer to the same key."}},"required":["outcome","reservation","cre\#
ditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismat\#
ch"}],"examples":[{"name":"one credit for five minutes","params":[{"name":"userId","value":"bob"},\#
{"name":"idempotencyKey","value":"render-816"},{"name":"amount","value":1},{"name":"ttlSeconds","v\#
alue":300}],"result":{"name":"result","value":{"outcome":"reserved","reservation":"r52","creditsRe\#
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
"examples":[{"name":"done","params":[{"name":"reservation","value":"r52"}],"result":{"name":"resul\#
t","value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":"releaseReservation","summary"\#
:"Give back what is held.","x-role":"app","paramStructure":"by-name","params":[{"name":"reservatio\#
n","summary":"Its name.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","s\#
chema":{"type":"object","properties":{"outcome":{"type":"string","enum":["released","expired","com\#
mitted"]},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"required"\#
:["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],\#
"examples":[{"name":"the render failed","params":[{"name":"reservation","value":"r52"}],"result":{\#
"name":"result","value":{"outcome":"released","creditsRemaining":3}}}]},{"name":"reverseCredits","\#
summary":"Put a charge back into the buckets that it came from; what has ended stays ended.","x-ro\#
le":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":t\#
rue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same \#
key never puts back twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"\#
}},{"name":"consumeKey","summary":"The key of the consumeCredit.","required":true,"schema":{"$ref"\#
:"#/components/schemas/IdempotencyKey"}}],"result":{"name":"result","schema":{"type":"object","pro\#
perties":{"outcome":{"type":"string","enum":["reversed","nothing"],"description":"nothing: nothing\#
 was charged, or it was put back before."},"creditsRemaining":{"type":"integer","description":"Wha\#
t can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first\#
 answer to the same key."}},"required":["outcome","creditsRemaining","replayed"]}},"errors":[{"$re\#
f":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/co\#
mponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/e\#
rrors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overl\#
oaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"}\#
],"examples":[{"name":"the picture was broken","params":[{"name":"userId","value":"bob"},{"name":"\#
idempotencyKey","value":"refund-815"},{"name":"consumeKey","value":"render-815"}],"result":{"name"\#
:"result","value":{"outcome":"reversed","creditsRemaining":1,"replayed":false}}}]},{"name":"grantE\#
ntitlement","summary":"Give a user the access of a plan.","description":"An unknown plan is invali\#
d_params. A repeated key with the same parameters gets the first answer, with others idempotency_m\#
ismatch.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The us\#
er.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"plan","summary":"A \#
plan of the catalog.","required":true,"schema":{"type":"string"}},{"name":"idempotencyKey","summar\#
y":"The same key never makes a second grant.","required":true,"schema":{"$ref":"#/components/schem\#
as/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","schema":{"$ref":"#/components/schem\#
as/Time"}},{"name":"startsAt","summary":"The beginning; now when absent.","schema":{"$ref":"#/comp\#
onents/schemas/Time"}},{"name":"store","summary":"What `subscriptionMethod` shows instead of grant\#
.","schema":{"type":"string","enum":["app_store","google_play","stripe"]}},{"name":"reason","summa\#
ry":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type\#
":"object","properties":{"grant":{"type":"string","description":"The grant's name, for revokeGrant\#
."},"status":{"$ref":"#/components/schemas/Status"},"replayed":{"type":"boolean","description":"Wh\#
ether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}\#
},"required":["grant","status","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"\#
name":"a month of premium","params":[{"name":"userId","value":"bob"},{"name":"plan","value":"premi\#
um"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expiresAt","value":"2026-03-15T10:0\#
0:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"grant":"g4\#
3","status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscrip\#
tion":false,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182\#
400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"2026-03-15T10:00:00.000Z","nex\#
tChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":null,"seq":43},"replayed":fa\#
lse,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back.","x-role":"admin","paramStru\#
cture":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref"\#
:"#/components/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"sc\#
hema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"stri\#
ng"}}],"result":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/compo\#
nents/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"e\#
rrors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},\#
{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#\#
/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components\#
/errors/NotFound"}],"examples":[{"name":"take it back","params":[{"name":"userId","value":"bob"},{\#
"name":"grant","value":"g43"}],"result":{"name":"result","value":{"status":{"userId":"bob","state"\#
:"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"creditsRemaini\#
ng":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7},"subscript\#
ionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"se\#
q":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user credits.","x-role":"admin","par\#
amStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{\#
"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"sch\#
ema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The \#
same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKe\#
y"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref":"#/compone\#
nts/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits shows it.","sc\#
hema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"stri\#
ng"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemaining":{"type\#
":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Wh\#
ether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}\#
},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/Invali\#
dParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDeni\#
ed"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"\#
#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/\#
errors/IdempotencyMismatch"}],"examples":[{"name":"an apology","params":[{"name":"userId","value":\#
"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","value":"support-4712"},{"name":"reaso\#
n","value":"an apology"}],"result":{"name":"result","value":{"creditsRemaining":8,"replayed":false\#
,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a user's credits, up or down; stops at 0\#
.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","r\#
equired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How man\#
y.","required":true,"schema":{"type":"integer","minimum":-1000000000,"maximum":1000000000}},{"name\#
":"idempotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref":"\#
#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when ab\#
sent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come \#
from, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for th\#
e history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","prop\#
erties":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{\#
"type":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{\#
"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{\#
"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"\#
#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/componen\#
ts/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/O\#
verloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"a correction"\#
,"params":[{"name":"userId","value":"bob"},{"name":"amount","value":-2},{"name":"idempotencyKey","\#
value":"support-4712"},{"name":"reason","value":"given twice"}],"result":{"name":"result","value":\#
{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"dump","summary":"A page of what is k\#
ept.","description":"Values are decoded. A page ends early where the reply would be longer than a \#
frame, so only a null cursor says that it was the last.","x-role":"admin","paramStructure":"by-nam\#
e","params":[{"name":"table","summary":"Only this table; all of them when absent.","schema":{"type\#
":"string"}},{"name":"prefix","summary":"Only keys that begin so.","schema":{"type":"string"}},{"n\#
ame":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}},{"name":"limit"\#
,"summary":"How many rows at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"default\#
":100}}],"result":{"name":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/componen\#
ts/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cursor":{\#
"type":["string","null"],"description":"For the next page; null after the last row."}},"required":\#
["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Over\#
loaded"}],"examples":[{"name":"the only token","params":[{"name":"table","value":"tokens"},{"name"\#
:"limit","value":2}],"result":{"name":"result","value":{"seq":42,"entries":[{"table":"tokens","key\#
":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"name":"\#
get","summary":"One row.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","s\#
ummary":"The table.","required":true,"schema":{"type":"string"}},{"name":"key","summary":"The key,\#
 as dump shows it.","required":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"result":{"n\#
ame":"result","schema":{"type":"object","properties":{"value":{"description":"The decoded value."}\#
},"required":["value"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compone\#
nts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/e\#
rrors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overload\#
ed"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"whose token it is","params":[{"\#
name":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"re\#
sult":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name":"load","summary":"Take in \#
rows as dump writes them.","description":"One call is one entry of the journal: all of it or nothi\#
ng. A row that is here with another value refuses the call, with its place in data.index; one that\#
 is equal counts as loaded. Rows of meta, alarms and ticks are passed over. Load every page of a d\#
ump before the users come.","x-role":"admin","paramStructure":"by-name","params":[{"name":"entries\#
","summary":"The rows.","required":true,"schema":{"type":"array","minItems":1,"maxItems":1000,"ite\#
ms":{"$ref":"#/components/schemas/Row"}}}],"result":{"name":"result","schema":{"type":"object","pr\#
operties":{"loaded":{"type":"integer","minimum":0,"description":"How many rows are now as they wer\#
e to be."}},"required":["loaded"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a token","params"\#
:[{"name":"entries","value":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value\#
":{"userId":"bob"}}]}],"result":{"name":"result","value":{"loaded":1}}}]},{"name":"eraseUser","sum\#
mary":"Forgets a person.","description":"Every row about the person goes; the rows of the journal \#
keep amounts, and a pseudonym in the place of the user id, the tokens and the ids of the store. Wh\#
at stores say of the person later is answered and not kept, until registerAccount names the person\#
 again; then free credits are not given a second time. Backups made before still hold the person."\#
,"x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"Whom to forget.\#
","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","sch\#
ema":{"type":"object","properties":{"erased":{"type":"boolean","description":"Whether there was so\#
mebody to forget."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["erased","seq"]}},"erro\#
rs":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$\#
ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/co\#
mponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/er\#
rors/Overloaded"}],"examples":[{"name":"Forgotten","params":[{"name":"userId","value":"user-1"}],"\#
result":{"name":"result","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","summary":"Ev\#
erything kept about a person.","description":"One reply for most people. Where it would be longer \#
than a frame, the lists go on on the next page; the account stands on every page.","x-role":"admin\#
","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"sch\#
ema":{"$ref":"#/components/schemas/UserId"}},{"name":"cursor","summary":"Where the page before end\#
ed.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties"\#
:{"userId":{"$ref":"#/components/schemas/UserId"},"account":{"type":["object","null"],"description\#
":"As dump writes it; null, and nothing else, for a user of whom nothing is kept."},"seq":{"$ref":\#
"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description"\#
:"Where the journal was pruned before this moment: earlier events are not kept."},"tokens":{"type"\#
:"array","description":"Their tokens."},"subscriptions":{"type":"array","description":"With their \#
facts, as dump writes them."},"settlements":{"type":"array","description":"First answers under the\#
ir keys."},"reservations":{"type":"array","description":"Credits that were held."},"packs":{"type"\#
:"array","description":"Credit packs."},"events":{"type":"array","description":"The journal's entr\#
ies about them, oldest first."},"cursor":{"type":["string","null"],"description":"For the next pag\#
e; null after the last."}},"required":["userId","account"]}},"errors":[{"$ref":"#/components/error\#
s/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permis\#
sionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{\#
"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":"userId",\#
"value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","account":null}}}]},{"name\#
":"backup","summary":"Copy one consistent state into a new directory.","description":"Made under a\#
nother name, flushed, verified by replaying its journal, then renamed. Writes go on meanwhile. One\#
 at a time.","x-role":"admin","paramStructure":"by-name","params":[{"name":"path","summary":"Absol\#
ute, on the daemon's host, not there yet; it becomes a data directory.","required":true,"schema":{\#
"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"path":{"type\#
":"string"},"bytes":{"type":"integer","minimum":1,"description":"The bytes of its files."},"digest\#
":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then the journal\#
's segments in their order."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["path","bytes\#
","digest","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/e\#
rrors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors\#
/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"}\#
,{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"every night","params":[{"name":"p\#
ath","value":"/var/backups/entitld/2026-02-15"}],"result":{"name":"result","value":{"path":"/var/b\#
ackups/entitld/2026-02-15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b82\#
2cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLevel","summary":"Change what is logged, until th\#
e configuration is read again.","x-role":"admin","paramStructure":"by-name","params":[{"name":"lev\#
el","summary":"The least level.","required":true,"schema":{"type":"string","enum":["trace","debug"\#
,"info","notice","warning","error","critical"]}}],"result":{"name":"result","schema":{"type":"obje\#
ct","properties":{"level":{"type":"string"}},"required":["level"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"more","params":[{"name":"lev\#
el","value":"debug"}],"result":{"name":"result","value":{"level":"debug"}}}]},{"name":"stats","sum\#
mary":"Figures about the daemon.","x-role":"admin","paramStructure":"by-name","params":[],"result"\#
:{"name":"stats","schema":{"type":"object","properties":{"version":{"type":"string"},"seq":{"$ref"\#
:"#/components/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"integer"\#
},"plans":{"type":"array","items":{"type":"string"}},"commands":{"type":"integer"},"groups":{"type\#
":"integer"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps":{"type"\#
:"integer"},"journal":{"type":"object","properties":{"bytes":{"type":"integer"},"prunedSeq":{"type\#
":"integer","description":"The newest position that was pruned; 0 while everything is there."},"ol\#
dest":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"description":"From when on \#
everything is known; null while everything is there."}},"required":["bytes","prunedSeq","oldest"]}\#
,"views":{"type":"object","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":"integer\#
"},"readers":{"type":"integer"}},"required":["mapBytes","usedBytes","readers"]}},"required":["vers\#
ion","seq","uptimeSeconds","catalogVersion","plans","commands","groups","queueDepth","storageFull"\#
,"clockJumps","journal","views"],"description":"The set grows."}},"errors":[{"$ref":"#/components/\#
errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/P\#
ermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDow\#
n"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"resu\#
lt":{"name":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"pl\#
ans":["free","paid","premium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clock\#
Jumps":0,"journal":{"bytes":65536,"prunedSeq":0,"oldest":null},"views":{"mapBytes":68719476736,"us\#
edBytes":81920,"readers":3}}}}]},{"name":"reconcile","summary":"Ask the store what was missed.","d\#
escription":"Needs apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","p\#
arams":[{"name":"userId","summary":"About this user, and wait; without, begin a round through ever\#
ything.","schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"ty\#
pe":"object","properties":{"applied":{"type":"boolean","description":"With a user: whether somethi\#
ng was newer than what was kept."},"status":{"$ref":"#/components/schemas/Status"},"running":{"typ\#
e":"boolean","description":"Without a user: true; progress is in stats."}},"required":[]}},"errors\#
":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$re\#
f":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/comp\#
onents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/erro\#
rs/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"one user","params":[\#
{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"applied":true,"status":{"user\#
Id":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"cred\#
itsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDay\#
s":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nex\#
tChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","prod\#
uctId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Pr\#
oduction","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchased\#
At":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,\#
"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}},{\#
"name":"everything","params":[],"result":{"name":"result","value":{"running":true}}}]},{"name":"te\#
stNotification","summary":"Ask Apple to send a test notification, and wait for it.","description":\#
"The check of the set-up that every new operator wants. Needs apple.api in the configuration.","x-\#
role":"admin","paramStructure":"by-name","params":[{"name":"timeoutSeconds","summary":"How long.",\#
"schema":{"type":"integer","minimum":1,"maximum":600,"default":60}}],"result":{"name":"result","sc\#
hema":{"type":"object","properties":{"delivered":{"type":"boolean","description":"Whether Apple co\#
uld deliver it here."},"sendAttemptResult":{"type":["string","null"],"description":"What Apple say\#
s of the attempt."}},"required":["delivered","sendAttemptResult"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examp\#
les":[{"name":"it works","params":[],"result":{"name":"result","value":{"delivered":true,"sendAtte\#
mptResult":"SUCCESS"}}}]},{"name":"ping","summary":"Whether the daemon answers.","description":"An\#
swers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"\#
result":{"name":"nothing","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/Inter\#
nalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded\#
"}],"examples":[{"name":"ping","params":[],"result":{"name":"result","value":{}}}]},{"name":"versi\#
on","summary":"Which daemon answers.","description":"Answers before the daemon is ready, too.","x-\#
role":"reader","paramStructure":"by-name","params":[],"result":{"name":"versions","schema":{"type"\#
:"object","properties":{"entitld":{"type":"string","description":"The daemon's version."},"protoco\#
l":{"type":"string","description":"The major version of the protocol: of frames, methods and words\#
."},"format":{"type":"integer","description":"The version of what is on disk."}},"required":["enti\#
tld","protocol","format"]}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"v\#
ersion","params":[],"result":{"name":"result","value":{"entitld":"0.1.0","protocol":"1","format":1\#
}}}]},{"name":"rpc.discover","summary":"This document.","x-role":"reader","paramStructure":"by-nam\#
e","params":[],"result":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githubusercontent.c\#
om/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$ref":"#/components/errors/InvalidParams\#
"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"\#
$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compo\#
nents/errors/Overloaded"}],"examples":[{"name":"discover","summary":"The document is shortened.","\#
params":[],"result":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":"entitld","version\#
":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string","minLength":1,"ma\#
xLength":256,"description":"1 to 256 bytes of UTF-8 without control characters, compared byte by b\#
yte."},"Token":{"type":"string","format":"uuid","description":"A UUID that a purchase carries; the\#
 all-zero one is none."},"Time":{"type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2\#
}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC with three deci\#
mals."},"Amount":{"type":"integer","minimum":1,"maximum":1000000000,"default":1},"IdempotencyKey":\#
{"type":"string","minLength":1,"maxLength":200,"description":"1 to 200 bytes. Its scope is the use\#
r, over all methods."},"Seq":{"type":"integer","minimum":0,"description":"The journal position tha\#
t the answer reflects."},"SignedDocument":{"type":"string","description":"A JWS in its compact for\#
m, as the store signed it."},"State":{"type":"string","enum":["no_account","trial","subscribed","f\#
ree_with_credits","free_no_credits"],"description":"The first that matches: trial also when cancel\#
led during the trial; subscribed is any other access by subscription, grace or grant."},"RenderAns\#
wer":{"type":"object","properties":{"canRender":{"type":"boolean"},"via":{"enum":["subscription","\#
grace","grant","credits",null],"description":"What gives the access; null without it."},"state":{"\#
$ref":"#/components/schemas/State"},"reason":{"enum":["no_account","revoked","billing_retry","expi\#
red","credits_exhausted","never_subscribed",null],"description":"Why not; null with access."},"nex\#
tChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/compo\#
nents/schemas/Seq"}},"required":["canRender","via","state","reason","nextChangeAt","seq"]},"Status\#
":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"\#
#/components/schemas/State"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","desc\#
ription":"Access by subscription, grace or grant, trials included."},"hadSubscription":{"type":"bo\#
olean","description":"Whether the user ever owned a subscription."},"creditsRemaining":{"type":"in\#
teger"},"plan":{"type":["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","addi\#
tionalProperties":{"type":["number","string","boolean","null"]},"description":"Those of the plan, \#
as the catalog has them; null is no limit."},"subscriptionMethod":{"type":["string","null"],"descr\#
iption":"app_store_subscription, google_play, stripe, grant, or the store that a grant names."},"e\#
xpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf"\#
:[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"paywall":{"type":"string","enum":["none"\#
,"resubscribe","start_trial","subscribe"]},"subscription":{"anyOf":[{"$ref":"#/components/schemas/\#
Subscription"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","\#
state","canRender","isSubscriber","hadSubscription","creditsRemaining","plan","tier","limits","sub\#
scriptionMethod","expiresAt","nextChangeAt","paywall","subscription","seq"]},"Subscription":{"type\#
":"object","properties":{"status":{"type":"string","enum":["revoked","cancelled","trial","subscrib\#
ed","grace_period","billing_retry","expired"]},"productId":{"type":"string"},"pendingProductId":{"\#
type":["string","null"],"description":"From the next renewal on, if it changes."},"store":{"type":\#
"string"},"environment":{"type":"string","enum":["Production","Sandbox"]},"originalTransactionId":\#
{"type":"string"},"transactionId":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/co\#
mponents/schemas/Time"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time\#
"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type"\#
:"null"}]},"autoRenew":{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"an\#
yOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/comp\#
onents/schemas/Time"},{"type":"null"}]},"stale":{"type":"boolean","description":"A renewal is due \#
and the store has not been heard."}},"required":["status","productId","pendingProductId","store","\#
environment","originalTransactionId","transactionId","purchasedAt","expiresAt","gracePeriodExpires\#
At","autoRenew","isTrial","cancelledAt","revokedAt","stale"]},"Entitlement":{"type":"object","prop\#
erties":{"isActive":{"type":"boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/compon\#
ents/schemas/Time"},"originalTransactionId":{"type":"string"},"environment":{"type":"string","enum\#
":["Production","Sandbox"]}},"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type"\#
:"object","properties":{"base64":{"type":"string"}},"required":["base64"]}],"description":"Text, o\#
r base64 where it is not UTF-8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"\#
key":{"$ref":"#/components/schemas/RowKey"},"value":{"description":"The decoded value."}},"require\#
d":["table","key","value"]}},"errors":{"ParseError":{"code":-32700,"message":"The frame is not JSO\#
N.","data":{"code":"parse_error","retryable":false}},"InvalidRequest":{"code":-32600,"message":"Th\#
e JSON is not a request.","data":{"code":"invalid_request","retryable":false}},"MethodNotFound":{"\#
code":-32601,"message":"There is no such method.","data":{"code":"method_not_found","retryable":fa\#
lse}},"InvalidParams":{"code":-32602,"message":"A parameter is missing, unknown or not what it sho\#
uld be.","data":{"code":"invalid_params","retryable":false}},"InternalError":{"code":-32603,"messa\#
ge":"The daemon failed.","data":{"code":"internal_error","retryable":false}},"PermissionDenied":{"\#
code":-32001,"message":"The caller's role does not include the method.","data":{"code":"permission\#
_denied","retryable":false}},"NotReady":{"code":-32002,"message":"The daemon is not ready yet.","d\#
ata":{"code":"not_ready","retryable":true}},"ShuttingDown":{"code":-32003,"message":"The daemon is\#
 shutting down.","data":{"code":"shutting_down","retryable":true}},"StorageFull":{"code":-32010,"m\#
essage":"There is no room on disk.","data":{"code":"storage_full","retryable":true}},"Verification\#
Failed":{"code":-32020,"message":"The document does not verify.","data":{"code":"verification_fail\#
ed","retryable":false,"reason":"signature"}},"OwnershipConflict":{"code":-32021,"message":"The pur\#
chase, or the token, is another user's.","data":{"code":"ownership_conflict","retryable":false}},"\#
ClaimMismatch":{"code":-32022,"message":"What is claimed differs from what is signed.","data":{"co\#
de":"claim_mismatch","retryable":false,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,\#
"message":"The key was used with other arguments.","data":{"code":"idempotency_mismatch","retryabl\#
e":false}},"NotFound":{"code":-32024,"message":"There is no such grant or row.","data":{"code":"no\#
t_found","retryable":false}},"Overloaded":{"code":-32029,"message":"Too much is asked at once.","d\#
ata":{"code":"overloaded","retryable":true,"retryAfterMs":100}}}}}
"""#
}
