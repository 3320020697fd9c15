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
lse,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back; one that was taken back befo\#
re is not_found.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary"\#
:"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"grant","sum\#
mary":"The grant's name.","required":true,"schema":{"type":"string"}},{"name":"reason","summary":"\#
Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"ob\#
ject","properties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/sc\#
hemas/Seq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},\#
{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$re\#
f":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/componen\#
ts/errors/StorageFull"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"take it back\#
","params":[{"name":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"resu\#
lt","value":{"status":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":\#
false,"hadSubscription":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageB\#
ytes":262144000,"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,\#
"paywall":"subscribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary"\#
:"Give a user credits.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","su\#
mmary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amoun\#
t","summary":"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":10000000\#
00}},{"name":"idempotencyKey","summary":"The same key never counts twice.","required":true,"schema\#
":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; ne\#
ver when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where\#
 they come from, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"\#
Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"ob\#
ject","properties":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"\#
replayed":{"type":"boolean","description":"Whether this is the stored first answer to the same key\#
."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},\#
"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"\#
},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":\#
"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/componen\#
ts/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"an\#
 apology","params":[{"name":"userId","value":"bob"},{"name":"amount","value":5},{"name":"idempoten\#
cyKey","value":"support-4712"},{"name":"reason","value":"an apology"}],"result":{"name":"result","\#
value":{"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Cor\#
rect a user's credits, up or down; stops at 0.","x-role":"admin","paramStructure":"by-name","param\#
s":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/\#
UserId"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minim\#
um":-1000000000,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never coun\#
ts twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expir\#
esAt","summary":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}}\#
,{"name":"source","summary":"Where they come from, as getCredits shows it.","schema":{"type":"stri\#
ng"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"n\#
ame":"result","schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","descri\#
ption":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the s\#
tored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["cred\#
itsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyM\#
ismatch"}],"examples":[{"name":"a correction","params":[{"name":"userId","value":"bob"},{"name":"a\#
mount","value":-2},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"give\#
n twice"}],"result":{"name":"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},\#
{"name":"dump","summary":"A page of what is kept.","description":"Values are decoded. A page ends \#
early where the reply would be longer than a frame, so only a null cursor says that it was the las\#
t.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"Only this tab\#
le; all of them when absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only keys th\#
at begin so.","schema":{"type":"string"}},{"name":"cursor","summary":"Where the page before ended.\#
","schema":{"type":"string"}},{"name":"limit","summary":"How many rows at most.","schema":{"type":\#
"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"type":"ob\#
ject","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","items":{"\#
$ref":"#/components/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For the next \#
page; null after the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token","param\#
s":[{"name":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result","value\#
":{"seq":42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"us\#
erId":"alice"}}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramStru\#
cture":"by-name","params":[{"name":"table","summary":"The table.","required":true,"schema":{"type"\#
:"string"}},{"name":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref":\#
"#/components/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties":\#
{"value":{"description":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/compone\#
nts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/erro\#
rs/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shuttin\#
gDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"exampl\#
es":[{"name":"whose token it is","params":[{"name":"table","value":"tokens"},{"name":"key","value"\#
:"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"userId":"al\#
ice"}}}}]},{"name":"load","summary":"Take in rows as dump writes them.","description":"One call is\#
 one entry of the journal: all of it or nothing. A row that is here with another value refuses the\#
 call, with its place in data.index; one that is equal counts as loaded. Rows of meta, alarms and \#
ticks are passed over. Load every page of a dump before the users come.","x-role":"admin","paramSt\#
ructure":"by-name","params":[{"name":"entries","summary":"The rows.","required":true,"schema":{"ty\#
pe":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/components/schemas/Row"}}}],"result":{\#
"name":"result","schema":{"type":"object","properties":{"loaded":{"type":"integer","minimum":0,"de\#
scription":"How many rows are now as they were to be."}},"required":["loaded"]}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloa\#
ded"}],"examples":[{"name":"a token","params":[{"name":"entries","value":[{"table":"tokens","key":\#
"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],"result":{"name":"result","val\#
ue":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person.","description":"Every row ab\#
out the person goes; the rows of the journal keep amounts, and a pseudonym in the place of the use\#
r id, the tokens and the ids of the store. What stores say of the person later is answered and not\#
 kept, until registerAccount names the person again; then free credits are not given a second time\#
. Backups made before still hold the person.","x-role":"admin","paramStructure":"by-name","params"\#
:[{"name":"userId","summary":"Whom to forget.","required":true,"schema":{"$ref":"#/components/sche\#
mas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"erased":{"type":\#
"boolean","description":"Whether there was somebody to forget."},"seq":{"$ref":"#/components/schem\#
as/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$\#
ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":\#
"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/\#
errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"Forgotten","p\#
arams":[{"name":"userId","value":"user-1"}],"result":{"name":"result","value":{"erased":true,"seq"\#
:4021}}}]},{"name":"exportUser","summary":"Everything kept about a person.","description":"One rep\#
ly for most people. Where it would be longer than a frame, the lists go on on the next page; the a\#
ccount stands on every page.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userI\#
d","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":\#
"cursor","summary":"Where the page before ended.","schema":{"type":"string"}}],"result":{"name":"r\#
esult","schema":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"ac\#
count":{"type":["object","null"],"description":"As dump writes it; null, and nothing else, for a u\#
ser of whom nothing is kept."},"seq":{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref\#
":"#/components/schemas/Time"}],"description":"Where the journal was pruned before this moment: ea\#
rlier events are not kept."},"tokens":{"type":"array","description":"Their tokens."},"subscription\#
s":{"type":"array","description":"With their facts, as dump writes them."},"settlements":{"type":"\#
array","description":"First answers under their keys."},"reservations":{"type":"array","descriptio\#
n":"Credits that were held."},"packs":{"type":"array","description":"Credit packs."},"events":{"ty\#
pe":"array","description":"The journal's entries about them, oldest first."},"cursor":{"type":["st\#
ring","null"],"description":"For the next page; null after the last."}},"required":["userId","acco\#
unt"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Intern\#
alError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},\#
{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":\#
[{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":\#
{"userId":"nobody","account":null}}}]},{"name":"backup","summary":"Copy one consistent state into \#
a new directory.","description":"Made under another name, flushed, verified by replaying its journ\#
al, then renamed. Writes go on meanwhile. One at a time.","x-role":"admin","paramStructure":"by-na\#
me","params":[{"name":"path","summary":"Absolute, on the daemon's host, not there yet; it becomes \#
a data directory.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","schema"\#
:{"type":"object","properties":{"path":{"type":"string"},"bytes":{"type":"integer","minimum":1,"de\#
scription":"The bytes of its files."},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","descri\#
ption":"SHA-256 of data.mdb, then the journal's segments in their order."},"seq":{"$ref":"#/compon\#
ents/schemas/Seq"}},"required":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#/components/e\#
rrors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Pe\#
rmissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown\#
"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples\#
":[{"name":"every night","params":[{"name":"path","value":"/var/backups/entitld/2026-02-15"}],"res\#
ult":{"name":"result","value":{"path":"/var/backups/entitld/2026-02-15","bytes":196608,"digest":"9\#
f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLeve\#
l","summary":"Change what is logged, until the configuration is read again.","x-role":"admin","par\#
amStructure":"by-name","params":[{"name":"level","summary":"The least level.","required":true,"sch\#
ema":{"type":"string","enum":["trace","debug","info","notice","warning","error","critical"]}}],"re\#
sult":{"name":"result","schema":{"type":"object","properties":{"level":{"type":"string"}},"require\#
d":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors\#
/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotR\#
eady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"exa\#
mples":[{"name":"more","params":[{"name":"level","value":"debug"}],"result":{"name":"result","valu\#
e":{"level":"debug"}}}]},{"name":"stats","summary":"Figures about the daemon.","x-role":"admin","p\#
aramStructure":"by-name","params":[],"result":{"name":"stats","schema":{"type":"object","propertie\#
s":{"version":{"type":"string"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"type":\#
"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":"array","items":{"type":"string"}},\#
"commands":{"type":"integer"},"groups":{"type":"integer"},"queueDepth":{"type":"integer"},"storage\#
Full":{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{"type":"object","properties":{\#
"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","description":"The newest position that w\#
as pruned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Time"},\#
{"type":"null"}],"description":"From when on everything is known; null while everything is there."\#
}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"object","properties":{"mapBytes":{"\#
type":"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"integer"}},"required":["mapByte\#
s","usedBytes","readers"]}},"required":["version","seq","uptimeSeconds","catalogVersion","plans","\#
commands","groups","queueDepth","storageFull","clockJumps","journal","views"],"description":"The s\#
et grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/I\#
nternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRea\#
dy"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examp\#
les":[{"name":"a small one","params":[],"result":{"name":"result","value":{"version":"0.1.0","seq"\#
:42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","premium"],"commands":42,"groups"\#
:40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"bytes":65536,"prunedSeq":0,"olde\#
st":null},"views":{"mapBytes":68719476736,"usedBytes":81920,"readers":3}}}}]},{"name":"reconcile",\#
"summary":"Ask the store what was missed.","description":"Needs apple.api in the configuration.","\#
x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"About this user, \#
and wait; without, begin a round through everything.","schema":{"$ref":"#/components/schemas/UserI\#
d"}}],"result":{"name":"result","schema":{"type":"object","properties":{"applied":{"type":"boolean\#
","description":"With a user: whether something was newer than what was kept."},"status":{"$ref":"\#
#/components/schemas/Status"},"running":{"type":"boolean","description":"Without a user: true; pro\#
gress is in stats."}},"required":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$re\#
f":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#\#
/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/er\#
rors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound\#
"}],"examples":[{"name":"one user","params":[{"name":"userId","value":"bob"}],"result":{"name":"re\#
sult","value":{"applied":true,"status":{"userId":"alice","state":"subscribed","canRender":true,"is\#
Subscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limit\#
s":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription\#
","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none\#
","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductI\#
d":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000001",\#
"transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-1\#
5T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"\#
revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything","params":[],"result":{"name":"res\#
ult","value":{"running":true}}}]},{"name":"testNotification","summary":"Ask Apple to send a test n\#
otification, and wait for it.","description":"The check of the set-up that every new operator want\#
s. Needs apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","params":[{"\#
name":"timeoutSeconds","summary":"How long.","schema":{"type":"integer","minimum":1,"maximum":600,\#
"default":60}}],"result":{"name":"result","schema":{"type":"object","properties":{"delivered":{"ty\#
pe":"boolean","description":"Whether Apple could deliver it here."},"sendAttemptResult":{"type":["\#
string","null"],"description":"What Apple says of the attempt."}},"required":["delivered","sendAtt\#
emptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors\#
/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotR\#
eady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$r\#
ef":"#/components/errors/Overloaded"}],"examples":[{"name":"it works","params":[],"result":{"name"\#
:"result","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary":"W\#
hether the daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"rea\#
der","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object"}}\#
,"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDen\#
ied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{\#
"name":"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","description":"\#
Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[]\#
,"result":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"type":"string","d\#
escription":"The daemon's version."},"protocol":{"type":"string","description":"The major version \#
of the protocol: of frames, methods and words."},"format":{"type":"integer","description":"The ver\#
sion of what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"result","value"\#
:{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This document\#
.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema","sch\#
ema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors\#
":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$re\#
f":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/comp\#
onents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"disco\#
ver","summary":"The document is shortened.","params":[],"result":{"name":"result","value":{"openrp\#
c":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas"\#
:{"UserId":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 w\#
ithout control characters, compared byte by byte."},"Token":{"type":"string","format":"uuid","desc\#
ription":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type":"string","for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","\#
description":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"maxim\#
um":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"descr\#
iption":"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"integer","minim\#
um":0,"description":"The journal position that the answer reflects."},"SignedDocument":{"type":"st\#
ring","description":"A JWS in its compact form, as the store signed it."},"State":{"type":"string"\#
,"enum":["no_account","trial","subscribed","free_with_credits","free_no_credits"],"description":"T\#
he first that matches: trial also when cancelled during the trial; subscribed is any other access \#
by subscription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"typ\#
e":"boolean"},"via":{"enum":["subscription","grace","grant","credits",null],"description":"What gi\#
ves the access; null without it."},"state":{"$ref":"#/components/schemas/State"},"reason":{"enum":\#
["no_account","revoked","billing_retry","expired","credits_exhausted","never_subscribed",null],"de\#
scription":"Why not; null with access."},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Ti\#
me"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["canRender","via","s\#
tate","reason","nextChangeAt","seq"]},"Status":{"type":"object","properties":{"userId":{"$ref":"#/\#
components/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"canRender":{"type":"boo\#
lean"},"isSubscriber":{"type":"boolean","description":"Access by subscription, grace or grant, tri\#
als included."},"hadSubscription":{"type":"boolean","description":"Whether the user ever owned a s\#
ubscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string","null"]},"tier":{"ty\#
pe":"string"},"limits":{"type":"object","additionalProperties":{"type":["number","string","boolean\#
","null"]},"description":"Those of the plan, as the catalog has them; null is no limit."},"subscri\#
ptionMethod":{"type":["string","null"],"description":"app_store_subscription, google_play, stripe,\#
 grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Tim\#
e"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"\#
}]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"]},"subscript\#
ion":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":{"$ref":"#/com\#
ponents/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","hadSubscription","\#
creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextChangeAt","paywall"\#
,"subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"type":"string","e\#
num":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expired"]},"produ\#
ctId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"From the next \#
renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string","enum":["Pro\#
duction","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type":["string","\#
null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expiresAt"\#
:{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf":\#
[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"]},"i\#
sTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"n\#
ull"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":{"typ\#
e":"boolean","description":"A renewal is due and the store has not been heard."}},"required":["sta\#
tus","productId","pendingProductId","store","environment","originalTransactionId","transactionId",\#
"purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revokedAt","\#
stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},"productId":{"\#
type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactionId":{"type":"\#
string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required":["isActive"]}\#
,"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type":"string"}},"\#
required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row":{"type":"obje\#
ct","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowKey"},"value":{\#
"description":"The decoded value."}},"required":["table","key","value"]}},"errors":{"ParseError":{\#
"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retryable":false}},\#
"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code":"invalid_req\#
uest","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no such method.","da\#
ta":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"message":"A par\#
ameter is missing, unknown or not what it should be.","data":{"code":"invalid_params","retryable":\#
false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code":"internal_err\#
or","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's role does not in\#
clude the method.","data":{"code":"permission_denied","retryable":false}},"NotReady":{"code":-3200\#
2,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":true}},"Shutting\#
Down":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutting_down","retr\#
yable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","data":{"code":"s\#
torage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The document does n\#
ot verify.","data":{"code":"verification_failed","retryable":false,"reason":"signature"}},"Ownersh\#
ipConflict":{"code":-32021,"message":"The purchase, or the token, is another user's.","data":{"cod\#
e":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":-32022,"message":"What is clai\#
med differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"field":"produ\#
ctId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other arguments.","d\#
ata":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"message":"There\#
 is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded":{"code":-32\#
029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":true,"retryAfte\#
rMs":100}}}}}
"""#
}
