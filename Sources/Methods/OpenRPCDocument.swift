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
er user goes by accounts.transferPolicy. One document that does not verify fails the call, with it\#
s place in data.index, and nothing is applied.","x-role":"app","paramStructure":"by-name","params"\#
:[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/Us\#
erId"}},{"name":"signedTransactions","summary":"The device's transactions.","required":true,"schem\#
a":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocumen\#
t"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/\#
components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"results":{"type"\#
:"array","items":{"type":"object","properties":{"originalTransactionId":{"type":"string"},"outcome\#
":{"type":"string","enum":["linked","already_owned","moved","shared","refused"]}},"required":["ori\#
ginalTransactionId","outcome"]},"description":"One for each subscription, in order of appearance."\#
}},"required":["entitlement","status","results"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/er\#
rors/VerificationFailed"}],"examples":[{"name":"a new phone, another account","params":[{"name":"u\#
serId","value":"bob"},{"name":"signedTransactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.\#
c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"co\#
m.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000\#
000000001","environment":"Production"},"status":{"userId":"alice","state":"subscribed","canRender"\#
:true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"pai\#
d","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_sub\#
scription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywa\#
ll":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendin\#
gProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"200000000\#
0000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"\#
2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledA\#
t":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"originalTransactionId":"20000000000\#
00001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":"Link the purchases of an app re\#
ceipt of the time before StoreKit 2.","description":"The receipt is verified here; Apple's verifyR\#
eceipt is not called.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summa\#
ry":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receiptD\#
ata","summary":"The receipt, base64.","required":true,"schema":{"type":"string"}},{"name":"product\#
Id","summary":"The product that is asked about.","schema":{"type":"string"}}],"result":{"name":"re\#
sult","schema":{"type":"object","properties":{"isValid":{"type":"boolean","description":"Whether t\#
he purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type"\#
:"null"}]},"tier":{"type":"string"},"message":{"type":"string","description":"One sentence for peo\#
ple."},"status":{"$ref":"#/components/schemas/Status"}},"required":["isValid","expiresAt","tier","\#
message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/\#
errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/error\#
s/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"\#
},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"},{"$r\#
ef":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a subscriber","params":[{"name"\#
:"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"result":{"name":"result","value":\#
{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","message":"The purchase gives\#
 access.","status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"ha\#
dSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":1\#
07374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-\#
03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"s\#
tatus":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app\#
_store","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"200\#
0000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gr\#
acePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"sta\#
le":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend credits, once per key.","descri\#
ption":"The first answer under a key, also insufficient, is kept for 30 days and given again.","x-\#
role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required"\#
:true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The sam\#
e key never charges twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"\#
}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/components/schemas/Amount"}}],"resul\#
t":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["co\#
nsumed","insufficient","unlimited"],"description":"unlimited: the user's plan renders without coun\#
ting; nothing was charged or stored."},"creditsRemaining":{"type":"integer","description":"What ca\#
n be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first ans\#
wer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["outcome","creditsRe\#
maining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismat\#
ch"}],"examples":[{"name":"the last credit","params":[{"name":"userId","value":"bob"},{"name":"ide\#
mpotencyKey","value":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","credi\#
tsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same again, after a lost connection","par\#
ams":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"n\#
ame":"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed":true,"seq":51}}}]},{"n\#
ame":"reserveCredits","summary":"Set credits aside for a render whose success is not known yet.","\#
x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","require\#
d":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The s\#
ame key never reserves twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyK\#
ey"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":\#
1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so long they return by themselves."\#
,"required":true,"schema":{"type":"integer","minimum":1,"maximum":604800}},{"name":"releaseOnDisco\#
nnect","summary":"They return when this connection, or the daemon, ends.","schema":{"type":"boolea\#
n"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string"\#
,"enum":["reserved","insufficient","unlimited","released"],"description":"released: it was reserve\#
d under this key, and returned when its connection ended."},"reservation":{"type":["string","null"\#
],"description":"The reservation's name; null where nothing is held."},"creditsRemaining":{"type":\#
"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Whet\#
her this is the stored first answer to the same key."}},"required":["outcome","reservation","credi\#
tsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compo\#
nents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components\#
/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storag\#
eFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch\#
"}],"examples":[{"name":"one credit for five minutes","params":[{"name":"userId","value":"bob"},{"\#
name":"idempotencyKey","value":"render-816"},{"name":"amount","value":1},{"name":"ttlSeconds","val\#
ue":300}],"result":{"name":"result","value":{"outcome":"reserved","reservation":"r52","creditsRema\#
ining":2,"replayed":false}}}]},{"name":"commitReservation","summary":"Spend what is held, or a par\#
t of it; the rest returns.","x-role":"app","paramStructure":"by-name","params":[{"name":"reservati\#
on","summary":"Its name.","required":true,"schema":{"type":"string"}},{"name":"amount","summary":"\#
How many of the held credits; all when absent.","schema":{"type":"integer","minimum":1,"maximum":1\#
000000000}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"\#
string","enum":["committed","expired","released"],"description":"A second commit gets the first an\#
swer."},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"required":[\#
"outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/S\#
torageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"e\#
xamples":[{"name":"done","params":[{"name":"reservation","value":"r52"}],"result":{"name":"result"\#
,"value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":"releaseReservation","summary":"\#
Give back what is held.","x-role":"app","paramStructure":"by-name","params":[{"name":"reservation"\#
,"summary":"Its name.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","sch\#
ema":{"type":"object","properties":{"outcome":{"type":"string","enum":["released","expired","commi\#
tted"]},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"required":[\#
"outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/S\#
torageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"e\#
xamples":[{"name":"the render failed","params":[{"name":"reservation","value":"r52"}],"result":{"n\#
ame":"result","value":{"outcome":"released","creditsRemaining":3}}}]},{"name":"reverseCredits","su\#
mmary":"Put a charge back into the buckets that it came from; what has ended stays ended.","x-role\#
":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":tru\#
e,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same ke\#
y never puts back twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}}\#
,{"name":"consumeKey","summary":"The key of the consumeCredit.","required":true,"schema":{"$ref":"\#
#/components/schemas/IdempotencyKey"}}],"result":{"name":"result","schema":{"type":"object","prope\#
rties":{"outcome":{"type":"string","enum":["reversed","nothing"],"description":"nothing: nothing w\#
as charged, or it was put back before."},"creditsRemaining":{"type":"integer","description":"What \#
can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first a\#
nswer to the same key."}},"required":["outcome","creditsRemaining","replayed"]}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloa\#
ded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"}],\#
"examples":[{"name":"the picture was broken","params":[{"name":"userId","value":"bob"},{"name":"id\#
empotencyKey","value":"refund-815"},{"name":"consumeKey","value":"render-815"}],"result":{"name":"\#
result","value":{"outcome":"reversed","creditsRemaining":1,"replayed":false}}}]},{"name":"grantEnt\#
itlement","summary":"Give a user the access of a plan.","description":"An unknown plan is invalid_\#
params. A repeated key with the same parameters gets the first answer, with others idempotency_mis\#
match.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user\#
.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"plan","summary":"A pl\#
an of the catalog.","required":true,"schema":{"type":"string"}},{"name":"idempotencyKey","summary"\#
:"The same key never makes a second grant.","required":true,"schema":{"$ref":"#/components/schemas\#
/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","schema":{"$ref":"#/components/schemas\#
/Time"}},{"name":"startsAt","summary":"The beginning; now when absent.","schema":{"$ref":"#/compon\#
ents/schemas/Time"}},{"name":"store","summary":"What `subscriptionMethod` shows instead of grant."\#
,"schema":{"type":"string","enum":["app_store","google_play","stripe"]}},{"name":"reason","summary\#
":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":\#
"object","properties":{"grant":{"type":"string","description":"The grant's name, for revokeGrant."\#
},"status":{"$ref":"#/components/schemas/Status"},"replayed":{"type":"boolean","description":"Whet\#
her this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},\#
"required":["grant","status","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidPar\#
ams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"}\#
,{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/co\#
mponents/errors/StorageFull"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/compon\#
ents/errors/Overloaded"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","val\#
ue":"bob"},{"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"na\#
me":"expiresAt","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"resul\#
t":{"name":"result","value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRende\#
r":true,"isSubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"\#
paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","ex\#
piresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","su\#
bscription":null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a \#
grant back; one that was taken back before is not_found.","x-role":"admin","paramStructure":"by-na\#
me","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/component\#
s/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"schema":{"type"\#
:"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"resul\#
t":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components/schemas\#
/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$re\#
f":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/co\#
mponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/e\#
rrors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/NotFo\#
und"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"take it back","params":[{"na\#
me":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"st\#
atus":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscr\#
iption":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,\#
"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subsc\#
ribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user cr\#
edits.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user\#
.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"Ho\#
w many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"id\#
empotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/com\#
ponents/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent.\#
","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come from,\#
 as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the his\#
tory.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","propertie\#
s":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"type\#
":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$ref\#
":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref\#
":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/com\#
ponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/er\#
rors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overlo\#
aded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"an apology","param\#
s":[{"name":"userId","value":"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","value":"\#
support-4712"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"credits\#
Remaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a user's cr\#
edits, up or down; stops at 0.","x-role":"admin","paramStructure":"by-name","params":[{"name":"use\#
rId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name\#
":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":-1000000000,\#
"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts twice.","requ\#
ired":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":\#
"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source\#
","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}},{"name":"r\#
eason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","s\#
chema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description":"What can\#
 be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first answ\#
er to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","r\#
eplayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/err\#
ors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/N\#
otReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{\#
"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"exam\#
ples":[{"name":"a correction","params":[{"name":"userId","value":"bob"},{"name":"amount","value":-\#
2},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"given twice"}],"resu\#
lt":{"name":"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"dump","\#
summary":"A page of what is kept.","description":"Values are decoded. A page ends early where the \#
reply would be longer than a frame, so only a null cursor says that it was the last.","x-role":"ad\#
min","paramStructure":"by-name","params":[{"name":"table","summary":"Only this table; all of them \#
when absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only keys that begin so.","s\#
chema":{"type":"string"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"typ\#
e":"string"}},{"name":"limit","summary":"How many rows at most.","schema":{"type":"integer","minim\#
um":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"type":"object","propertie\#
s":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/compone\#
nts/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For the next page; null after\#
 the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/I\#
nvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissio\#
nDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$r\#
ef":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token","params":[{"name":"tab\#
le","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result","value":{"seq":42,"ent\#
ries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}]\#
,"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramStructure":"by-name"\#
,"params":[{"name":"table","summary":"The table.","required":true,"schema":{"type":"string"}},{"na\#
me":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref":"#/components/sc\#
hemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties":{"value":{"descr\#
iption":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/components/errors/Inval\#
idParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDen\#
ied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":\#
"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"wh\#
ose token it is","params":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-\#
80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"nam\#
e":"load","summary":"Take in rows as dump writes them.","description":"One call is one entry of th\#
e journal: all of it or nothing. A row that is here with another value refuses the call, with its \#
place in data.index; one that is equal counts as loaded. Rows of meta, alarms, ticks and tombstone\#
s are passed over. Load every page of a dump before the users come.","x-role":"admin","paramStruct\#
ure":"by-name","params":[{"name":"entries","summary":"The rows.","required":true,"schema":{"type":\#
"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/components/schemas/Row"}}}],"result":{"nam\#
e":"result","schema":{"type":"object","properties":{"loaded":{"type":"integer","minimum":0,"descri\#
ption":"How many rows are now as they were to be."}},"required":["loaded"]}},"errors":[{"$ref":"#/\#
components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/componen\#
ts/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/\#
ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"\#
}],"examples":[{"name":"a token","params":[{"name":"entries","value":[{"table":"tokens","key":"5f0\#
c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],"result":{"name":"result","value":\#
{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person.","description":"Every row about \#
the person goes; the rows of the journal keep amounts, and a pseudonym in the place of the user id\#
, the tokens and the ids of the store. What stores say of the person later is answered and not kep\#
t, until registerAccount names the person again; then free credits are not given a second time. Ba\#
ckups made before still hold the person.","x-role":"admin","paramStructure":"by-name","params":[{"\#
name":"userId","summary":"Whom to forget.","required":true,"schema":{"$ref":"#/components/schemas/\#
UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"erased":{"type":"boo\#
lean","description":"Whether there was somebody to forget."},"seq":{"$ref":"#/components/schemas/S\#
eq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"Forgotten","param\#
s":[{"name":"userId","value":"user-1"}],"result":{"name":"result","value":{"erased":true,"seq":402\#
1}}}]},{"name":"exportUser","summary":"Everything kept about a person.","description":"One reply f\#
or most people. Where it would be longer than a frame, the lists go on on the next page; the accou\#
nt stands on every page.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","\#
summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"cur\#
sor","summary":"Where the page before ended.","schema":{"type":"string"}}],"result":{"name":"resul\#
t","schema":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"accoun\#
t":{"type":["object","null"],"description":"As dump writes it; null, and nothing else, for a user \#
of whom nothing is kept."},"seq":{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#\#
/components/schemas/Time"}],"description":"Where the journal was pruned before this moment: earlie\#
r events are not kept."},"tokens":{"type":"array","description":"Their tokens."},"subscriptions":{\#
"type":"array","description":"With their facts, as dump writes them."},"settlements":{"type":"arra\#
y","description":"First answers under their keys."},"reservations":{"type":"array","description":"\#
Credits that were held."},"packs":{"type":"array","description":"Credit packs."},"events":{"type":\#
"array","description":"The journal's entries about them, oldest first."},"cursor":{"type":["string\#
","null"],"description":"For the next page; null after the last."}},"required":["userId","account"\#
]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalEr\#
ror"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$r\#
ef":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"n\#
ame":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"us\#
erId":"nobody","account":null}}}]},{"name":"backup","summary":"Copy one consistent state into a ne\#
w directory.","description":"Made under another name, flushed, verified by replaying its journal, \#
then renamed. Writes go on meanwhile. One at a time.","x-role":"admin","paramStructure":"by-name",\#
"params":[{"name":"path","summary":"Absolute, on the daemon's host, not there yet; it becomes a da\#
ta directory.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"t\#
ype":"object","properties":{"path":{"type":"string"},"bytes":{"type":"integer","minimum":1,"descri\#
ption":"The bytes of its files."},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","descriptio\#
n":"SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb where ther\#
e is one."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["path","bytes","digest","seq"]}\#
},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErro\#
r"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref\#
":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/compon\#
ents/errors/Overloaded"}],"examples":[{"name":"every night","params":[{"name":"path","value":"/var\#
/backups/entitld/2026-02-15"}],"result":{"name":"result","value":{"path":"/var/backups/entitld/202\#
6-02-15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\#
","seq":41}}}]},{"name":"setLogLevel","summary":"Change what is logged, until the configuration is\#
 read again.","x-role":"admin","paramStructure":"by-name","params":[{"name":"level","summary":"The\#
 least level.","required":true,"schema":{"type":"string","enum":["trace","debug","info","notice","\#
warning","error","critical"]}}],"result":{"name":"result","schema":{"type":"object","properties":{\#
"level":{"type":"string"}},"required":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidPa\#
rams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"\#
},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/c\#
omponents/errors/Overloaded"}],"examples":[{"name":"more","params":[{"name":"level","value":"debug\#
"}],"result":{"name":"result","value":{"level":"debug"}}}]},{"name":"stats","summary":"Figures abo\#
ut the daemon.","x-role":"admin","paramStructure":"by-name","params":[],"result":{"name":"stats","\#
schema":{"type":"object","properties":{"version":{"type":"string"},"seq":{"$ref":"#/components/sch\#
emas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":\#
"array","items":{"type":"string"}},"commands":{"type":"integer"},"groups":{"type":"integer"},"queu\#
eDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps":{"type":"integer"},"journ\#
al":{"type":"object","properties":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","descr\#
iption":"The newest position that was pruned; 0 while everything is there."},"oldest":{"anyOf":[{"\#
$ref":"#/components/schemas/Time"},{"type":"null"}],"description":"From when on everything is know\#
n; null while everything is there."}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"\#
object","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":"integer"},"readers":{"typ\#
e":"integer"}},"required":["mapBytes","usedBytes","readers"]}},"required":["version","seq","uptime\#
Seconds","catalogVersion","plans","commands","groups","queueDepth","storageFull","clockJumps","jou\#
rnal","views"],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/InvalidPara\#
ms"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},\#
{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/com\#
ponents/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"name":"resul\#
t","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid\#
","premium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal"\#
:{"bytes":65536,"prunedSeq":0,"oldest":null},"views":{"mapBytes":68719476736,"usedBytes":81920,"re\#
aders":3}}}}]},{"name":"reconcile","summary":"Ask the store what was missed.","description":"Needs\#
 apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"u\#
serId","summary":"About this user, and wait; without, begin a round through everything.","schema":\#
{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","prop\#
erties":{"applied":{"type":"boolean","description":"With a user: whether something was newer than \#
what was kept."},"status":{"$ref":"#/components/schemas/Status"},"running":{"type":"boolean","desc\#
ription":"Without a user: true; progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/comp\#
onents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/e\#
rrors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shut\#
tingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"\#
$ref":"#/components/errors/NotFound"}],"examples":[{"name":"one user","params":[{"name":"userId","\#
value":"bob"}],"result":{"name":"result","value":{"applied":true,"status":{"userId":"alice","state\#
":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"p\#
lan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscrip\#
tionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-0\#
3-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.exampl\#
e.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","origina\#
lTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10\#
:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"\#
isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything\#
","params":[],"result":{"name":"result","value":{"running":true}}}]},{"name":"testNotification","s\#
ummary":"Ask Apple to send a test notification, and wait for it.","description":"The check of the \#
set-up that every new operator wants. Needs apple.api in the configuration.","x-role":"admin","par\#
amStructure":"by-name","params":[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":"\#
integer","minimum":1,"maximum":600,"default":60}}],"result":{"name":"result","schema":{"type":"obj\#
ect","properties":{"delivered":{"type":"boolean","description":"Whether Apple could deliver it her\#
e."},"sendAttemptResult":{"type":["string","null"],"description":"What Apple says of the attempt."\#
}},"required":["delivered","sendAttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidPa\#
rams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"\#
},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/c\#
omponents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it \#
works","params":[],"result":{"name":"result","value":{"delivered":true,"sendAttemptResult":"SUCCES\#
S"}}}]},{"name":"ping","summary":"Whether the daemon answers.","description":"Answers before the d\#
aemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"n\#
othing","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"\#
name":"ping","params":[],"result":{"name":"result","value":{}}}]},{"name":"version","summary":"Whi\#
ch daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"reader","pa\#
ramStructure":"by-name","params":[],"result":{"name":"versions","schema":{"type":"object","propert\#
ies":{"entitld":{"type":"string","description":"The daemon's version."},"protocol":{"type":"string\#
","description":"The major version of the protocol: of frames, methods and words."},"format":{"typ\#
e":"integer","description":"The version of what is on disk."}},"required":["entitld","protocol","f\#
ormat"]}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Perm\#
issionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"version","params":[\#
],"result":{"name":"result","value":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc\#
.discover","summary":"This document.","x-role":"reader","paramStructure":"by-name","params":[],"re\#
sult":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-s\#
chema/master/schema.json"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"discover","summary":"The document is shortened.","params":[],"result\#
":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"method\#
s":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string","minLength":1,"maxLength":256,"desc\#
ription":"1 to 256 bytes of UTF-8 without control characters, compared byte by byte."},"Token":{"t\#
ype":"string","format":"uuid","description":"A UUID that a purchase carries; the all-zero one is n\#
one."},"Time":{"type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC with three decimals."},"Amount":{\#
"type":"integer","minimum":1,"maximum":1000000000,"default":1},"IdempotencyKey":{"type":"string","\#
minLength":1,"maxLength":200,"description":"1 to 200 bytes. Its scope is the user, over all method\#
s."},"Seq":{"type":"integer","minimum":0,"description":"The journal position that the answer refle\#
cts."},"SignedDocument":{"type":"string","description":"A JWS in its compact form, as the store si\#
gned it."},"State":{"type":"string","enum":["no_account","trial","subscribed","free_with_credits",\#
"free_no_credits"],"description":"The first that matches: trial also when cancelled during the tri\#
al; subscribed is any other access by subscription, grace or grant."},"RenderAnswer":{"type":"obje\#
ct","properties":{"canRender":{"type":"boolean"},"via":{"enum":["subscription","grace","grant","cr\#
edits",null],"description":"What gives the access; null without it."},"state":{"$ref":"#/component\#
s/schemas/State"},"reason":{"enum":["no_account","revoked","billing_retry","expired","credits_exha\#
usted","never_subscribed",null],"description":"Why not; null with access."},"nextChangeAt":{"anyOf\#
":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"\#
}},"required":["canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object"\#
,"properties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schem\#
as/State"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access b\#
y subscription, grace or grant, trials included."},"hadSubscription":{"type":"boolean","descriptio\#
n":"Whether the user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"t\#
ype":["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":\#
{"type":["number","string","boolean","null"]},"description":"Those of the plan, as the catalog has\#
 them; null is no limit."},"subscriptionMethod":{"type":["string","null"],"description":"app_store\#
_subscription, google_play, stripe, grant, or the store that a grant names."},"expiresAt":{"anyOf"\#
:[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/compo\#
nents/schemas/Time"},{"type":"null"}]},"paywall":{"type":"string","enum":["none","resubscribe","st\#
art_trial","subscribe"]},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"t\#
ype":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender"\#
,"isSubscriber","hadSubscription","creditsRemaining","plan","tier","limits","subscriptionMethod","\#
expiresAt","nextChangeAt","paywall","subscription","seq"]},"Subscription":{"type":"object","proper\#
ties":{"status":{"type":"string","enum":["revoked","cancelled","trial","subscribed","grace_period"\#
,"billing_retry","expired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","n\#
ull"],"description":"From the next renewal on, if it changes."},"store":{"type":"string"},"environ\#
ment":{"type":"string","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},\#
"transactionId":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/T\#
ime"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}\#
]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRe\#
new":{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/c\#
omponents/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Tim\#
e"},{"type":"null"}]},"stale":{"type":"boolean","description":"A renewal is due and the store has \#
not been heard."}},"required":["status","productId","pendingProductId","store","environment","orig\#
inalTransactionId","transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","i\#
sTrial","cancelledAt","revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActive\#
":{"type":"boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"\#
},"originalTransactionId":{"type":"string"},"environment":{"type":"string","enum":["Production","S\#
andbox"]}},"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","propert\#
ies":{"base64":{"type":"string"}},"required":["base64"]}],"description":"Text, or base64 where it \#
is not UTF-8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/co\#
mponents/schemas/RowKey"},"value":{"description":"The decoded value."}},"required":["table","key",\#
"value"]}},"errors":{"ParseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code"\#
:"parse_error","retryable":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a re\#
quest.","data":{"code":"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"mess\#
age":"There is no such method.","data":{"code":"method_not_found","retryable":false}},"InvalidPara\#
ms":{"code":-32602,"message":"A parameter is missing, unknown or not what it should be.","data":{"\#
code":"invalid_params","retryable":false}},"InternalError":{"code":-32603,"message":"The daemon fa\#
iled.","data":{"code":"internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"mess\#
age":"The caller's role does not include the method.","data":{"code":"permission_denied","retryabl\#
e":false}},"NotReady":{"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_\#
ready","retryable":true}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","\#
data":{"code":"shutting_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is \#
no room on disk.","data":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-3\#
2020,"message":"The document does not verify.","data":{"code":"verification_failed","retryable":fa\#
lse,"reason":"signature"}},"OwnershipConflict":{"code":-32021,"message":"The purchase, or the toke\#
n, is another user's.","data":{"code":"ownership_conflict","retryable":false}},"ClaimMismatch":{"c\#
ode":-32022,"message":"What is claimed differs from what is signed.","data":{"code":"claim_mismatc\#
h","retryable":false,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key\#
 was used with other arguments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFou\#
nd":{"code":-32024,"message":"There is no such grant or row.","data":{"code":"not_found","retryabl\#
e":false}},"Overloaded":{"code":-32029,"message":"Too much is asked at once.","data":{"code":"over\#
loaded","retryable":true,"retryAfterMs":100}}}}}
"""#
}
