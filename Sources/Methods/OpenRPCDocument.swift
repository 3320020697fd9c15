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
er, oldest first.","description":"A page ends early where the reply would be longer than a frame, \#
so only an empty one says that it was the last.","x-role":"reader","paramStructure":"by-name","par\#
ams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schema\#
s/UserId"}},{"name":"afterSeq","summary":"Events after this position.","schema":{"$ref":"#/compone\#
nts/schemas/Seq"}},{"name":"limit","summary":"How many at most; events of one position are never p\#
arted.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"r\#
esult","schema":{"type":"object","properties":{"events":{"type":"array","items":{"type":"object","\#
properties":{"seq":{"$ref":"#/components/schemas/Seq"},"at":{"$ref":"#/components/schemas/Time"},"\#
cause":{"type":"string"},"before":{"$ref":"#/components/schemas/Status"},"after":{"$ref":"#/compon\#
ents/schemas/Status"}},"required":["seq","at","cause","before","after"]},"description":"What chang\#
ed, when, why, and what was true before and after."},"oldest":{"allOf":[{"$ref":"#/components/sche\#
mas/Time"}],"description":"Where the journal was pruned before this moment, and the user was known\#
 then: what changed up to it is not told any more."}},"required":["events"]}},"errors":[{"$ref":"#\#
/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compone\#
nts/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors\#
/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}]\#
,"examples":[{"name":"an account begins","params":[{"name":"userId","value":"bob"}],"result":{"nam\#
e":"result","value":{"events":[{"seq":42,"at":"2026-02-15T10:00:00.000Z","cause":"registered","bef\#
ore":{"userId":"bob","state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription"\#
:false,"creditsRemaining":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expir\#
esAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":41},"after":{"userI\#
d":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"credi\#
tsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays\#
":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","next\#
ChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","produ\#
ctId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Pro\#
duction","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedA\#
t":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"\#
autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}]}}}]\#
},{"name":"explain","summary":"Why a user's status is what it is.","x-role":"reader","paramStructu\#
re":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#\#
/components/schemas/UserId"}},{"name":"at","summary":"A past moment.","schema":{"$ref":"#/componen\#
ts/schemas/Time"}}],"result":{"name":"result","schema":{"type":"object","properties":{"at":{"$ref"\#
:"#/components/schemas/Time"},"rule":{"type":"string","description":"The rule that decided."},"bec\#
ause":{"type":"string","description":"The same, as a sentence."},"catalogVersion":{"type":"integer\#
","description":"Counts the catalogs installed."},"facts":{"type":"array","items":{"type":"object"\#
},"description":"The purchases, with everything that the store said of them."},"grants":{"type":"a\#
rray","items":{"type":"object"}},"credits":{"type":"object"},"status":{"$ref":"#/components/schema\#
s/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["at","rule","because","catalogVe\#
rsion","facts","grants","credits","status","seq"]}},"errors":[{"$ref":"#/components/errors/Invalid\#
Params"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenie\#
d"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#\#
/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a st\#
ranger","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"at":"2026-0\#
2-15T10:00:00.000Z","rule":"no_account","because":"No write has named this user.","catalogVersion"\#
:1,"facts":[],"grants":[],"credits":{"balance":0,"held":0,"owed":0},"status":{"userId":"bob","stat\#
e":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":\#
0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":\#
null,"paywall":"subscribe","subscription":null,"seq":41},"seq":41}}}]},{"name":"watch","summary":"\#
Be told of every change from now on.","description":"The result is followed by notifications on th\#
is connection: entitlementChanged {seq, userId, cause, status}, one per change; catalogChanged {se\#
q, version}; heartbeat {seq} every 15 s; resync {oldest} when the cursor is too old or too much wa\#
s missed. coalesced: true stands in an entitlementChanged that takes the place of older ones of th\#
e same user, because more than 256 waited unsent.","x-role":"reader","paramStructure":"by-name","p\#
arams":[{"name":"userIds","summary":"Of these users; of everybody when absent.","schema":{"type":"\#
array","maxItems":10000,"items":{"$ref":"#/components/schemas/UserId"}}},{"name":"fromSeq","summar\#
y":"Also of what changed after this position.","schema":{"$ref":"#/components/schemas/Seq"}}],"res\#
ult":{"name":"result","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/\#
Seq"}},"required":["seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"everybody","params":[],"result":{"name":"result","value":{"seq":42}}\#
}]},{"name":"registerAccount","summary":"Begin a user's account, or link another token to it.","de\#
scription":"Free credits come with the first call for a user. Purchases with the token that nobody\#
 owns become the user's. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params"\#
:[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/Us\#
erId"}},{"name":"appAccountToken","summary":"The token; derived from the user when absent.","schem\#
a":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":{"type":"object","pr\#
operties":{"appAccountToken":{"$ref":"#/components/schemas/Token"},"created":{"type":"boolean","de\#
scription":"Whether this call began the account."},"creditsRemaining":{"type":"integer"}},"require\#
d":["appAccountToken","created","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/Inval\#
idParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDen\#
ied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":\#
"#/components/errors/StorageFull"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{\#
"name":"the first time","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","va\#
lue":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":true,"creditsRemaining":3\#
}}},{"name":"again","params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value"\#
:{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":false,"creditsRemaining":3}}}\#
]},{"name":"verifyPurchase","summary":"Link a signed purchase to a user.","description":"A claim t\#
hat differs from what is signed is refused. A purchase is never taken from another user. Repeating\#
 it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The \#
user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransaction\#
","summary":"The signed transaction; without it the store is asked for `transactionId`.","schema":\#
{"$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo","summary":"The store's\#
 signed renewal information.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"pr\#
oductId","summary":"Claim: which product was bought.","schema":{"type":"string"}},{"name":"transac\#
tionId","summary":"Claim: the store's name for the transaction.","schema":{"type":"string"}},{"nam\#
e":"originalTransactionId","summary":"Claim: the store's name for the subscription.","schema":{"ty\#
pe":"string"}},{"name":"appAccountToken","summary":"Claim: the token that the purchase was made wi\#
th; names a signed token of nobody.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"n\#
ame":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/\#
Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"type":"boolean","descrip\#
tion":"Whether a document was newer than what is kept."}},"required":["entitlement","status","appl\#
ied"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Intern\#
alError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},\#
{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/\#
components/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#\#
/components/errors/ClaimMismatch"}],"examples":[{"name":"a new purchase","summary":"The document i\#
s shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransaction","value":"eyJ\#
hbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlement"\#
:{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z"\#
,"originalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice"\#
,"state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemainin\#
g":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"s\#
ubscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":\#
"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com\#
.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","\#
originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-0\#
2-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew"\#
:true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"applied":true}\#
}}]},{"name":"restorePurchases","summary":"Link what a user's device knows of their purchases.","d\#
escription":"A purchase of another user goes by accounts.transferPolicy. One document that does no\#
t verify fails the call, with its place in data.index, and nothing is applied.","x-role":"app","pa\#
ramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":\#
{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransactions","summary":"The device's trans\#
actions.","required":true,"schema":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/\#
components/schemas/SignedDocument"}}}],"result":{"name":"result","schema":{"type":"object","proper\#
ties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/sc\#
hemas/Status"},"results":{"type":"array","items":{"type":"object","properties":{"originalTransacti\#
onId":{"type":"string"},"outcome":{"type":"string","enum":["linked","already_owned","moved","share\#
d","refused"]}},"required":["originalTransactionId","outcome"]},"description":"One for each subscr\#
iption, in order of appearance."}},"required":["entitlement","status","results"]}},"errors":[{"$re\#
f":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/co\#
mponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/e\#
rrors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overl\#
oaded"},{"$ref":"#/components/errors/VerificationFailed"}],"examples":[{"name":"a new phone, anoth\#
er account","params":[{"name":"userId","value":"bob"},{"name":"signedTransactions","value":["eyJhb\#
GciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":\#
{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z",\#
"originalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice",\#
"state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining\#
":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"su\#
bscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"\#
2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.\#
example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","o\#
riginalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02\#
-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":\#
true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"ori\#
ginalTransactionId":"2000000000000001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":\#
"Link the purchases of an app receipt of the time before StoreKit 2.","description":"The receipt i\#
s verified here; Apple's verifyReceipt is not called.","x-role":"app","paramStructure":"by-name","\#
params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sch\#
emas/UserId"}},{"name":"receiptData","summary":"The receipt, base64.","required":true,"schema":{"t\#
ype":"string"}},{"name":"productId","summary":"The product that is asked about.","schema":{"type":\#
"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"isValid":{"type":"b\#
oolean","description":"Whether the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/c\#
omponents/schemas/Time"},{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"string","de\#
scription":"One sentence for people."},"status":{"$ref":"#/components/schemas/Status"}},"required"\#
:["isValid","expiresAt","tier","message","status"]}},"errors":[{"$ref":"#/components/errors/Invali\#
dParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDeni\#
ed"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"\#
#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/\#
errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":\#
"a subscriber","params":[{"name":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"r\#
esult":{"name":"result","value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"pai\#
d","message":"The purchase gives access.","status":{"userId":"alice","state":"subscribed","canRend\#
er":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"\#
paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_\#
subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","pa\#
ywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pen\#
dingProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"200000\#
0000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt\#
":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancell\#
edAt":null,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend\#
 credits, once per key.","description":"The first answer under a key, also insufficient, is kept f\#
or 30 days and given again.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId",\#
"summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"id\#
empotencyKey","summary":"The same key never charges twice.","required":true,"schema":{"$ref":"#/co\#
mponents/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/comp\#
onents/schemas/Amount"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outco\#
me":{"type":"string","enum":["consumed","insufficient","unlimited"],"description":"unlimited: the \#
user's plan renders without counting; nothing was charged or stored."},"creditsRemaining":{"type":\#
"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Whet\#
her this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},\#
"required":["outcome","creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/error\#
s/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permis\#
sionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{\#
"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/com\#
ponents/errors/IdempotencyMismatch"}],"examples":[{"name":"the last credit","params":[{"name":"use\#
rId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","val\#
ue":{"outcome":"consumed","creditsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same agai\#
n, after a lost connection","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","va\#
lue":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"\#
replayed":true,"seq":51}}}]},{"name":"reserveCredits","summary":"Set credits aside for a render wh\#
ose success is not known yet.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId\#
","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"\#
idempotencyKey","summary":"The same key never reserves twice.","required":true,"schema":{"$ref":"#\#
/components/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","required":true,"sche\#
ma":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so \#
long they return by themselves.","required":true,"schema":{"type":"integer","minimum":1,"maximum":\#
604800}},{"name":"releaseOnDisconnect","summary":"They return when this connection, or the daemon,\#
 ends.","schema":{"type":"boolean"}}],"result":{"name":"result","schema":{"type":"object","propert\#
ies":{"outcome":{"type":"string","enum":["reserved","insufficient","unlimited","released"],"descri\#
ption":"released: it was reserved under this key, and returned when its connection ended."},"reser\#
vation":{"type":["string","null"],"description":"The reservation's name; null where nothing is hel\#
d."},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"typ\#
e":"boolean","description":"Whether this is the stored first answer to the same key."}},"required"\#
:["outcome","reservation","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compo\#
nents/errors/IdempotencyMismatch"}],"examples":[{"name":"one credit for five minutes","params":[{"\#
name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-816"},{"name":"amount","val\#
ue":1},{"name":"ttlSeconds","value":300}],"result":{"name":"result","value":{"outcome":"reserved",\#
"reservation":"r52","creditsRemaining":2,"replayed":false}}}]},{"name":"commitReservation","summar\#
y":"Spend what is held, or a part of it; the rest returns.","x-role":"app","paramStructure":"by-na\#
me","params":[{"name":"reservation","summary":"Its name.","required":true,"schema":{"type":"string\#
"}},{"name":"amount","summary":"How many of the held credits; all when absent.","schema":{"type":"\#
integer","minimum":1,"maximum":1000000000}}],"result":{"name":"result","schema":{"type":"object","\#
properties":{"outcome":{"type":"string","enum":["committed","expired","released"],"description":"A\#
 second commit gets the first answer."},"creditsRemaining":{"type":"integer","description":"What c\#
an be spent now."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/er\#
rors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"\#
},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/\#
components/errors/NotFound"}],"examples":[{"name":"done","params":[{"name":"reservation","value":"\#
r52"}],"result":{"name":"result","value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":\#
"releaseReservation","summary":"Give back what is held.","x-role":"app","paramStructure":"by-name"\#
,"params":[{"name":"reservation","summary":"Its name.","required":true,"schema":{"type":"string"}}\#
],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","en\#
um":["released","expired","committed"]},"creditsRemaining":{"type":"integer","description":"What c\#
an be spent now."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/er\#
rors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"\#
},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/\#
components/errors/NotFound"}],"examples":[{"name":"the render failed","params":[{"name":"reservati\#
on","value":"r52"}],"result":{"name":"result","value":{"outcome":"released","creditsRemaining":3}}\#
}]},{"name":"reverseCredits","summary":"Put a charge back into the buckets that it came from; what\#
 has ended stays ended.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","sum\#
mary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempo\#
tencyKey","summary":"The same key never puts back twice.","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/IdempotencyKey"}},{"name":"consumeKey","summary":"The key of the consumeCredit.","r\#
equired":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}}],"result":{"name":"result",\#
"schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reversed","nothing"],"\#
description":"nothing: nothing was charged, or it was put back before."},"creditsRemaining":{"type\#
":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Wh\#
ether this is the stored first answer to the same key."}},"required":["outcome","creditsRemaining"\#
,"replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors\#
/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotR\#
eady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$r\#
ef":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"\#
#/components/errors/NotFound"}],"examples":[{"name":"the picture was broken","params":[{"name":"us\#
erId","value":"bob"},{"name":"idempotencyKey","value":"refund-815"},{"name":"consumeKey","value":"\#
render-815"}],"result":{"name":"result","value":{"outcome":"reversed","creditsRemaining":1,"replay\#
ed":false}}}]},{"name":"grantEntitlement","summary":"Give a user the access of a plan.","descripti\#
on":"An unknown plan is invalid_params. A repeated key with the same parameters gets the first ans\#
wer, with others idempotency_mismatch.","x-role":"admin","paramStructure":"by-name","params":[{"na\#
me":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}\#
},{"name":"plan","summary":"A plan of the catalog.","required":true,"schema":{"type":"string"}},{"\#
name":"idempotencyKey","summary":"The same key never makes a second grant.","required":true,"schem\#
a":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","schem\#
a":{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","summary":"The beginning; now when abs\#
ent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"store","summary":"What `subscription\#
Method` shows instead of grant.","schema":{"type":"string","enum":["app_store","google_play","stri\#
pe"]}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"grant":{"type":"string","description":"The\#
 grant's name, for revokeGrant."},"status":{"$ref":"#/components/schemas/Status"},"replayed":{"typ\#
e":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$re\#
f":"#/components/schemas/Seq"}},"required":["grant","status","replayed","seq"]}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Idempot\#
encyMismatch"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","value":"bob"}\#
,{"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expir\#
esAt","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name"\#
:"result","value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRender":true,"i\#
sSubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"paid","lim\#
its":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"\#
2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription\#
":null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back\#
; one that was taken back before is not_found.","x-role":"admin","paramStructure":"by-name","param\#
s":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/\#
UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"schema":{"type":"string"}\#
},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name"\#
:"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components/schemas/Status"},\#
"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/comp\#
onents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/e\#
rrors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shut\#
tingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/NotFound"}],"ex\#
amples":[{"name":"take it back","params":[{"name":"userId","value":"bob"},{"name":"grant","value":\#
"g43"}],"result":{"name":"result","value":{"status":{"userId":"bob","state":"free_with_credits","c\#
anRender":true,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":3,"plan":"free","ti\#
er":"free","limits":{"storageBytes":262144000,"retentionDays":7},"subscriptionMethod":null,"expire\#
sAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":44},"seq":44}}}]},{"\#
name":"grantCredits","summary":"Give a user credits.","x-role":"admin","paramStructure":"by-name",\#
"params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sc\#
hemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer",\#
"minimum":1,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts t\#
wice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt\#
","summary":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"n\#
ame":"source","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}\#
},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name"\#
:"result","schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","descriptio\#
n":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the store\#
d first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsR\#
emaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/co\#
mponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compone\#
nts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Sto\#
rageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMisma\#
tch"}],"examples":[{"name":"an apology","params":[{"name":"userId","value":"bob"},{"name":"amount"\#
,"value":5},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"an apology"\#
}],"result":{"name":"result","value":{"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":\#
"adjustCredits","summary":"Correct a user's credits, up or down; stops at 0.","x-role":"admin","pa\#
ramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":\#
{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"sc\#
hema":{"type":"integer","minimum":-1000000000,"maximum":1000000000}},{"name":"idempotencyKey","sum\#
mary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/Id\#
empotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref"\#
:"#/components/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits sho\#
ws it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"\#
type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemain\#
ing":{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","descr\#
iption":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/sc\#
hemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/er\#
rors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"\#
},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/\#
components/errors/IdempotencyMismatch"}],"examples":[{"name":"a correction","params":[{"name":"use\#
rId","value":"bob"},{"name":"amount","value":-2},{"name":"idempotencyKey","value":"support-4712"},\#
{"name":"reason","value":"given twice"}],"result":{"name":"result","value":{"creditsRemaining":6,"\#
replayed":false,"seq":53}}}]},{"name":"dump","summary":"A page of what is kept.","description":"Va\#
lues are decoded. A page ends early where the reply would be longer than a frame, so only a null c\#
ursor says that it was the last.","x-role":"admin","paramStructure":"by-name","params":[{"name":"t\#
able","summary":"Only this table; all of them when absent.","schema":{"type":"string"}},{"name":"p\#
refix","summary":"Only keys that begin so.","schema":{"type":"string"}},{"name":"cursor","summary"\#
:"Where the page before ended.","schema":{"type":"string"}},{"name":"limit","summary":"How many ro\#
ws at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"nam\#
e":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"entri\#
es":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cursor":{"type":["string","null"\#
],"description":"For the next page; null after the last row."}},"required":["seq","entries","curso\#
r"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Internal\#
Error"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"\#
$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{\#
"name":"the only token","params":[{"name":"table","value":"tokens"},{"name":"limit","value":2}],"r\#
esult":{"name":"result","value":{"seq":42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-a\#
a42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"name":"get","summary":"One row\#
.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"The table.","r\#
equired":true,"schema":{"type":"string"}},{"name":"key","summary":"The key, as dump shows it.","re\#
quired":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"result":{"name":"result","schema":\#
{"type":"object","properties":{"value":{"description":"The decoded value."}},"required":["value"]}\#
},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErro\#
r"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref\#
":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compone\#
nts/errors/NotFound"}],"examples":[{"name":"whose token it is","params":[{"name":"table","value":"\#
tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result",\#
"value":{"value":{"userId":"alice"}}}}]},{"name":"load","summary":"Take in rows as dump writes the\#
m.","description":"One call is one entry of the journal: all of it or nothing. A row that is here \#
with another value refuses the call, with its place in data.index; one that is equal counts as loa\#
ded. Rows of meta, alarms and ticks are passed over. Load every page of a dump before the users co\#
me.","x-role":"admin","paramStructure":"by-name","params":[{"name":"entries","summary":"The rows."\#
,"required":true,"schema":{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/componen\#
ts/schemas/Row"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"loaded":{"t\#
ype":"integer","minimum":0,"description":"How many rows are now as they were to be."}},"required":\#
["loaded"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/I\#
nternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRea\#
dy"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref\#
":"#/components/errors/Overloaded"}],"examples":[{"name":"a token","params":[{"name":"entries","va\#
lue":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],\#
"result":{"name":"result","value":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person\#
.","description":"Every row about the person goes; the rows of the journal keep amounts, and a pse\#
udonym in the place of the user id, the tokens and the ids of the store. What stores say of the pe\#
rson later is answered and not kept, until registerAccount names the person again; then free credi\#
ts are not given a second time. Backups made before still hold the person.","x-role":"admin","para\#
mStructure":"by-name","params":[{"name":"userId","summary":"Whom to forget.","required":true,"sche\#
ma":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","\#
properties":{"erased":{"type":"boolean","description":"Whether there was somebody to forget."},"se\#
q":{"$ref":"#/components/schemas/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/compone\#
nts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/erro\#
rs/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shuttin\#
gDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"exa\#
mples":[{"name":"Forgotten","params":[{"name":"userId","value":"user-1"}],"result":{"name":"result\#
","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","summary":"Everything kept about a p\#
erson.","description":"One reply for most people. Where it would be longer than a frame, the lists\#
 go on on the next page; the account stands on every page.","x-role":"admin","paramStructure":"by-\#
name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/UserId"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type":"\#
string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"userId":{"$ref":"#/c\#
omponents/schemas/UserId"},"account":{"type":["object","null"],"description":"As dump writes it; n\#
ull, and nothing else, for a user of whom nothing is kept."},"seq":{"$ref":"#/components/schemas/S\#
eq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal was\#
 pruned before this moment: earlier events are not kept."},"tokens":{"type":"array","description":\#
"Their tokens."},"subscriptions":{"type":"array","description":"With their facts, as dump writes t\#
hem."},"settlements":{"type":"array","description":"First answers under their keys."},"reservation\#
s":{"type":"array","description":"Credits that were held."},"packs":{"type":"array","description":\#
"Credit packs."},"events":{"type":"array","description":"The journal's entries about them, oldest \#
first."},"cursor":{"type":["string","null"],"description":"For the next page; null after the last.\#
"}},"required":["userId","account"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$re\#
f":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#\#
/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/er\#
rors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"res\#
ult":{"name":"result","value":{"userId":"nobody","account":null}}}]},{"name":"backup","summary":"C\#
opy one consistent state into a new directory.","description":"Made under another name, flushed, v\#
erified by replaying its journal, then renamed. Writes go on meanwhile. One at a time.","x-role":"\#
admin","paramStructure":"by-name","params":[{"name":"path","summary":"Absolute, on the daemon's ho\#
st, not there yet; it becomes a data directory.","required":true,"schema":{"type":"string"}}],"res\#
ult":{"name":"result","schema":{"type":"object","properties":{"path":{"type":"string"},"bytes":{"t\#
ype":"integer","minimum":1,"description":"The bytes of its files."},"digest":{"type":"string","pat\#
tern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then the journal's segments in their or\#
der."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["path","bytes","digest","seq"]}},"er\#
rors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{\#
"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/\#
components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/\#
errors/Overloaded"}],"examples":[{"name":"every night","params":[{"name":"path","value":"/var/back\#
ups/entitld/2026-02-15"}],"result":{"name":"result","value":{"path":"/var/backups/entitld/2026-02-\#
15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","se\#
q":41}}}]},{"name":"setLogLevel","summary":"Change what is logged, until the configuration is read\#
 again.","x-role":"admin","paramStructure":"by-name","params":[{"name":"level","summary":"The leas\#
t level.","required":true,"schema":{"type":"string","enum":["trace","debug","info","notice","warni\#
ng","error","critical"]}}],"result":{"name":"result","schema":{"type":"object","properties":{"leve\#
l":{"type":"string"}},"required":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"\#
},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$\#
ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compon\#
ents/errors/Overloaded"}],"examples":[{"name":"more","params":[{"name":"level","value":"debug"}],"\#
result":{"name":"result","value":{"level":"debug"}}}]},{"name":"stats","summary":"Figures about th\#
e daemon.","x-role":"admin","paramStructure":"by-name","params":[],"result":{"name":"stats","schem\#
a":{"type":"object","properties":{"version":{"type":"string"},"seq":{"$ref":"#/components/schemas/\#
Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":"arra\#
y","items":{"type":"string"}},"commands":{"type":"integer"},"groups":{"type":"integer"},"queueDept\#
h":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{\#
"type":"object","properties":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","descriptio\#
n":"The newest position that was pruned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref"\#
:"#/components/schemas/Time"},{"type":"null"}],"description":"From when on everything is known; nu\#
ll while everything is there."}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"objec\#
t","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"i\#
nteger"}},"required":["mapBytes","usedBytes","readers"]}},"required":["version","seq","uptimeSecon\#
ds","catalogVersion","plans","commands","groups","queueDepth","storageFull","clockJumps","journal"\#
,"views"],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"},\#
{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$re\#
f":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/componen\#
ts/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"name":"result","v\#
alue":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","pr\#
emium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"by\#
tes":65536,"prunedSeq":0,"oldest":null},"views":{"mapBytes":68719476736,"usedBytes":81920,"readers\#
":3}}}}]},{"name":"reconcile","summary":"Ask the store what was missed.","description":"Needs appl\#
e.api in the configuration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId\#
","summary":"About this user, and wait; without, begin a round through everything.","schema":{"$re\#
f":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","propertie\#
s":{"applied":{"type":"boolean","description":"With a user: whether something was newer than what \#
was kept."},"status":{"$ref":"#/components/schemas/Status"},"running":{"type":"boolean","descripti\#
on":"Without a user: true; progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref"\#
:"#/components/errors/NotFound"}],"examples":[{"name":"one user","params":[{"name":"userId","value\#
":"bob"}],"result":{"name":"result","value":{"applied":true,"status":{"userId":"alice","state":"su\#
bscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":\#
"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionM\#
ethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T\#
10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.pre\#
mium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","originalTran\#
sactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:0\#
0.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTri\#
al":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything","pa\#
rams":[],"result":{"name":"result","value":{"running":true}}}]},{"name":"testNotification","summar\#
y":"Ask Apple to send a test notification, and wait for it.","description":"The check of the set-u\#
p that every new operator wants. Needs apple.api in the configuration.","x-role":"admin","paramStr\#
ucture":"by-name","params":[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":"integ\#
er","minimum":1,"maximum":600,"default":60}}],"result":{"name":"result","schema":{"type":"object",\#
"properties":{"delivered":{"type":"boolean","description":"Whether Apple could deliver it here."},\#
"sendAttemptResult":{"type":["string","null"],"description":"What Apple says of the attempt."}},"r\#
equired":["delivered","sendAttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"\#
},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$\#
ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compon\#
ents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it works\#
","params":[],"result":{"name":"result","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}\#
]},{"name":"ping","summary":"Whether the daemon answers.","description":"Answers before the daemon\#
 is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"nothin\#
g","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/c\#
omponents/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name"\#
:"ping","params":[],"result":{"name":"result","value":{}}}]},{"name":"version","summary":"Which da\#
emon answers.","description":"Answers before the daemon is ready, too.","x-role":"reader","paramSt\#
ructure":"by-name","params":[],"result":{"name":"versions","schema":{"type":"object","properties":\#
{"entitld":{"type":"string","description":"The daemon's version."},"protocol":{"type":"string","de\#
scription":"The major version of the protocol: of frames, methods and words."},"format":{"type":"i\#
nteger","description":"The version of what is on disk."}},"required":["entitld","protocol","format\#
"]}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissio\#
nDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"version","params":[],"re\#
sult":{"name":"result","value":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.disc\#
over","summary":"This document.","x-role":"reader","paramStructure":"by-name","params":[],"result"\#
:{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema\#
/master/schema.json"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/component\#
s/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/err\#
ors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded\#
"}],"examples":[{"name":"discover","summary":"The document is shortened.","params":[],"result":{"n\#
ame":"result","value":{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]\#
}}}]}],"components":{"schemas":{"UserId":{"type":"string","minLength":1,"maxLength":256,"descripti\#
on":"1 to 256 bytes of UTF-8 without control characters, compared byte by byte."},"Token":{"type":\#
"string","format":"uuid","description":"A UUID that a purchase carries; the all-zero one is none."\#
},"Time":{"type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-\#
9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC with three decimals."},"Amount":{"type\#
":"integer","minimum":1,"maximum":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLe\#
ngth":1,"maxLength":200,"description":"1 to 200 bytes. Its scope is the user, over all methods."},\#
"Seq":{"type":"integer","minimum":0,"description":"The journal position that the answer reflects."\#
},"SignedDocument":{"type":"string","description":"A JWS in its compact form, as the store signed \#
it."},"State":{"type":"string","enum":["no_account","trial","subscribed","free_with_credits","free\#
_no_credits"],"description":"The first that matches: trial also when cancelled during the trial; s\#
ubscribed is any other access by subscription, grace or grant."},"RenderAnswer":{"type":"object","\#
properties":{"canRender":{"type":"boolean"},"via":{"enum":["subscription","grace","grant","credits\#
",null],"description":"What gives the access; null without it."},"state":{"$ref":"#/components/sch\#
emas/State"},"reason":{"enum":["no_account","revoked","billing_retry","expired","credits_exhausted\#
","never_subscribed",null],"description":"Why not; null with access."},"nextChangeAt":{"anyOf":[{"\#
$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"r\#
equired":["canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","pro\#
perties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/St\#
ate"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access by sub\#
scription, grace or grant, trials included."},"hadSubscription":{"type":"boolean","description":"W\#
hether the user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":\#
["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":{"typ\#
e":["number","string","boolean","null"]},"description":"Those of the plan, as the catalog has them\#
; null is no limit."},"subscriptionMethod":{"type":["string","null"],"description":"app_store_subs\#
cription, google_play, stripe, grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$\#
ref":"#/components/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components\#
/schemas/Time"},{"type":"null"}]},"paywall":{"type":"string","enum":["none","resubscribe","start_t\#
rial","subscribe"]},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":\#
"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender","isS\#
ubscriber","hadSubscription","creditsRemaining","plan","tier","limits","subscriptionMethod","expir\#
esAt","nextChangeAt","paywall","subscription","seq"]},"Subscription":{"type":"object","properties"\#
:{"status":{"type":"string","enum":["revoked","cancelled","trial","subscribed","grace_period","bil\#
ling_retry","expired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"]\#
,"description":"From the next renewal on, if it changes."},"store":{"type":"string"},"environment"\#
:{"type":"string","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"tran\#
sactionId":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"}\#
,{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"g\#
racePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":\#
{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/compon\#
ents/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{\#
"type":"null"}]},"stale":{"type":"boolean","description":"A renewal is due and the store has not b\#
een heard."}},"required":["status","productId","pendingProductId","store","environment","originalT\#
ransactionId","transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTria\#
l","cancelledAt","revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"t\#
ype":"boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"or\#
iginalTransactionId":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbo\#
x"]}},"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":\#
{"base64":{"type":"string"}},"required":["base64"]}],"description":"Text, or base64 where it is no\#
t UTF-8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/compone\#
nts/schemas/RowKey"},"value":{"description":"The decoded value."}},"required":["table","key","valu\#
e"]}},"errors":{"ParseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"par\#
se_error","retryable":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request\#
.","data":{"code":"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":\#
"There is no such method.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{\#
"code":-32602,"message":"A parameter is missing, unknown or not what it should be.","data":{"code"\#
:"invalid_params","retryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.\#
","data":{"code":"internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":\#
"The caller's role does not include the method.","data":{"code":"permission_denied","retryable":fa\#
lse}},"NotReady":{"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready\#
","retryable":true}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data"\#
:{"code":"shutting_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no ro\#
om on disk.","data":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,\#
"message":"The document does not verify.","data":{"code":"verification_failed","retryable":false,"\#
reason":"signature"}},"OwnershipConflict":{"code":-32021,"message":"The purchase, or the token, is\#
 another user's.","data":{"code":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":\#
-32022,"message":"What is claimed differs from what is signed.","data":{"code":"claim_mismatch","r\#
etryable":false,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was \#
used with other arguments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{\#
"code":-32024,"message":"There is no such grant or row.","data":{"code":"not_found","retryable":fa\#
lse}},"Overloaded":{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloade\#
d","retryable":true,"retryAfterMs":100}}}}}
"""#
}
