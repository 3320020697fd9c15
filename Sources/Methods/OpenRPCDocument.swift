// swift-format-ignore-file
// Written by proto/embed.py from proto/openrpc.json; change that, and run it again.

/// The OpenRPC document that `rpc.discover` answers.
package enum OpenRPCDocument {
    /// Compact JSON: what proto/openrpc.json says, in the same order.
    package static let text: String = #"""
{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0","description":"What users of an app\#
 may do right now, asked over a Unix socket. A frame is a 4-byte big-endian length and one JSON va\#
lue; parameters are named. Schemas are JSON Schema draft-07. `x-role` is the least role that may c\#
all a method: reader, app, support, admin; reconcile without a user is for support. Reads ignore u\#
nknown parameters, writes refuse them. parse_error, invalid_request and method_not_found can answe\#
r any frame and are not listed with the methods.","license":{"name":"Apache-2.0","url":"https://ww\#
w.apache.org/licenses/LICENSE-2.0"}},"methods":[{"name":"canRender","summary":"Whether a user may \#
render now.","description":"True if any owned subscription or grant gives access and its plan is u\#
nlimited for render, or if the credits cover the cost. `cost` is 1 unless given.","x-role":"reader\#
","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"sch\#
ema":{"$ref":"#/components/schemas/UserId"}},{"name":"cost","summary":"The price in credits, where\#
 credits pay.","schema":{"$ref":"#/components/schemas/Amount"}}],"result":{"name":"answer","schema\#
":{"$ref":"#/components/schemas/RenderAnswer"}},"errors":[{"$ref":"#/components/errors/InvalidPara\#
ms"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},\#
{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/com\#
ponents/errors/Overloaded"}],"examples":[{"name":"by subscription","params":[{"name":"userId","val\#
ue":"alice"}],"result":{"name":"result","value":{"canRender":true,"via":"subscription","state":"su\#
bscribed","reason":null,"nextChangeAt":"2026-03-15T10:00:00.000Z","seq":42}}},{"name":"nobody","pa\#
rams":[{"name":"userId","value":"nobody"},{"name":"cost","value":1}],"result":{"name":"result","va\#
lue":{"canRender":false,"via":null,"state":"no_account","reason":"no_account","nextChangeAt":null,\#
"seq":42}}}]},{"name":"getStatus","summary":"All that is said about a user at once.","x-role":"rea\#
der","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"\#
schema":{"$ref":"#/components/schemas/UserId"}},{"name":"at","summary":"A past moment: what the da\#
emon knew then.","schema":{"$ref":"#/components/schemas/Time"}}],"result":{"name":"status","schema\#
":{"$ref":"#/components/schemas/Status"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{\#
"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref\#
":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/component\#
s/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a subscriber",\#
"params":[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"userId":"alice","\#
state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining"\#
:3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"sub\#
scriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2\#
026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.e\#
xample.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","or\#
iginalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-\#
15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":t\#
rue,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}},{"name":"nobody\#
","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobod\#
y","state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRem\#
aining":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextCh\#
angeAt":null,"paywall":"subscribe","subscription":null,"seq":42}}}]},{"name":"getEntitlement","sum\#
mary":"The access by a purchase or a grant.","x-role":"reader","paramStructure":"by-name","params"\#
:[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/Us\#
erId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"\#
#/components/schemas/Entitlement"}},"required":["entitlement"]}},"errors":[{"$ref":"#/components/e\#
rrors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Pe\#
rmissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown\#
"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a subscriber","params":[{"name"\#
:"userId","value":"alice"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"pro\#
ductId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionI\#
d":"2000000000000001","environment":"Production"}}}},{"name":"nobody","params":[{"name":"userId","\#
value":"nobody"}],"result":{"name":"result","value":{"entitlement":{"isActive":false}}}}]},{"name"\#
:"getSubscriptions","summary":"All subscriptions of a user, the best first.","x-role":"reader","pa\#
ramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":\#
{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","prop\#
erties":{"subscriptions":{"type":"array","items":{"$ref":"#/components/schemas/OwnedSubscription"}\#
}},"required":["subscriptions"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/Overloaded"}],"examples":[{"name":"one that is paid","params":[{"name":"userId","value":"alice"}]\#
,"result":{"name":"result","value":{"subscriptions":[{"status":"subscribed","productId":"com.examp\#
le.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","origin\#
alTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T1\#
0:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,\#
"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false,"group":"21465342","ownership":"\#
PURCHASED","offer":null,"price":9990,"currency":"USD","storefront":"USA","billingPlan":null,"commi\#
tmentExpiresAt":null,"givesAccess":true}]}}},{"name":"nobody","params":[{"name":"userId","value":"\#
nobody"}],"result":{"name":"result","value":{"subscriptions":[]}}}]},{"name":"getCredits","summary\#
":"A user's credits.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","sum\#
mary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"nam\#
e":"result","schema":{"type":"object","properties":{"balance":{"type":"integer","description":"Spe\#
ndable now, holds taken out."},"held":{"type":"integer","description":"Set aside by reservations."\#
},"buckets":{"type":"array","items":{"type":"object","properties":{"amount":{"type":"integer"},"ex\#
piresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"source":{"type":"string\#
"}},"required":["amount","expiresAt","source"]},"description":"In the order of spending: soonest e\#
nd first."}},"required":["balance","held","buckets"]}},"errors":[{"$ref":"#/components/errors/Inva\#
lidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDe\#
nied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref"\#
:"#/components/errors/Overloaded"}],"examples":[{"name":"three free ones and a pack","params":[{"n\#
ame":"userId","value":"bob"}],"result":{"name":"result","value":{"balance":12,"held":1,"buckets":[\#
{"amount":2,"expiresAt":"2026-03-15T10:00:00.000Z","source":"grant"},{"amount":10,"expiresAt":null\#
,"source":"pack:com.wearbloom.credits.10"}]}}}]},{"name":"getManagementURL","summary":"Where a use\#
r manages the subscription.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userI\#
d","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":\#
"platform","summary":"Where the user reads the page; without it, that of the store of the subscrip\#
tion shown.","schema":{"type":"string","enum":["ios","android","web"]}}],"result":{"name":"result"\#
,"schema":{"type":"object","properties":{"url":{"type":["string","null"]}},"required":["url"]}},"e\#
rrors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},\#
{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#\#
/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"\#
an App Store subscriber","params":[{"name":"userId","value":"alice"},{"name":"platform","value":"i\#
os"}],"result":{"name":"result","value":{"url":"https://apps.apple.com/account/subscriptions"}}},{\#
"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"\#
url":null}}}]},{"name":"getHistory","summary":"What changed for a user, oldest first.","descriptio\#
n":"A page ends early where the reply would be longer than a frame, so only an empty one says that\#
 it was the last.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summar\#
y":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"afterSeq"\#
,"summary":"Events after this position.","schema":{"$ref":"#/components/schemas/Seq"}},{"name":"li\#
mit","summary":"How many at most; events of one position are never parted.","schema":{"type":"inte\#
ger","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"result","schema":{"type":"objec\#
t","properties":{"events":{"type":"array","items":{"type":"object","properties":{"seq":{"$ref":"#/\#
components/schemas/Seq"},"at":{"$ref":"#/components/schemas/Time"},"cause":{"type":"string"},"befo\#
re":{"$ref":"#/components/schemas/Status"},"after":{"$ref":"#/components/schemas/Status"},"by":{"a\#
nyOf":[{"type":"object","properties":{"role":{"type":"string","enum":["reader","app","support","ad\#
min"]},"uid":{"type":"integer","description":"The user of the system, as the kernel says."},"token\#
":{"type":"string","description":"The name of the caller's token."}},"required":["role"]},{"type":\#
"null"}],"description":"Who had it done; null where a store, time or the daemon did."},"detail":{"\#
type":"object","properties":{"store":{"type":"string"},"type":{"type":"string","description":"The \#
store's word for what happened."},"subtype":{"type":"string"},"productId":{"type":"string"},"trans\#
actionId":{"type":"string"},"price":{"type":"integer","description":"In thousandths of the currenc\#
y."},"currency":{"type":"string"},"amount":{"type":"integer","description":"How many credits."},"p\#
lan":{"type":"string"},"grant":{"type":"string"},"reason":{"type":"string"},"source":{"type":"stri\#
ng"}},"description":"What was done: the members that apply."}},"required":["seq","at","cause","bef\#
ore","after","by","detail"]},"description":"What changed, when, why, and what was true before and \#
after."},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal\#
 was pruned before this moment, and the user was known then: what changed up to it is not told any\#
 more."}},"required":["events"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"an account begins","pa\#
rams":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"events":[{"seq":42,"at\#
":"2026-02-15T10:00:00.000Z","cause":"registered","before":{"userId":"bob","state":"no_account","c\#
anRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tie\#
r":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"su\#
bscribe","subscription":null,"seq":41},"after":{"userId":"alice","state":"subscribed","canRender":\#
true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid\#
","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subs\#
cription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywal\#
l":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pending\#
ProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000\#
000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2\#
026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt\#
":null,"revokedAt":null,"stale":false},"seq":42},"by":{"role":"app","uid":1000},"detail":{"amount"\#
:3}}]}}}]},{"name":"explain","summary":"Why a user's status is what it is.","x-role":"reader","par\#
amStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{\#
"$ref":"#/components/schemas/UserId"}},{"name":"at","summary":"A past moment.","schema":{"$ref":"#\#
/components/schemas/Time"}}],"result":{"name":"result","schema":{"type":"object","properties":{"at\#
":{"$ref":"#/components/schemas/Time"},"rule":{"type":"string","description":"The rule that decide\#
d."},"because":{"type":"string","description":"The same, as a sentence."},"catalogVersion":{"type"\#
:"integer","description":"Counts the catalogs installed."},"facts":{"type":"array","items":{"type"\#
:"object"},"description":"The purchases, with everything that the store said of them."},"grants":{\#
"type":"array","items":{"type":"object"}},"credits":{"type":"object"},"status":{"$ref":"#/componen\#
ts/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["at","rule","because","\#
catalogVersion","facts","grants","credits","status","seq"]}},"errors":[{"$ref":"#/components/error\#
s/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permis\#
sionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{\#
"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"na\#
me":"a stranger","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"at\#
":"2026-02-15T10:00:00.000Z","rule":"no_account","because":"No write has named this user.","catalo\#
gVersion":1,"facts":[],"grants":[],"credits":{"balance":0,"held":0,"owed":0},"status":{"userId":"b\#
ob","state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRe\#
maining":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextC\#
hangeAt":null,"paywall":"subscribe","subscription":null,"seq":41},"seq":41}}}]},{"name":"watch","s\#
ummary":"Be told of every change from now on.","description":"The result is followed by notificati\#
ons on this connection: entitlementChanged {seq, userId, cause, status}, one per change; catalogCh\#
anged {seq, version}; heartbeat {seq} every 15 s; resync {oldest} when the cursor is too old or to\#
o much was missed. coalesced: true stands in an entitlementChanged that takes the place of older o\#
nes of the same user, because more than 256 waited unsent.","x-role":"reader","paramStructure":"by\#
-name","params":[{"name":"userIds","summary":"Of these users; of everybody when absent.","schema":\#
{"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/UserId"}}},{"name":"fromSeq\#
","summary":"Also of what changed after this position.","schema":{"$ref":"#/components/schemas/Seq\#
"}}],"result":{"name":"result","schema":{"type":"object","properties":{"seq":{"$ref":"#/components\#
/schemas/Seq"}},"required":["seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref\#
":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/\#
components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/err\#
ors/Overloaded"}],"examples":[{"name":"everybody","params":[],"result":{"name":"result","value":{"\#
seq":42}}}]},{"name":"registerAccount","summary":"Begin a user's account, or link another token to\#
 it.","description":"Free credits come with the first call for a user. Purchases with the token th\#
at nobody owns become the user's. Repeating it is safe.","x-role":"app","paramStructure":"by-name"\#
,"params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/s\#
chemas/UserId"}},{"name":"appAccountToken","summary":"The token; derived from the user when absent\#
.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":{"type":"ob\#
ject","properties":{"appAccountToken":{"$ref":"#/components/schemas/Token"},"created":{"type":"boo\#
lean","description":"Whether this call began the account."},"creditsRemaining":{"type":"integer"}}\#
,"required":["appAccountToken","created","creditsRemaining"]}},"errors":[{"$ref":"#/components/err\#
ors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Perm\#
issionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"}\#
,{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/OwnershipConflict"},{"$re\#
f":"#/components/errors/Overloaded"}],"examples":[{"name":"the first time","params":[{"name":"user\#
Id","value":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa4\#
2-790840cec83b","created":true,"creditsRemaining":3}}},{"name":"again","params":[{"name":"userId",\#
"value":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-79\#
0840cec83b","created":false,"creditsRemaining":3}}}]},{"name":"verifyPurchase","summary":"Link a s\#
igned purchase to a user.","description":"A claim that differs from what is signed is refused. A p\#
urchase is never taken from another user, and one whose newest token is nobody's must be named in \#
appAccountToken or be derived. Repeating it is safe.","x-role":"app","paramStructure":"by-name","p\#
arams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sche\#
mas/UserId"}},{"name":"signedTransaction","summary":"The signed transaction; without it the store \#
is asked for `transactionId`.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"s\#
ignedRenewalInfo","summary":"The store's signed renewal information.","schema":{"$ref":"#/componen\#
ts/schemas/SignedDocument"}},{"name":"productId","summary":"Claim: which product was bought.","sch\#
ema":{"type":"string"}},{"name":"transactionId","summary":"Claim: the store's name for the transac\#
tion.","schema":{"type":"string"}},{"name":"originalTransactionId","summary":"Claim: the store's n\#
ame for the subscription.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Claim:\#
 the token that the purchase was made with; names a signed token of nobody.","schema":{"$ref":"#/c\#
omponents/schemas/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"ent\#
itlement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Statu\#
s"},"applied":{"type":"boolean","description":"Whether a document was newer than what is kept."}},\#
"required":["entitlement","status","applied"]}},"errors":[{"$ref":"#/components/errors/InvalidPara\#
ms"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},\#
{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/com\#
ponents/errors/StorageFull"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/componen\#
ts/errors/OwnershipConflict"},{"$ref":"#/components/errors/ClaimMismatch"},{"$ref":"#/components/e\#
rrors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a new purchase","\#
summary":"The document is shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedT\#
ransaction","value":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result\#
","value":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2\#
026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Production"},"s\#
tatus":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscriptio\#
n":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,\#
"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:\#
00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subs\#
cribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","env\#
ironment":"Production","originalTransactionId":"2000000000000001","transactionId":"200000000000000\#
1","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExp\#
iresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"\#
seq":42},"applied":true}}}]},{"name":"restorePurchases","summary":"Link what a user's device knows\#
 of their purchases.","description":"A purchase of another user goes by accounts.transferPolicy; w\#
here what is shown was signed before they bought or showed it, it is `refused`. One whose newest t\#
oken is nobody's is `refused`, unless the token is named or derived. Credit packs are credited to \#
whom they belong and are not listed. One document that does not verify fails the call, with its pl\#
ace in data.index, and nothing is applied.","x-role":"app","paramStructure":"by-name","params":[{"\#
name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId\#
"}},{"name":"signedTransactions","summary":"The device's transactions; these or a receipt.","schem\#
a":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocumen\#
t"}}},{"name":"receiptData","summary":"An app receipt in their place, base64.","schema":{"type":"s\#
tring"}},{"name":"appAccountToken","summary":"Names a signed token of nobody as the user's, whiche\#
ver of the documents carries it.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Ent\#
itlement"},"status":{"$ref":"#/components/schemas/Status"},"results":{"type":"array","items":{"typ\#
e":"object","properties":{"originalTransactionId":{"type":"string"},"outcome":{"type":"string","en\#
um":["linked","already_owned","moved","shared","refused"]}},"required":["originalTransactionId","o\#
utcome"]},"description":"One for each subscription, in order of appearance."}},"required":["entitl\#
ement","status","results"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFaile\#
d"}],"examples":[{"name":"a new phone, another account","params":[{"name":"userId","value":"bob"},\#
{"name":"signedTransactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"resu\#
lt":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"com.example.premium.mont\#
hly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environmen\#
t":"Production"},"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":t\#
rue,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageB\#
ytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt"\#
:"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscripti\#
on":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"stor\#
e":"app_store","environment":"Production","originalTransactionId":"2000000000000001","transactionI\#
d":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.00\#
0Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":nu\#
ll,"stale":false},"seq":42},"results":[{"originalTransactionId":"2000000000000001","outcome":"move\#
d"}]}}}]},{"name":"verifyReceipt","summary":"Link the purchases of an app receipt of the time befo\#
re StoreKit 2.","description":"The receipt is verified here; Apple's verifyReceipt is not called. \#
A receipt carries no token: where a notification brought one that is nobody's, it must be named or\#
 derived.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The use\#
r.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receiptData","summar\#
y":"The receipt, base64.","required":true,"schema":{"type":"string"}},{"name":"productId","summary\#
":"The product that is asked about.","schema":{"type":"string"}},{"name":"appAccountToken","summar\#
y":"Names a token of nobody on the receipt's purchases as the user's.","schema":{"$ref":"#/compone\#
nts/schemas/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"isValid":\#
{"type":"boolean","description":"Whether the purchase gives access now."},"expiresAt":{"anyOf":[{"\#
$ref":"#/components/schemas/Time"},{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"s\#
tring","description":"One sentence for people."},"status":{"$ref":"#/components/schemas/Status"}},\#
"required":["isValid","expiresAt","tier","message","status"]}},"errors":[{"$ref":"#/components/err\#
ors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Perm\#
issionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"}\#
,{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/c\#
omponents/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples"\#
:[{"name":"a subscriber","params":[{"name":"userId","value":"bob"},{"name":"receiptData","value":"\#
MIIT"}],"result":{"name":"result","value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","\#
tier":"paid","message":"The purchase gives access.","status":{"userId":"alice","state":"subscribed\#
","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium\#
","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"\#
app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00\#
.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.mon\#
thly","pendingProductId":null,"store":"app_store","environment":"Production","originalTransactionI\#
d":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z",\#
"expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":fals\#
e,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name":"signOffer","summary":\#
"Sign a promotional offer, as StoreKit asks the server to.","description":"In both of Apple's form\#
s, with the key of apple.api; the nonce and the moment are the daemon's, and count for 24 hours. W\#
hether the user may have the offer is for the caller to decide. Needs apple.api in the configurati\#
on.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","r\#
equired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"productId","summary":"The \#
subscription.","required":true,"schema":{"type":"string","minLength":1,"maxLength":255}},{"name":"\#
offerId","summary":"The promotional offer, as App Store Connect names it.","required":true,"schema\#
":{"type":"string","minLength":1,"maxLength":255}},{"name":"appAccountToken","summary":"The token \#
that the app passes to StoreKit with the purchase; when absent, the one that registerAccount answe\#
rs.","schema":{"type":"string","format":"uuid"}},{"name":"applicationUsername","summary":"In place\#
 of a token: the user name that the app passes to StoreKit; empty for a purchase with neither.","s\#
chema":{"type":"string","maxLength":255}},{"name":"transactionId","summary":"For the JWS: any tran\#
saction of the customer's, or the appTransactionId; when absent, one that is known.","schema":{"ty\#
pe":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"bundleId","summ\#
ary":"One of the configured apps; the default one when absent.","schema":{"type":"string"}}],"resu\#
lt":{"name":"result","schema":{"type":"object","properties":{"bundleId":{"type":"string","descript\#
ion":"The app that it is signed for."},"keyId":{"type":"string","description":"The key: keyID of S\#
toreKit."},"nonce":{"type":"string","description":"The nonce: a UUID in small letters."},"timestam\#
p":{"type":"integer","description":"The moment in milliseconds since 1970, as StoreKit takes it."}\#
,"applicationUsername":{"type":"string","description":"What was signed as the customer: the token,\#
 the user name, or nothing."},"signature":{"type":"string","description":"The older form: a signat\#
ure in base64."},"jws":{"type":"string","description":"The newer form: a compact JWS."}},"required\#
":["bundleId","keyId","nonce","timestamp","applicationUsername","signature","jws"]}},"errors":[{"$\#
ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/\#
components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components\#
/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Owne\#
rshipConflict"}],"examples":[{"name":"win back","params":[{"name":"userId","value":"alice"},{"name\#
":"productId","value":"com.example.premium.monthly"},{"name":"offerId","value":"half_price"}],"res\#
ult":{"name":"result","value":{"bundleId":"com.example.app","keyId":"2X9R4HXF34","nonce":"4f5c1ce6\#
-7b1e-4f0a-9f43-2f0a8f6c9d11","timestamp":1771149600000,"applicationUsername":"0640ee36-9aef-80b6-\#
aa42-790840cec83b","signature":"MEUCIQDh…","jws":"eyJhbGciOiJFUzI1NiIs…"}}}]},{"name":"signIntrodu\#
ctoryOffer","summary":"Sign who gets an introductory offer, as StoreKit asks the server to.","desc\#
ription":"Overrules what StoreKit would decide by itself, for one transaction's customer and a pro\#
duct. A JWS with the key of apple.api; the nonce and the moment are the daemon's. Needs apple.api \#
in the configuration.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summa\#
ry":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"productI\#
d","summary":"The subscription.","required":true,"schema":{"type":"string","minLength":1,"maxLengt\#
h":255}},{"name":"allowIntroductoryOffer","summary":"Whether the customer gets the offer.","requir\#
ed":true,"schema":{"type":"boolean"}},{"name":"transactionId","summary":"Any transaction of the cu\#
stomer's, or the appTransactionId; when absent, one that is known.","schema":{"type":"string","min\#
Length":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"bundleId","summary":"One of the \#
configured apps; the default one when absent.","schema":{"type":"string"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"bundleId":{"type":"string","description":"The app tha\#
t it is signed for."},"transactionId":{"type":"string","description":"The transaction that it name\#
s."},"jws":{"type":"string","description":"A compact JWS."}},"required":["bundleId","transactionId\#
","jws"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Int\#
ernalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady\#
"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"example\#
s":[{"name":"once more","params":[{"name":"userId","value":"alice"},{"name":"productId","value":"c\#
om.example.premium.monthly"},{"name":"allowIntroductoryOffer","value":true},{"name":"transactionId\#
","value":"704346128300986174"}],"result":{"name":"result","value":{"bundleId":"com.example.app","\#
transactionId":"704346128300986174","jws":"eyJhbGciOiJFUzI1NiIs…"}}}]},{"name":"consumeCredit","su\#
mmary":"Spend credits, once per key.","description":"The first answer under a key, also insufficie\#
nt, is kept for 30 days and given again.","x-role":"app","paramStructure":"by-name","params":[{"na\#
me":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}\#
},{"name":"idempotencyKey","summary":"The same key never charges twice.","required":true,"schema":\#
{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","schema":{"\#
$ref":"#/components/schemas/Amount"}}],"result":{"name":"result","schema":{"type":"object","proper\#
ties":{"outcome":{"type":"string","enum":["consumed","insufficient","unlimited"],"description":"un\#
limited: the user's plan renders without counting; nothing was charged or stored."},"creditsRemain\#
ing":{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","descr\#
iption":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/sc\#
hemas/Seq"}},"required":["outcome","creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{\#
"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"the last credit","params":\#
[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":\#
"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed":false,"seq":51}}},{"name":"\#
the same again, after a lost connection","params":[{"name":"userId","value":"bob"},{"name":"idempo\#
tencyKey","value":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsR\#
emaining":0,"replayed":true,"seq":51}}}]},{"name":"reserveCredits","summary":"Set credits aside fo\#
r a render whose success is not known yet.","x-role":"app","paramStructure":"by-name","params":[{"\#
name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId\#
"}},{"name":"idempotencyKey","summary":"The same key never reserves twice.","required":true,"schem\#
a":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","require\#
d":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"ttlSeconds","summar\#
y":"After so long they return by themselves.","required":true,"schema":{"type":"integer","minimum"\#
:1,"maximum":604800}},{"name":"releaseOnDisconnect","summary":"They return when this connection, o\#
r the daemon, ends.","schema":{"type":"boolean"}}],"result":{"name":"result","schema":{"type":"obj\#
ect","properties":{"outcome":{"type":"string","enum":["reserved","insufficient","unlimited","relea\#
sed"],"description":"released: it was reserved under this key, and returned when its connection en\#
ded."},"reservation":{"type":["string","null"],"description":"The reservation's name; null where n\#
othing is held."},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"re\#
played":{"type":"boolean","description":"Whether this is the stored first answer to the same key."\#
}},"required":["outcome","reservation","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/compo\#
nents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/er\#
rors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutt\#
ingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$\#
ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"one credit for five minutes"\#
,"params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-816"},{"name":\#
"amount","value":1},{"name":"ttlSeconds","value":300}],"result":{"name":"result","value":{"outcome\#
":"reserved","reservation":"r6917529027641081857","creditsRemaining":2,"replayed":false}}}]},{"nam\#
e":"commitReservation","summary":"Spend what is held, or a part of it; the rest returns.","x-role"\#
:"app","paramStructure":"by-name","params":[{"name":"reservation","summary":"Its name.","required"\#
:true,"schema":{"type":"string"}},{"name":"amount","summary":"How many of the held credits; all wh\#
en absent.","schema":{"type":"integer","minimum":1,"maximum":1000000000}}],"result":{"name":"resul\#
t","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["committed","expired\#
","released"],"description":"A second commit gets the first answer."},"creditsRemaining":{"type":"\#
integer","description":"What can be spent now."}},"required":["outcome","creditsRemaining"]}},"err\#
ors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"\#
$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/c\#
omponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/e\#
rrors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"done","params":[{\#
"name":"reservation","value":"r6917529027641081857"}],"result":{"name":"result","value":{"outcome"\#
:"committed","creditsRemaining":2}}}]},{"name":"releaseReservation","summary":"Give back what is h\#
eld.","x-role":"app","paramStructure":"by-name","params":[{"name":"reservation","summary":"Its nam\#
e.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"objec\#
t","properties":{"outcome":{"type":"string","enum":["released","expired","committed"]},"creditsRem\#
aining":{"type":"integer","description":"What can be spent now."}},"required":["outcome","creditsR\#
emaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/I\#
nternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRea\#
dy"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref\#
":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"\#
the render failed","params":[{"name":"reservation","value":"r6917529027641081857"}],"result":{"nam\#
e":"result","value":{"outcome":"released","creditsRemaining":3}}}]},{"name":"reverseCredits","summ\#
ary":"Put a charge back into the buckets that it came from; what has ended stays ended.","x-role":\#
"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,\#
"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key \#
never puts back twice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{\#
"name":"consumeKey","summary":"The key of the consumeCredit.","required":true,"schema":{"$ref":"#/\#
components/schemas/IdempotencyKey"}}],"result":{"name":"result","schema":{"type":"object","propert\#
ies":{"outcome":{"type":"string","enum":["reversed","nothing"],"description":"nothing: nothing was\#
 charged, or it was put back before."},"creditsRemaining":{"type":"integer","description":"What ca\#
n be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first ans\#
wer to the same key."}},"required":["outcome","creditsRemaining","replayed"]}},"errors":[{"$ref":"\#
#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compon\#
ents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/error\#
s/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloade\#
d"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"}],"e\#
xamples":[{"name":"the picture was broken","params":[{"name":"userId","value":"bob"},{"name":"idem\#
potencyKey","value":"refund-815"},{"name":"consumeKey","value":"render-815"}],"result":{"name":"re\#
sult","value":{"outcome":"reversed","creditsRemaining":1,"replayed":false}}}]},{"name":"grantEntit\#
lement","summary":"Give a user the access of a plan.","description":"An unknown plan is invalid_pa\#
rams. A repeated key with the same parameters gets the first answer, with others idempotency_misma\#
tch.","x-role":"support","paramStructure":"by-name","params":[{"name":"userId","summary":"The user\#
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
grant back; one that was taken back before is not_found.","x-role":"support","paramStructure":"by-\#
name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"schema":{"typ\#
e":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"res\#
ult":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components/schem\#
as/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$\#
ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/\#
components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components\#
/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Not\#
Found"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"take it back","params":[{"\#
name":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"\#
status":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubs\#
cription":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":26214400\#
0,"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"sub\#
scribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user \#
credits.","x-role":"support","paramStructure":"by-name","params":[{"name":"userId","summary":"The \#
user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary"\#
:"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name"\#
:"idempotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref":"#\#
/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when abs\#
ent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come f\#
rom, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the\#
 history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","prope\#
rties":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"\#
type":"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"\#
$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"\#
$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#\#
/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/component\#
s/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Ov\#
erloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"an apology","p\#
arams":[{"name":"userId","value":"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","valu\#
e":"support-4712"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"cre\#
ditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a user'\#
s credits, up or down; stops at 0.","x-role":"support","paramStructure":"by-name","params":[{"name\#
":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},\#
{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":-10000\#
00000,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts twice."\#
,"required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","sum\#
mary":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"\#
source","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}},{"na\#
me":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description":"Wh\#
at can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored firs\#
t answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaini\#
ng","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/componen\#
ts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/er\#
rors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFu\#
ll"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}]\#
,"examples":[{"name":"a correction","params":[{"name":"userId","value":"bob"},{"name":"amount","va\#
lue":-2},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"given twice"}]\#
,"result":{"name":"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"s\#
endConsumption","summary":"Answer Apple's question about a purchase whose refund is asked for.","d\#
escription":"Apple asks with CONSUMPTION_REQUEST and waits for 12 hours. The consent and the data \#
are the caller's. Where several apps are configured and none is named, each is asked in turn until\#
 one knows the transaction. Needs apple.api in the configuration.","x-role":"support","paramStruct\#
ure":"by-name","params":[{"name":"transactionId","summary":"The purchase.","required":true,"schema\#
":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"customerC\#
onsented","summary":"Must be true: without the customer's consent nothing may be sent.","required"\#
:true,"schema":{"type":"boolean","const":true}},{"name":"deliveryStatus","summary":"Whether the pu\#
rchase reached the customer.","required":true,"schema":{"type":"string","enum":["DELIVERED","UNDEL\#
IVERED_QUALITY_ISSUE","UNDELIVERED_WRONG_ITEM","UNDELIVERED_SERVER_OUTAGE","UNDELIVERED_OTHER"]}},\#
{"name":"sampleContentProvided","summary":"Whether the customer could try it before.","required":t\#
rue,"schema":{"type":"boolean"}},{"name":"consumptionPercentage","summary":"How much of it is used\#
, in thousandths of a percent.","schema":{"type":"integer","minimum":0,"maximum":100000}},{"name":\#
"refundPreference","summary":"What the app's maker would like.","schema":{"type":"string","enum":[\#
"DECLINE","GRANT_FULL","GRANT_PRORATED"]}},{"name":"bundleId","summary":"One of the configured app\#
s; whichever knows the transaction when absent.","schema":{"type":"string"}}],"result":{"name":"re\#
sult","schema":{"type":"object","properties":{"success":{"type":"boolean","description":"Whether t\#
he store has taken it."},"errorCode":{"type":"integer","description":"Apple's number of the error,\#
 where it has not."},"errorMessage":{"type":"string","description":"Apple's words for it."}},"requ\#
ired":["success"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/e\#
rrors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors\#
/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},\#
{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"half of it is used","params":[{"name\#
":"transactionId","value":"2000000000000001"},{"name":"customerConsented","value":true},{"name":"d\#
eliveryStatus","value":"DELIVERED"},{"name":"sampleContentProvided","value":false},{"name":"consum\#
ptionPercentage","value":50000},{"name":"refundPreference","value":"GRANT_PRORATED"}],"result":{"n\#
ame":"result","value":{"success":true}}}]},{"name":"extendRenewal","summary":"Give a subscriber da\#
ys, by the store itself.","description":"Apple does so for a subscription that is paid, twice in 3\#
65 days for a customer. A request that Apple did not answer is not repeated, because it may have b\#
een carried out. Needs apple.api in the configuration.","x-role":"support","paramStructure":"by-na\#
me","params":[{"name":"transactionId","summary":"Any transaction of the subscription, or its origi\#
nalTransactionId.","required":true,"schema":{"type":"string","minLength":1,"maxLength":128,"patter\#
n":"^[A-Za-z0-9_-]+$"}},{"name":"extendByDays","summary":"How many.","required":true,"schema":{"ty\#
pe":"integer","minimum":1,"maximum":90}},{"name":"extendReasonCode","summary":"Why: 0 undeclared, \#
1 customer satisfaction, 2 other, 3 a service issue.","required":true,"schema":{"type":"integer","\#
minimum":0,"maximum":3}},{"name":"requestIdentifier","summary":"What Apple calls this request; mad\#
e up when absent.","schema":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_\#
-]+$"}},{"name":"bundleId","summary":"One of the configured apps; whichever knows the transaction \#
when absent.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","pr\#
operties":{"success":{"type":"boolean","description":"Whether the store has taken it."},"originalT\#
ransactionId":{"type":"string","description":"The subscription."},"webOrderLineItemId":{"type":["s\#
tring","null"],"description":"The period."},"effectiveDate":{"oneOf":[{"$ref":"#/components/schema\#
s/Time"},{"type":"null"}]},"requestIdentifier":{"type":"string","description":"What Apple calls th\#
is request."},"errorCode":{"type":"integer","description":"Apple's number of the error, where it h\#
as not."},"errorMessage":{"type":"string","description":"Apple's words for it."}},"required":["suc\#
cess"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Inter\#
nalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"}\#
,{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/\#
components/errors/NotFound"}],"examples":[{"name":"a week for an outage","params":[{"name":"transa\#
ctionId","value":"2000000000000001"},{"name":"extendByDays","value":7},{"name":"extendReasonCode",\#
"value":3},{"name":"requestIdentifier","value":"outage-2026-02"}],"result":{"name":"result","value\#
":{"success":true,"originalTransactionId":"2000000000000001","webOrderLineItemId":"200000000000001\#
1","effectiveDate":"2026-03-22T10:00:00.000Z","requestIdentifier":"outage-2026-02"}}},{"name":"twi\#
ce already","params":[{"name":"transactionId","value":"2000000000000001"},{"name":"extendByDays","\#
value":7},{"name":"extendReasonCode","value":1}],"result":{"name":"result","value":{"success":fals\#
e,"errorCode":4030005,"errorMessage":"Forbidden - subscription has reached maximum extension count\#
."}}}]},{"name":"dump","summary":"A page of what is kept.","description":"Values are decoded. A pa\#
ge ends early where the reply would be longer than a frame, so only a null cursor says that it was\#
 the last.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"Only \#
this table; all of them when absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only\#
 keys that begin so.","schema":{"type":"string"}},{"name":"cursor","summary":"Where the page befor\#
e ended.","schema":{"type":"string"}},{"name":"limit","summary":"How many rows at most.","schema":\#
{"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"t\#
ype":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","i\#
tems":{"$ref":"#/components/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For t\#
he next page; null after the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref\#
":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/com\#
ponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/er\#
rors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token\#
","params":[{"name":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result\#
","value":{"seq":42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","val\#
ue":{"userId":"alice"}}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","p\#
aramStructure":"by-name","params":[{"name":"table","summary":"The table.","required":true,"schema"\#
:{"type":"string"}},{"name":"key","summary":"The key, as dump shows it.","required":true,"schema":\#
{"$ref":"#/components/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","prop\#
erties":{"value":{"description":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#\#
/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compone\#
nts/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors\#
/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}]\#
,"examples":[{"name":"whose token it is","params":[{"name":"table","value":"tokens"},{"name":"key"\#
,"value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"use\#
rId":"alice"}}}}]},{"name":"load","summary":"Take in rows as dump writes them.","description":"One\#
 call is one entry of the journal: all of it or nothing. A row that is here with another value ref\#
uses the call, with its place in data.index; one that is equal counts as loaded. Rows of meta, ala\#
rms, ticks and tombstones are passed over. Load every page of a dump before the users come.","x-ro\#
le":"admin","paramStructure":"by-name","params":[{"name":"entries","summary":"The rows.","required\#
":true,"schema":{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/components/schemas\#
/Row"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"loaded":{"type":"inte\#
ger","minimum":0,"description":"How many rows are now as they were to be."}},"required":["loaded"]\#
}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErr\#
or"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$re\#
f":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/compo\#
nents/errors/Overloaded"}],"examples":[{"name":"a token","params":[{"name":"entries","value":[{"ta\#
ble":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],"result":{\#
"name":"result","value":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person.","descri\#
ption":"Every row about the person goes; the rows of the journal keep amounts, and a pseudonym in \#
the place of the user id, the tokens and the ids of the store. What stores say of the person later\#
 is answered and not kept, until registerAccount names the person again; then free credits are not\#
 given a second time. Backups made before still hold the person.","x-role":"admin","paramStructure\#
":"by-name","params":[{"name":"userId","summary":"Whom to forget.","required":true,"schema":{"$ref\#
":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties\#
":{"erased":{"type":"boolean","description":"Whether there was somebody to forget."},"seq":{"$ref"\#
:"#/components/schemas/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/components/errors\#
/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permiss\#
ionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"\#
$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"\#
name":"Forgotten","params":[{"name":"userId","value":"user-1"}],"result":{"name":"result","value":\#
{"erased":true,"seq":4021}}}]},{"name":"exportUser","summary":"Everything kept about a person.","d\#
escription":"One reply for most people. Where it would be longer than a frame, the lists go on on \#
the next page; the account stands on every page.","x-role":"admin","paramStructure":"by-name","par\#
ams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schema\#
s/UserId"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}}]\#
,"result":{"name":"result","schema":{"type":"object","properties":{"userId":{"$ref":"#/components/\#
schemas/UserId"},"account":{"type":["object","null"],"description":"As dump writes it; null, and n\#
othing else, for a user of whom nothing is kept."},"seq":{"$ref":"#/components/schemas/Seq"},"olde\#
st":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal was pruned be\#
fore this moment: earlier events are not kept."},"tokens":{"type":"array","description":"Their tok\#
ens."},"subscriptions":{"type":"array","description":"With their facts, as dump writes them."},"se\#
ttlements":{"type":"array","description":"First answers under their keys."},"reservations":{"type"\#
:"array","description":"Credits that were held."},"packs":{"type":"array","description":"Credit pa\#
cks."},"events":{"type":"array","description":"The journal's entries about them, oldest first."},"\#
cursor":{"type":["string","null"],"description":"For the next page; null after the last."}},"requi\#
red":["userId","account"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"nam\#
e":"result","value":{"userId":"nobody","account":null}}}]},{"name":"backup","summary":"Copy one co\#
nsistent state into a new directory.","description":"Made under another name, flushed, verified by\#
 replaying its journal, then renamed. Writes go on meanwhile. One at a time.","x-role":"admin","pa\#
ramStructure":"by-name","params":[{"name":"path","summary":"Absolute, on the daemon's host, not th\#
ere yet; it becomes a data directory.","required":true,"schema":{"type":"string"}}],"result":{"nam\#
e":"result","schema":{"type":"object","properties":{"path":{"type":"string"},"bytes":{"type":"inte\#
ger","minimum":1,"description":"The bytes of its files."},"digest":{"type":"string","pattern":"^[0\#
-9a-f]{64}$","description":"SHA-256 of data.mdb, then the journal's segments in their order, then \#
base/data.mdb where there is one."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["path",\#
"bytes","digest","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compon\#
ents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/\#
errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storage\#
Full"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"every night","params":[{"na\#
me":"path","value":"/var/backups/entitld/2026-02-15"}],"result":{"name":"result","value":{"path":"\#
/var/backups/entitld/2026-02-15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\#
2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLevel","summary":"Change what is logged, un\#
til the configuration is read again.","x-role":"admin","paramStructure":"by-name","params":[{"name\#
":"level","summary":"The least level.","required":true,"schema":{"type":"string","enum":["trace","\#
debug","info","notice","warning","error","critical"]}}],"result":{"name":"result","schema":{"type"\#
:"object","properties":{"level":{"type":"string"}},"required":["level"]}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"more","params":[{"name\#
":"level","value":"debug"}],"result":{"name":"result","value":{"level":"debug"}}}]},{"name":"stats\#
","summary":"Figures about the daemon.","x-role":"support","paramStructure":"by-name","params":[],\#
"result":{"name":"stats","schema":{"type":"object","properties":{"version":{"type":"string"},"seq"\#
:{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"\#
integer"},"plans":{"type":"array","items":{"type":"string"}},"commands":{"type":"integer"},"groups\#
":{"type":"integer"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps"\#
:{"type":"integer"},"journal":{"type":"object","properties":{"bytes":{"type":"integer"},"prunedSeq\#
":{"type":"integer","description":"The newest position that was pruned; 0 while everything is ther\#
e."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"description":"From \#
when on everything is known; null while everything is there."}},"required":["bytes","prunedSeq","o\#
ldest"]},"views":{"type":"object","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":\#
"integer"},"readers":{"type":"integer"}},"required":["mapBytes","usedBytes","readers"]},"space":{"\#
type":"object","description":"The space that is left: of the views' map, and of the disk.","proper\#
ties":{"map":{"$ref":"#/components/schemas/Space"},"disk":{"$ref":"#/components/schemas/Space"}}}}\#
,"required":["version","seq","uptimeSeconds","catalogVersion","plans","commands","groups","queueDe\#
pth","storageFull","clockJumps","journal","views","space"],"description":"The set grows."}},"error\#
s":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$r\#
ef":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/com\#
ponents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a sm\#
all one","params":[],"result":{"name":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds"\#
:60,"catalogVersion":1,"plans":["free","paid","premium"],"commands":42,"groups":40,"queueDepth":0,\#
"storageFull":false,"clockJumps":0,"journal":{"bytes":65536,"prunedSeq":0,"oldest":null},"views":{\#
"mapBytes":1099511627776,"usedBytes":81920,"readers":3},"space":{"map":{"bytes":1099511627776,"fre\#
eBytes":1099511545856,"bytesPerDay":null,"daysLeft":null},"disk":{"bytes":107374182400,"freeBytes"\#
:53687091200,"bytesPerDay":268435456,"daysLeft":200}}}}}]},{"name":"reconcile","summary":"Ask the \#
store what was missed.","description":"Needs apple.api in the configuration. Without a user it is \#
for support. About one user the store is asked at most once in 60 s; in between the present status\#
 is answered, and applied is false.","x-role":"app","paramStructure":"by-name","params":[{"name":"\#
userId","summary":"About this user, and wait; without, begin a round through everything.","schema"\#
:{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","pro\#
perties":{"applied":{"type":"boolean","description":"With a user: whether something was newer than\#
 what was kept."},"status":{"$ref":"#/components/schemas/Status"},"running":{"type":"boolean","des\#
cription":"Without a user: true; progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{\#
"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"one user","params":[{"name":"userId",\#
"value":"bob"}],"result":{"name":"result","value":{"applied":true,"status":{"userId":"alice","stat\#
e":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"\#
plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscri\#
ptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-\#
03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.examp\#
le.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","origin\#
alTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T1\#
0:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,\#
"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everythin\#
g","params":[],"result":{"name":"result","value":{"running":true}}}]},{"name":"testNotification","\#
summary":"Ask Apple to send a test notification, and wait for it.","description":"The check of the\#
 set-up that every new operator wants. Needs apple.api in the configuration.","x-role":"admin","pa\#
ramStructure":"by-name","params":[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":\#
"integer","minimum":1,"maximum":600,"default":60}}],"result":{"name":"result","schema":{"type":"ob\#
ject","properties":{"delivered":{"type":"boolean","description":"Whether Apple could deliver it he\#
re."},"sendAttemptResult":{"type":["string","null"],"description":"What Apple says of the attempt.\#
"}},"required":["delivered","sendAttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it\#
 works","params":[],"result":{"name":"result","value":{"delivered":true,"sendAttemptResult":"SUCCE\#
SS"}}}]},{"name":"ping","summary":"Whether the daemon answers.","description":"Answers before the \#
daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"\#
nothing","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{\#
"name":"ping","params":[],"result":{"name":"result","value":{}}}]},{"name":"version","summary":"Wh\#
ich daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"reader","p\#
aramStructure":"by-name","params":[],"result":{"name":"versions","schema":{"type":"object","proper\#
ties":{"entitld":{"type":"string","description":"The daemon's version."},"protocol":{"type":"strin\#
g","description":"The major version of the protocol: of frames, methods and words."},"format":{"ty\#
pe":"integer","description":"The version of what is on disk."}},"required":["entitld","protocol","\#
format"]}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"version","params":\#
[],"result":{"name":"result","value":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rp\#
c.discover","summary":"This document.","x-role":"reader","paramStructure":"by-name","params":[],"r\#
esult":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-\#
schema/master/schema.json"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Over\#
loaded"}],"examples":[{"name":"discover","summary":"The document is shortened.","params":[],"resul\#
t":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"metho\#
ds":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string","minLength":1,"maxLength":256,"des\#
cription":"1 to 256 bytes of UTF-8 without control characters, compared byte by byte."},"Token":{"\#
type":"string","format":"uuid","description":"A UUID that a purchase carries; the all-zero one is \#
none."},"Time":{"type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{\#
2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC with three decimals."},"Amount":\#
{"type":"integer","minimum":1,"maximum":1000000000,"default":1},"IdempotencyKey":{"type":"string",\#
"minLength":1,"maxLength":200,"description":"1 to 200 bytes. Its scope is the user, over all metho\#
ds."},"Seq":{"type":"integer","minimum":0,"description":"The journal position that the answer refl\#
ects."},"SignedDocument":{"type":"string","description":"A JWS in its compact form, as the store s\#
igned it."},"State":{"type":"string","enum":["no_account","trial","subscribed","free_with_credits"\#
,"free_no_credits"],"description":"The first that matches: trial also when cancelled during the tr\#
ial; subscribed is any other access by subscription, grace or grant."},"RenderAnswer":{"type":"obj\#
ect","properties":{"canRender":{"type":"boolean"},"via":{"enum":["subscription","grace","grant","c\#
redits","free",null],"description":"What lets the user in; null where nothing does. free: the plan\#
 free names the feature."},"state":{"$ref":"#/components/schemas/State"},"reason":{"enum":["no_acc\#
ount","not_in_plan","unknown_product","sandbox_not_admitted","revoked","billing_retry","expired","\#
credits_exhausted","never_subscribed",null],"description":"Why not, the first that matches; null w\#
here canRender is true. not_in_plan: there is access, by a plan that does not name the feature. un\#
known_product: something is paid for that no plan names. sandbox_not_admitted: apple.sandboxAccess\#
 does not let this user in."},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type\#
":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["canRender","via","state","reas\#
on","nextChangeAt","seq"]},"Status":{"type":"object","properties":{"userId":{"$ref":"#/components/\#
schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"canRender":{"type":"boolean"},"isS\#
ubscriber":{"type":"boolean","description":"Access by subscription, grace or grant, trials include\#
d."},"hadSubscription":{"type":"boolean","description":"Whether the user ever owned a subscription\#
."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string","null"]},"tier":{"type":"string\#
"},"limits":{"type":"object","additionalProperties":{"type":["number","string","boolean","null"]},\#
"description":"Those of the plan, as the catalog has them; null is no limit."},"subscriptionMethod\#
":{"type":["string","null"],"description":"What gives access now: app_store_subscription, google_p\#
lay, stripe, grant, or the store that a grant names; null where nothing does."},"expiresAt":{"anyO\#
f":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/com\#
ponents/schemas/Time"},{"type":"null"}]},"paywall":{"type":"string","enum":["none","resubscribe","\#
start_trial","subscribe"],"description":"What to offer: none with access by subscription, grace or\#
 grant, and to somebody who pays for a product that no plan names."},"subscription":{"anyOf":[{"$r\#
ef":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq\#
"}},"required":["userId","state","canRender","isSubscriber","hadSubscription","creditsRemaining","\#
plan","tier","limits","subscriptionMethod","expiresAt","nextChangeAt","paywall","subscription","se\#
q"]},"Subscription":{"type":"object","properties":{"status":{"type":"string","enum":["revoked","ca\#
ncelled","trial","subscribed","grace_period","billing_retry","expired"]},"productId":{"type":"stri\#
ng"},"pendingProductId":{"type":["string","null"],"description":"From the next renewal on, if it c\#
hanges."},"store":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]\#
},"originalTransactionId":{"type":"string"},"transactionId":{"type":["string","null"]},"purchasedA\#
t":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":\#
"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/compone\#
nts/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"]},"isTrial":{"type":"bo\#
olean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"revokedAt"\#
:{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":{"type":"boolean","descr\#
iption":"A renewal is due and the store has not been heard."}},"required":["status","productId","p\#
endingProductId","store","environment","originalTransactionId","transactionId","purchasedAt","expi\#
resAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revokedAt","stale"]},"OwnedSubs\#
cription":{"type":"object","properties":{"status":{"type":"string","enum":["revoked","cancelled","\#
trial","subscribed","grace_period","billing_retry","expired"]},"productId":{"type":"string"},"pend\#
ingProductId":{"type":["string","null"],"description":"From the next renewal on, if it changes."},\#
"store":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]},"origina\#
lTransactionId":{"type":"string"},"transactionId":{"type":["string","null"]},"purchasedAt":{"anyOf\#
":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/compone\#
nts/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schema\#
s/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"c\#
ancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":\#
[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":{"type":"boolean","description":"A\#
 renewal is due and the store has not been heard."},"group":{"type":["string","null"],"description\#
":"The group of subscriptions of which a customer has one at a time."},"ownership":{"type":["strin\#
g","null"],"description":"PURCHASED or FAMILY_SHARED, as the store writes it."},"offer":{"anyOf":[\#
{"type":"object","properties":{"type":{"type":["integer","null"],"description":"1 introductory, 2 \#
promotional, 3 offer code, 4 win-back."},"id":{"type":["string","null"]},"discount":{"type":["stri\#
ng","null"],"description":"FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME."},"period":{"type"\#
:["string","null"],"description":"A duration of ISO 8601."}},"required":["type","id","discount","p\#
eriod"]},{"type":"null"}]},"price":{"type":["integer","null"],"description":"In thousandths of the\#
 currency."},"currency":{"type":["string","null"]},"storefront":{"type":["string","null"],"descrip\#
tion":"The country, in letters of ISO 3166."},"billingPlan":{"type":["string","null"],"description\#
":"BILLED_UPFRONT or MONTHLY, as the store writes it."},"commitmentExpiresAt":{"anyOf":[{"$ref":"#\#
/components/schemas/Time"},{"type":"null"}],"description":"The end of the payments to which the cu\#
stomer is bound."},"givesAccess":{"type":"boolean"}},"required":["status","productId","pendingProd\#
uctId","store","environment","originalTransactionId","transactionId","purchasedAt","expiresAt","gr\#
acePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revokedAt","stale","group","ownership","o\#
ffer","price","currency","storefront","billingPlan","commitmentExpiresAt","givesAccess"]},"Entitle\#
ment":{"type":"object","properties":{"isActive":{"type":"boolean"},"productId":{"type":"string"},"\#
expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactionId":{"type":"string"},"environ\#
ment":{"type":"string","enum":["Production","Sandbox"]}},"required":["isActive"]},"RowKey":{"oneOf\#
":[{"type":"string"},{"type":"object","properties":{"base64":{"type":"string"}},"required":["base6\#
4"]}],"description":"Text, or base64 where it is not UTF-8."},"Row":{"type":"object","properties":\#
{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowKey"},"value":{"description":"Th\#
e decoded value."}},"required":["table","key","value"]},"Space":{"type":"object","properties":{"by\#
tes":{"type":"integer"},"freeBytes":{"type":"integer"},"bytesPerDay":{"anyOf":[{"type":"integer"},\#
{"type":"null"}],"description":"What is taken in a day, less what is given back; null in the first\#
 hour."},"daysLeft":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"How many days the\#
 rest lasts at that rate; null where nothing is taken, or in the first hour."}},"required":["bytes\#
","freeBytes","bytesPerDay","daysLeft"]}},"errors":{"ParseError":{"code":-32700,"message":"The fra\#
me is not JSON.","data":{"code":"parse_error","retryable":false}},"InvalidRequest":{"code":-32600,\#
"message":"The JSON is not a request.","data":{"code":"invalid_request","retryable":false}},"Metho\#
dNotFound":{"code":-32601,"message":"There is no such method.","data":{"code":"method_not_found","\#
retryable":false}},"InvalidParams":{"code":-32602,"message":"A parameter is missing, unknown or no\#
t what it should be.","data":{"code":"invalid_params","retryable":false}},"InternalError":{"code":\#
-32603,"message":"The daemon failed.","data":{"code":"internal_error","retryable":false}},"Permiss\#
ionDenied":{"code":-32001,"message":"The caller's role does not include the method.","data":{"code\#
":"permission_denied","retryable":false}},"NotReady":{"code":-32002,"message":"The daemon is not r\#
eady yet.","data":{"code":"not_ready","retryable":true}},"ShuttingDown":{"code":-32003,"message":"\#
The daemon is shutting down.","data":{"code":"shutting_down","retryable":true}},"StorageFull":{"co\#
de":-32010,"message":"There is no room on disk.","data":{"code":"storage_full","retryable":true}},\#
"VerificationFailed":{"code":-32020,"message":"The document does not verify.","data":{"code":"veri\#
fication_failed","retryable":false,"reason":"signature"}},"OwnershipConflict":{"code":-32021,"mess\#
age":"The purchase is another user's.","data":{"code":"ownership_conflict","retryable":false,"reas\#
on":"owned"}},"ClaimMismatch":{"code":-32022,"message":"What is claimed differs from what is signe\#
d.","data":{"code":"claim_mismatch","retryable":false,"field":"productId"}},"IdempotencyMismatch":\#
{"code":-32023,"message":"The key was used with other arguments.","data":{"code":"idempotency_mism\#
atch","retryable":false}},"NotFound":{"code":-32024,"message":"There is no such grant or row.","da\#
ta":{"code":"not_found","retryable":false}},"Overloaded":{"code":-32029,"message":"Too much is ask\#
ed at once.","data":{"code":"overloaded","retryable":true,"retryAfterMs":100}}}}}
"""#
}
