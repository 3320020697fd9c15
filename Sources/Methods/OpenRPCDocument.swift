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
 what is signed is refused. A purchase is never taken from another user. Repeating it is safe.","x\#
-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required\#
":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransaction","summary":"The\#
 signed transaction; without it the store is asked for `transactionId`.","schema":{"$ref":"#/compo\#
nents/schemas/SignedDocument"}},{"name":"signedRenewalInfo","summary":"The store's signed renewal \#
information.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"productId","summar\#
y":"Claim: which product was bought.","schema":{"type":"string"}},{"name":"transactionId","summary\#
":"Claim: the store's name for the transaction.","schema":{"type":"string"}},{"name":"originalTran\#
sactionId","summary":"Claim: the store's name for the subscription.","schema":{"type":"string"}},{\#
"name":"appAccountToken","summary":"Claim: the token that the purchase was made with; names a sign\#
ed token of nobody.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","s\#
chema":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"s\#
tatus":{"$ref":"#/components/schemas/Status"},"applied":{"type":"boolean","description":"Whether a\#
 document was newer than what is kept."}},"required":["entitlement","status","applied"]}},"errors"\#
:[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compo\#
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/error\#
s/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/components/erro\#
rs/ClaimMismatch"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound\#
"}],"examples":[{"name":"a new purchase","summary":"The document is shortened.","params":[{"name":\#
"userId","value":"alice"},{"name":"signedTransaction","value":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e3\#
0.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"c\#
om.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"200000\#
0000000001","environment":"Production"},"status":{"userId":"alice","state":"subscribed","canRender\#
":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"pa\#
id","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_su\#
bscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","payw\#
all":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendi\#
ngProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"20000000\#
00000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":\#
"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelled\#
At":null,"revokedAt":null,"stale":false},"seq":42},"applied":true}}}]},{"name":"restorePurchases",\#
"summary":"Link what a user's device knows of their purchases.","description":"A purchase of anoth\#
er user goes by accounts.transferPolicy. Credit packs are credited to whom they belong and are not\#
 listed. One document that does not verify fails the call, with its place in data.index, and nothi\#
ng is applied.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"Th\#
e user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedTransacti\#
ons","summary":"The device's transactions.","required":true,"schema":{"type":"array","minItems":1,\#
"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocument"}}}],"result":{"name":"result"\#
,"schema":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"}\#
,"status":{"$ref":"#/components/schemas/Status"},"results":{"type":"array","items":{"type":"object\#
","properties":{"originalTransactionId":{"type":"string"},"outcome":{"type":"string","enum":["link\#
ed","already_owned","moved","shared","refused"]}},"required":["originalTransactionId","outcome"]},\#
"description":"One for each subscription, in order of appearance."}},"required":["entitlement","st\#
atus","results"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/er\#
rors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/\#
NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},\#
{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"}],"exam\#
ples":[{"name":"a new phone, another account","params":[{"name":"userId","value":"bob"},{"name":"s\#
ignedTransactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name\#
":"result","value":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expi\#
resAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Produc\#
tion"},"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSu\#
bscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":1073\#
74182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-\#
15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"stat\#
us":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_st\#
ore","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"200000\#
0000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","grace\#
PeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale"\#
:false},"seq":42},"results":[{"originalTransactionId":"2000000000000001","outcome":"moved"}]}}}]},\#
{"name":"verifyReceipt","summary":"Link the purchases of an app receipt of the time before StoreKi\#
t 2.","description":"The receipt is verified here; Apple's verifyReceipt is not called.","x-role":\#
"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,\#
"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receiptData","summary":"The receipt, bas\#
e64.","required":true,"schema":{"type":"string"}},{"name":"productId","summary":"The product that \#
is asked about.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object",\#
"properties":{"isValid":{"type":"boolean","description":"Whether the purchase gives access now."},\#
"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"tier":{"type":"strin\#
g"},"message":{"type":"string","description":"One sentence for people."},"status":{"$ref":"#/compo\#
nents/schemas/Status"}},"required":["isValid","expiresAt","tier","message","status"]}},"errors":[{\#
"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"\#
#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/componen\#
ts/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/O\#
verloaded"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/components/errors/Ownersh\#
ipConflict"}],"examples":[{"name":"a subscriber","params":[{"name":"userId","value":"bob"},{"name"\#
:"receiptData","value":"MIIT"}],"result":{"name":"result","value":{"isValid":true,"expiresAt":"202\#
6-03-15T10:00:00.000Z","tier":"paid","message":"The purchase gives access.","status":{"userId":"al\#
ice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRema\#
ining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null\#
},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChange\#
At":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":\#
"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Productio\#
n","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"20\#
26-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRe\#
new":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name\#
":"consumeCredit","summary":"Spend credits, once per key.","description":"The first answer under a\#
 key, also insufficient, is kept for 30 days and given again.","x-role":"app","paramStructure":"by\#
-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compon\#
ents/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never charges twice.","req\#
uired":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amount","summary":"H\#
ow many.","schema":{"$ref":"#/components/schemas/Amount"}}],"result":{"name":"result","schema":{"t\#
ype":"object","properties":{"outcome":{"type":"string","enum":["consumed","insufficient","unlimite\#
d"],"description":"unlimited: the user's plan renders without counting; nothing was charged or sto\#
red."},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"t\#
ype":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$\#
ref":"#/components/schemas/Seq"}},"required":["outcome","creditsRemaining","replayed","seq"]}},"er\#
rors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{\#
"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/\#
components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/\#
errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"the l\#
ast credit","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-815\#
"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed":false,\#
"seq":51}}},{"name":"the same again, after a lost connection","params":[{"name":"userId","value":"\#
bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","value":{"outcome"\#
:"consumed","creditsRemaining":0,"replayed":true,"seq":51}}}]},{"name":"reserveCredits","summary":\#
"Set credits aside for a render whose success is not known yet.","x-role":"app","paramStructure":"\#
by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never reserves twice.","\#
required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amount","summary"\#
:"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name"\#
:"ttlSeconds","summary":"After so long they return by themselves.","required":true,"schema":{"type\#
":"integer","minimum":1,"maximum":604800}},{"name":"releaseOnDisconnect","summary":"They return wh\#
en this connection, or the daemon, ends.","schema":{"type":"boolean"}}],"result":{"name":"result",\#
"schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reserved","insufficien\#
t","unlimited","released"],"description":"released: it was reserved under this key, and returned w\#
hen its connection ended."},"reservation":{"type":["string","null"],"description":"The reservation\#
's name; null where nothing is held."},"creditsRemaining":{"type":"integer","description":"What ca\#
n be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first ans\#
wer to the same key."}},"required":["outcome","reservation","creditsRemaining","replayed"]}},"erro\#
rs":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$\#
ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/co\#
mponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/er\#
rors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"one cre\#
dit for five minutes","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"\#
render-816"},{"name":"amount","value":1},{"name":"ttlSeconds","value":300}],"result":{"name":"resu\#
lt","value":{"outcome":"reserved","reservation":"r52","creditsRemaining":2,"replayed":false}}}]},{\#
"name":"commitReservation","summary":"Spend what is held, or a part of it; the rest returns.","x-r\#
ole":"app","paramStructure":"by-name","params":[{"name":"reservation","summary":"Its name.","requi\#
red":true,"schema":{"type":"string"}},{"name":"amount","summary":"How many of the held credits; al\#
l when absent.","schema":{"type":"integer","minimum":1,"maximum":1000000000}}],"result":{"name":"r\#
esult","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["committed","exp\#
ired","released"],"description":"A second commit gets the first answer."},"creditsRemaining":{"typ\#
e":"integer","description":"What can be spent now."}},"required":["outcome","creditsRemaining"]}},\#
"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"\#
},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":\#
"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/componen\#
ts/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"done","params\#
":[{"name":"reservation","value":"r52"}],"result":{"name":"result","value":{"outcome":"committed",\#
"creditsRemaining":2}}}]},{"name":"releaseReservation","summary":"Give back what is held.","x-role\#
":"app","paramStructure":"by-name","params":[{"name":"reservation","summary":"Its name.","required\#
":true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","propertie\#
s":{"outcome":{"type":"string","enum":["released","expired","committed"]},"creditsRemaining":{"typ\#
e":"integer","description":"What can be spent now."}},"required":["outcome","creditsRemaining"]}},\#
"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"\#
},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":\#
"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/componen\#
ts/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"the render fa\#
iled","params":[{"name":"reservation","value":"r52"}],"result":{"name":"result","value":{"outcome"\#
:"released","creditsRemaining":3}}}]},{"name":"reverseCredits","summary":"Put a charge back into t\#
he buckets that it came from; what has ended stays ended.","x-role":"app","paramStructure":"by-nam\#
e","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components\#
/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never puts back twice.","requi\#
red":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"consumeKey","summary":\#
"The key of the consumeCredit.","required":true,"schema":{"$ref":"#/components/schemas/Idempotency\#
Key"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"strin\#
g","enum":["reversed","nothing"],"description":"nothing: nothing was charged, or it was put back b\#
efore."},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{\#
"type":"boolean","description":"Whether this is the stored first answer to the same key."}},"requi\#
red":["outcome","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidPar\#
ams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"}\#
,{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/co\#
mponents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/erro\#
rs/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"the picture\#
 was broken","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"refund-81\#
5"},{"name":"consumeKey","value":"render-815"}],"result":{"name":"result","value":{"outcome":"reve\#
rsed","creditsRemaining":1,"replayed":false}}}]},{"name":"grantEntitlement","summary":"Give a user\#
 the access of a plan.","description":"An unknown plan is invalid_params. A repeated key with the \#
same parameters gets the first answer, with others idempotency_mismatch.","x-role":"admin","paramS\#
tructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$r\#
ef":"#/components/schemas/UserId"}},{"name":"plan","summary":"A plan of the catalog.","required":t\#
rue,"schema":{"type":"string"}},{"name":"idempotencyKey","summary":"The same key never makes a sec\#
ond grant.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expi\#
resAt","summary":"The end.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","sum\#
mary":"The beginning; now when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"st\#
ore","summary":"What `subscriptionMethod` shows instead of grant.","schema":{"type":"string","enum\#
":["app_store","google_play","stripe"]}},{"name":"reason","summary":"Why, for the history.","schem\#
a":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"grant":{\#
"type":"string","description":"The grant's name, for revokeGrant."},"status":{"$ref":"#/components\#
/schemas/Status"},"replayed":{"type":"boolean","description":"Whether this is the stored first ans\#
wer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["grant","status","re\#
played","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/erro\#
rs/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/No\#
tReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"\#
$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/Overloaded"}],"examp\#
les":[{"name":"a month of premium","params":[{"name":"userId","value":"bob"},{"name":"plan","value\#
":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expiresAt","value":"2026-03\#
-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"gr\#
ant":"g43","status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber":true,"had\#
Subscription":false,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":1\#
07374182400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"2026-03-15T10:00:00.00\#
0Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":null,"seq":43},"repl\#
ayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back; one that was taken b\#
ack before is not_found.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","\#
summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"gra\#
nt","summary":"The grant's name.","required":true,"schema":{"type":"string"}},{"name":"reason","su\#
mmary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"t\#
ype":"object","properties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/compo\#
nents/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/components/erro\#
rs/Overloaded"}],"examples":[{"name":"take it back","params":[{"name":"userId","value":"bob"},{"na\#
me":"grant","value":"g43"}],"result":{"name":"result","value":{"status":{"userId":"bob","state":"f\#
ree_with_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"creditsRemaining"\#
:3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7},"subscription\#
Method":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":\#
44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user credits.","x-role":"admin","paramS\#
tructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$r\#
ef":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"schema\#
":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The sam\#
e key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}\#
},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref":"#/components\#
/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits shows it.","schem\#
a":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"\#
}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemaining":{"type":"\#
integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Wheth\#
er this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"\#
required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidPa\#
rams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"\#
},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/c\#
omponents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/err\#
ors/IdempotencyMismatch"}],"examples":[{"name":"an apology","params":[{"name":"userId","value":"bo\#
b"},{"name":"amount","value":5},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason",\#
"value":"an apology"}],"result":{"name":"result","value":{"creditsRemaining":8,"replayed":false,"s\#
eq":53}}}]},{"name":"adjustCredits","summary":"Correct a user's credits, up or down; stops at 0.",\#
"x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","requ\#
ired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many."\#
,"required":true,"schema":{"type":"integer","minimum":-1000000000,"maximum":1000000000}},{"name":"\#
idempotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absen\#
t.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come fro\#
m, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the h\#
istory.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","propert\#
ies":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"ty\#
pe":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$r\#
ef":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$r\#
ef":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/c\#
omponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/\#
errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Over\#
loaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"a correction","p\#
arams":[{"name":"userId","value":"bob"},{"name":"amount","value":-2},{"name":"idempotencyKey","val\#
ue":"support-4712"},{"name":"reason","value":"given twice"}],"result":{"name":"result","value":{"c\#
reditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"dump","summary":"A page of what is kept\#
.","description":"Values are decoded. A page ends early where the reply would be longer than a fra\#
me, so only a null cursor says that it was the last.","x-role":"admin","paramStructure":"by-name",\#
"params":[{"name":"table","summary":"Only this table; all of them when absent.","schema":{"type":"\#
string"}},{"name":"prefix","summary":"Only keys that begin so.","schema":{"type":"string"}},{"name\#
":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}},{"name":"limit","s\#
ummary":"How many rows at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":1\#
00}}],"result":{"name":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/\#
schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cursor":{"ty\#
pe":["string","null"],"description":"For the next page; null after the last row."}},"required":["s\#
eq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compon\#
ents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/\#
errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloa\#
ded"}],"examples":[{"name":"the only token","params":[{"name":"table","value":"tokens"},{"name":"l\#
imit","value":2}],"result":{"name":"result","value":{"seq":42,"entries":[{"table":"tokens","key":"\#
0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"name":"get\#
","summary":"One row.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summ\#
ary":"The table.","required":true,"schema":{"type":"string"}},{"name":"key","summary":"The key, as\#
 dump shows it.","required":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"value":{"description":"The decoded value."}},"\#
required":["value"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components\#
/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/erro\#
rs/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"\#
},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"whose token it is","params":[{"nam\#
e":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"resul\#
t":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name":"load","summary":"Take in row\#
s as dump writes them.","description":"One call is one entry of the journal: all of it or nothing.\#
 A row that is here with another value refuses the call, with its place in data.index; one that is\#
 equal counts as loaded. Rows of meta, alarms, ticks and tombstones are passed over. Load every pa\#
ge of a dump before the users come.","x-role":"admin","paramStructure":"by-name","params":[{"name"\#
:"entries","summary":"The rows.","required":true,"schema":{"type":"array","minItems":1,"maxItems":\#
1000,"items":{"$ref":"#/components/schemas/Row"}}}],"result":{"name":"result","schema":{"type":"ob\#
ject","properties":{"loaded":{"type":"integer","minimum":0,"description":"How many rows are now as\#
 they were to be."}},"required":["loaded"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"\#
},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$\#
ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compon\#
ents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a token"\#
,"params":[{"name":"entries","value":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be20\#
1","value":{"userId":"bob"}}]}],"result":{"name":"result","value":{"loaded":1}}}]},{"name":"eraseU\#
ser","summary":"Forgets a person.","description":"Every row about the person goes; the rows of the\#
 journal keep amounts, and a pseudonym in the place of the user id, the tokens and the ids of the \#
store. What stores say of the person later is answered and not kept, until registerAccount names t\#
he person again; then free credits are not given a second time. Backups made before still hold the\#
 person.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"Whom t\#
o forget.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"res\#
ult","schema":{"type":"object","properties":{"erased":{"type":"boolean","description":"Whether the\#
re was somebody to forget."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["erased","seq"\#
]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalEr\#
ror"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$r\#
ef":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/comp\#
onents/errors/Overloaded"}],"examples":[{"name":"Forgotten","params":[{"name":"userId","value":"us\#
er-1"}],"result":{"name":"result","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","sum\#
mary":"Everything kept about a person.","description":"One reply for most people. Where it would b\#
e longer than a frame, the lists go on on the next page; the account stands on every page.","x-rol\#
e":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":\#
true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"cursor","summary":"Where the page b\#
efore ended.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","pr\#
operties":{"userId":{"$ref":"#/components/schemas/UserId"},"account":{"type":["object","null"],"de\#
scription":"As dump writes it; null, and nothing else, for a user of whom nothing is kept."},"seq"\#
:{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"des\#
cription":"Where the journal was pruned before this moment: earlier events are not kept."},"tokens\#
":{"type":"array","description":"Their tokens."},"subscriptions":{"type":"array","description":"Wi\#
th their facts, as dump writes them."},"settlements":{"type":"array","description":"First answers \#
under their keys."},"reservations":{"type":"array","description":"Credits that were held."},"packs\#
":{"type":"array","description":"Credit packs."},"events":{"type":"array","description":"The journ\#
al's entries about them, oldest first."},"cursor":{"type":["string","null"],"description":"For the\#
 next page; null after the last."}},"required":["userId","account"]}},"errors":[{"$ref":"#/compone\#
nts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/erro\#
rs/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shuttin\#
gDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":\#
"userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","account":null}}}\#
]},{"name":"backup","summary":"Copy one consistent state into a new directory.","description":"Mad\#
e under another name, flushed, verified by replaying its journal, then renamed. Writes go on meanw\#
hile. One at a time.","x-role":"admin","paramStructure":"by-name","params":[{"name":"path","summar\#
y":"Absolute, on the daemon's host, not there yet; it becomes a data directory.","required":true,"\#
schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"pat\#
h":{"type":"string"},"bytes":{"type":"integer","minimum":1,"description":"The bytes of its files."\#
},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then th\#
e journal's segments in their order, then base/data.mdb where there is one."},"seq":{"$ref":"#/com\#
ponents/schemas/Seq"}},"required":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examp\#
les":[{"name":"every night","params":[{"name":"path","value":"/var/backups/entitld/2026-02-15"}],"\#
result":{"name":"result","value":{"path":"/var/backups/entitld/2026-02-15","bytes":196608,"digest"\#
:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogL\#
evel","summary":"Change what is logged, until the configuration is read again.","x-role":"admin","\#
paramStructure":"by-name","params":[{"name":"level","summary":"The least level.","required":true,"\#
schema":{"type":"string","enum":["trace","debug","info","notice","warning","error","critical"]}}],\#
"result":{"name":"result","schema":{"type":"object","properties":{"level":{"type":"string"}},"requ\#
ired":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/err\#
ors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/N\#
otReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"\#
examples":[{"name":"more","params":[{"name":"level","value":"debug"}],"result":{"name":"result","v\#
alue":{"level":"debug"}}}]},{"name":"stats","summary":"Figures about the daemon.","x-role":"admin"\#
,"paramStructure":"by-name","params":[],"result":{"name":"stats","schema":{"type":"object","proper\#
ties":{"version":{"type":"string"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"typ\#
e":"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":"array","items":{"type":"string"\#
}},"commands":{"type":"integer"},"groups":{"type":"integer"},"queueDepth":{"type":"integer"},"stor\#
ageFull":{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{"type":"object","properties\#
":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","description":"The newest position tha\#
t was pruned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Time\#
"},{"type":"null"}],"description":"From when on everything is known; null while everything is ther\#
e."}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"object","properties":{"mapBytes"\#
:{"type":"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"integer"}},"required":["mapB\#
ytes","usedBytes","readers"]}},"required":["version","seq","uptimeSeconds","catalogVersion","plans\#
","commands","groups","queueDepth","storageFull","clockJumps","journal","views"],"description":"Th\#
e set grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/error\#
s/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Not\#
Ready"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"ex\#
amples":[{"name":"a small one","params":[],"result":{"name":"result","value":{"version":"0.1.0","s\#
eq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","premium"],"commands":42,"grou\#
ps":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"bytes":65536,"prunedSeq":0,"o\#
ldest":null},"views":{"mapBytes":68719476736,"usedBytes":81920,"readers":3}}}}]},{"name":"reconcil\#
e","summary":"Ask the store what was missed.","description":"Needs apple.api in the configuration.\#
","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"About this use\#
r, and wait; without, begin a round through everything.","schema":{"$ref":"#/components/schemas/Us\#
erId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"applied":{"type":"bool\#
ean","description":"With a user: whether something was newer than what was kept."},"status":{"$ref\#
":"#/components/schemas/Status"},"running":{"type":"boolean","description":"Without a user: true; \#
progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"\#
$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref"\#
:"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components\#
/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFo\#
und"}],"examples":[{"name":"one user","params":[{"name":"userId","value":"bob"}],"result":{"name":\#
"result","value":{"applied":true,"status":{"userId":"alice","state":"subscribed","canRender":true,\#
"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","li\#
mits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscript\#
ion","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"n\#
one","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProdu\#
ctId":null,"store":"app_store","environment":"Production","originalTransactionId":"200000000000000\#
1","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-0\#
3-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":nul\#
l,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything","params":[],"result":{"name":"\#
result","value":{"running":true}}}]},{"name":"testNotification","summary":"Ask Apple to send a tes\#
t notification, and wait for it.","description":"The check of the set-up that every new operator w\#
ants. Needs apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","params":\#
[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":"integer","minimum":1,"maximum":6\#
00,"default":60}}],"result":{"name":"result","schema":{"type":"object","properties":{"delivered":{\#
"type":"boolean","description":"Whether Apple could deliver it here."},"sendAttemptResult":{"type"\#
:["string","null"],"description":"What Apple says of the attempt."}},"required":["delivered","send\#
AttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/err\#
ors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/N\#
otReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{\#
"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it works","params":[],"result":{"na\#
me":"result","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary"\#
:"Whether the daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"\#
reader","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object\#
"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result\#
":{"name":"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","description\#
":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params"\#
:[],"result":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"type":"string"\#
,"description":"The daemon's version."},"protocol":{"type":"string","description":"The major versi\#
on of the protocol: of frames, methods and words."},"format":{"type":"integer","description":"The \#
version of what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/c\#
omponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compon\#
ents/errors/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"result","val\#
ue":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This docum\#
ent.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema","\#
schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"err\#
ors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"\#
$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/c\#
omponents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"di\#
scover","summary":"The document is shortened.","params":[],"result":{"name":"result","value":{"ope\#
nrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schem\#
as":{"UserId":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-\#
8 without control characters, compared byte by byte."},"Token":{"type":"string","format":"uuid","d\#
escription":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type":"string","\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$\#
","description":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"ma\#
ximum":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"de\#
scription":"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"integer","mi\#
nimum":0,"description":"The journal position that the answer reflects."},"SignedDocument":{"type":\#
"string","description":"A JWS in its compact form, as the store signed it."},"State":{"type":"stri\#
ng","enum":["no_account","trial","subscribed","free_with_credits","free_no_credits"],"description"\#
:"The first that matches: trial also when cancelled during the trial; subscribed is any other acce\#
ss by subscription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"\#
type":"boolean"},"via":{"enum":["subscription","grace","grant","credits","free",null],"description\#
":"What lets the user in; null where nothing does. free: the plan free names the feature."},"state\#
":{"$ref":"#/components/schemas/State"},"reason":{"enum":["no_account","not_in_plan","unknown_prod\#
uct","sandbox_not_admitted","revoked","billing_retry","expired","credits_exhausted","never_subscri\#
bed",null],"description":"Why not, the first that matches; null where canRender is true. not_in_pl\#
an: there is access, by a plan that does not name the feature. unknown_product: something is paid \#
for that no plan names. sandbox_not_admitted: apple.sandboxAccess does not let this user in."},"ne\#
xtChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/comp\#
onents/schemas/Seq"}},"required":["canRender","via","state","reason","nextChangeAt","seq"]},"Statu\#
s":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":\#
"#/components/schemas/State"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","des\#
cription":"Access by subscription, grace or grant, trials included."},"hadSubscription":{"type":"b\#
oolean","description":"Whether the user ever owned a subscription."},"creditsRemaining":{"type":"i\#
nteger"},"plan":{"type":["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","add\#
itionalProperties":{"type":["number","string","boolean","null"]},"description":"Those of the plan,\#
 as the catalog has them; null is no limit."},"subscriptionMethod":{"type":["string","null"],"desc\#
ription":"What gives access now: app_store_subscription, google_play, stripe, grant, or the store \#
that a grant names; null where nothing does."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas\#
/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"n\#
ull"}]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"],"descri\#
ption":"What to offer: none with access by subscription, grace or grant, and to somebody who pays \#
for a product that no plan names."},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscri\#
ption"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state",\#
"canRender","isSubscriber","hadSubscription","creditsRemaining","plan","tier","limits","subscripti\#
onMethod","expiresAt","nextChangeAt","paywall","subscription","seq"]},"Subscription":{"type":"obje\#
ct","properties":{"status":{"type":"string","enum":["revoked","cancelled","trial","subscribed","gr\#
ace_period","billing_retry","expired"]},"productId":{"type":"string"},"pendingProductId":{"type":[\#
"string","null"],"description":"From the next renewal on, if it changes."},"store":{"type":"string\#
"},"environment":{"type":"string","enum":["Production","Sandbox"]},"originalTransactionId":{"type"\#
:"string"},"transactionId":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/component\#
s/schemas/Time"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"ty\#
pe":"null"}]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"\#
}]},"autoRenew":{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{\#
"$ref":"#/components/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/\#
schemas/Time"},{"type":"null"}]},"stale":{"type":"boolean","description":"A renewal is due and the\#
 store has not been heard."}},"required":["status","productId","pendingProductId","store","environ\#
ment","originalTransactionId","transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","au\#
toRenew","isTrial","cancelledAt","revokedAt","stale"]},"Entitlement":{"type":"object","properties"\#
:{"isActive":{"type":"boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/sc\#
hemas/Time"},"originalTransactionId":{"type":"string"},"environment":{"type":"string","enum":["Pro\#
duction","Sandbox"]}},"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"objec\#
t","properties":{"base64":{"type":"string"}},"required":["base64"]}],"description":"Text, or base6\#
4 where it is not UTF-8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"key":{"\#
$ref":"#/components/schemas/RowKey"},"value":{"description":"The decoded value."}},"required":["ta\#
ble","key","value"]}},"errors":{"ParseError":{"code":-32700,"message":"The frame is not JSON.","da\#
ta":{"code":"parse_error","retryable":false}},"InvalidRequest":{"code":-32600,"message":"The JSON \#
is not a request.","data":{"code":"invalid_request","retryable":false}},"MethodNotFound":{"code":-\#
32601,"message":"There is no such method.","data":{"code":"method_not_found","retryable":false}},"\#
InvalidParams":{"code":-32602,"message":"A parameter is missing, unknown or not what it should be.\#
","data":{"code":"invalid_params","retryable":false}},"InternalError":{"code":-32603,"message":"Th\#
e daemon failed.","data":{"code":"internal_error","retryable":false}},"PermissionDenied":{"code":-\#
32001,"message":"The caller's role does not include the method.","data":{"code":"permission_denied\#
","retryable":false}},"NotReady":{"code":-32002,"message":"The daemon is not ready yet.","data":{"\#
code":"not_ready","retryable":true}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutti\#
ng down.","data":{"code":"shutting_down","retryable":true}},"StorageFull":{"code":-32010,"message"\#
:"There is no room on disk.","data":{"code":"storage_full","retryable":true}},"VerificationFailed"\#
:{"code":-32020,"message":"The document does not verify.","data":{"code":"verification_failed","re\#
tryable":false,"reason":"signature"}},"OwnershipConflict":{"code":-32021,"message":"The purchase, \#
or the token, is another user's.","data":{"code":"ownership_conflict","retryable":false}},"ClaimMi\#
smatch":{"code":-32022,"message":"What is claimed differs from what is signed.","data":{"code":"cl\#
aim_mismatch","retryable":false,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"messag\#
e":"The key was used with other arguments.","data":{"code":"idempotency_mismatch","retryable":fals\#
e}},"NotFound":{"code":-32024,"message":"There is no such grant or row.","data":{"code":"not_found\#
","retryable":false}},"Overloaded":{"code":-32029,"message":"Too much is asked at once.","data":{"\#
code":"overloaded","retryable":true,"retryAfterMs":100}}}}}
"""#
}
