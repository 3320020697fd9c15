// swift-format-ignore-file
// Written by proto/embed.py from proto/openrpc.json; change that, and run it again.

/// The OpenRPC document that `rpc.discover` answers.
package enum OpenRPCDocument {
    /// Compact JSON: what proto/openrpc.json says, in the same order.
    package static let text: String = #"""
{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0","description":"What users of an app\#
 may do right now, asked over a Unix socket. A frame is a 4-byte big-endian length and one JSON va\#
lue; parameters are named. Schemas are JSON Schema draft-07. `x-role` is the least role that may c\#
all a method: reader, app, admin; reconcile without a user is for admins. Reads ignore unknown par\#
ameters, writes refuse them. parse_error, invalid_request and method_not_found can answer any fram\#
e and are not listed with the methods.","license":{"name":"Apache-2.0","url":"https://www.apache.o\#
rg/licenses/LICENSE-2.0"}},"methods":[{"name":"canRender","summary":"Whether a user may render now\#
.","description":"True if any owned subscription or grant gives access and its plan is unlimited f\#
or render, or if the credits cover the cost. `cost` is 1 unless given.","x-role":"reader","paramSt\#
ructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$re\#
f":"#/components/schemas/UserId"}},{"name":"cost","summary":"The price in credits, where credits p\#
ay.","schema":{"$ref":"#/components/schemas/Amount"}}],"result":{"name":"answer","schema":{"$ref":\#
"#/components/schemas/RenderAnswer"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$re\#
f":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#\#
/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/er\#
rors/Overloaded"}],"examples":[{"name":"by subscription","params":[{"name":"userId","value":"alice\#
"}],"result":{"name":"result","value":{"canRender":true,"via":"subscription","state":"subscribed",\#
"reason":null,"nextChangeAt":"2026-03-15T10:00:00.000Z","seq":42}}},{"name":"nobody","params":[{"n\#
ame":"userId","value":"nobody"},{"name":"cost","value":1}],"result":{"name":"result","value":{"can\#
Render":false,"via":null,"state":"no_account","reason":"no_account","nextChangeAt":null,"seq":42}}\#
}]},{"name":"getStatus","summary":"All that is said about a user at once.","x-role":"reader","para\#
mStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"\#
$ref":"#/components/schemas/UserId"}},{"name":"at","summary":"A past moment: what the daemon knew \#
then.","schema":{"$ref":"#/components/schemas/Time"}}],"result":{"name":"status","schema":{"$ref":\#
"#/components/schemas/Status"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/O\#
verloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a subscriber","params":[\#
{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"userId":"alice","state":"su\#
bscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":\#
"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionM\#
ethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T\#
10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.pre\#
mium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","originalTran\#
sactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:0\#
0.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTri\#
al":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}},{"name":"nobody","params"\#
:[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","state"\#
:"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,\#
"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":nu\#
ll,"paywall":"subscribe","subscription":null,"seq":42}}}]},{"name":"getEntitlement","summary":"The\#
 access by a purchase or a grant.","x-role":"reader","paramStructure":"by-name","params":[{"name":\#
"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"\#
result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/componen\#
ts/schemas/Entitlement"}},"required":["entitlement"]}},"errors":[{"$ref":"#/components/errors/Inva\#
lidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDe\#
nied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref"\#
:"#/components/errors/Overloaded"}],"examples":[{"name":"a subscriber","params":[{"name":"userId",\#
"value":"alice"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":"c\#
om.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"200000\#
0000000001","environment":"Production"}}}},{"name":"nobody","params":[{"name":"userId","value":"no\#
body"}],"result":{"name":"result","value":{"entitlement":{"isActive":false}}}}]},{"name":"getCredi\#
ts","summary":"A user's credits.","x-role":"reader","paramStructure":"by-name","params":[{"name":"\#
userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"r\#
esult":{"name":"result","schema":{"type":"object","properties":{"balance":{"type":"integer","descr\#
iption":"Spendable now, holds taken out."},"held":{"type":"integer","description":"Set aside by re\#
servations."},"buckets":{"type":"array","items":{"type":"object","properties":{"amount":{"type":"i\#
nteger"},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"source":{"t\#
ype":"string"}},"required":["amount","expiresAt","source"]},"description":"In the order of spendin\#
g: soonest end first."}},"required":["balance","held","buckets"]}},"errors":[{"$ref":"#/components\#
/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/\#
PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDo\#
wn"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"three free ones and a pack","\#
params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"balance":12,"held":1\#
,"buckets":[{"amount":2,"expiresAt":"2026-03-15T10:00:00.000Z","source":"grant"},{"amount":10,"exp\#
iresAt":null,"source":"pack:com.wearbloom.credits.10"}]}}}]},{"name":"getManagementURL","summary":\#
"Where a user manages the subscription.","x-role":"reader","paramStructure":"by-name","params":[{"\#
name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId\#
"}},{"name":"platform","summary":"Where the user reads the page; without it, that of the store of \#
the subscription shown.","schema":{"type":"string","enum":["ios","android","web"]}}],"result":{"na\#
me":"result","schema":{"type":"object","properties":{"url":{"type":["string","null"]}},"required":\#
["url"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Inte\#
rnalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"\#
},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples\#
":[{"name":"an App Store subscriber","params":[{"name":"userId","value":"alice"},{"name":"platform\#
","value":"ios"}],"result":{"name":"result","value":{"url":"https://apps.apple.com/account/subscri\#
ptions"}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result\#
","value":{"url":null}}}]},{"name":"getHistory","summary":"What changed for a user, oldest first."\#
,"description":"A page ends early where the reply would be longer than a frame, so only an empty o\#
ne says that it was the last.","x-role":"reader","paramStructure":"by-name","params":[{"name":"use\#
rId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name\#
":"afterSeq","summary":"Events after this position.","schema":{"$ref":"#/components/schemas/Seq"}}\#
,{"name":"limit","summary":"How many at most; events of one position are never parted.","schema":{\#
"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"result","schema":{"\#
type":"object","properties":{"events":{"type":"array","items":{"type":"object","properties":{"seq"\#
:{"$ref":"#/components/schemas/Seq"},"at":{"$ref":"#/components/schemas/Time"},"cause":{"type":"st\#
ring"},"before":{"$ref":"#/components/schemas/Status"},"after":{"$ref":"#/components/schemas/Statu\#
s"}},"required":["seq","at","cause","before","after"]},"description":"What changed, when, why, and\#
 what was true before and after."},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"descr\#
iption":"Where the journal was pruned before this moment, and the user was known then: what change\#
d up to it is not told any more."}},"required":["events"]}},"errors":[{"$ref":"#/components/errors\#
/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permiss\#
ionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"\#
$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"nam\#
e":"an account begins","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value\#
":{"events":[{"seq":42,"at":"2026-02-15T10:00:00.000Z","cause":"registered","before":{"userId":"bo\#
b","state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRem\#
aining":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextCh\#
angeAt":null,"paywall":"subscribe","subscription":null,"seq":41},"after":{"userId":"alice","state"\#
:"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"pl\#
an":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscript\#
ionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03\#
-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example\#
.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","original\#
TransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:\#
00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"i\#
sTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}]}}}]},{"name":"explain\#
","summary":"Why a user's status is what it is.","x-role":"reader","paramStructure":"by-name","par\#
ams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schema\#
s/UserId"}},{"name":"at","summary":"A past moment.","schema":{"$ref":"#/components/schemas/Time"}}\#
],"result":{"name":"result","schema":{"type":"object","properties":{"at":{"$ref":"#/components/sch\#
emas/Time"},"rule":{"type":"string","description":"The rule that decided."},"because":{"type":"str\#
ing","description":"The same, as a sentence."},"catalogVersion":{"type":"integer","description":"C\#
ounts the catalogs installed."},"facts":{"type":"array","items":{"type":"object"},"description":"T\#
he purchases, with everything that the store said of them."},"grants":{"type":"array","items":{"ty\#
pe":"object"}},"credits":{"type":"object"},"status":{"$ref":"#/components/schemas/Status"},"seq":{\#
"$ref":"#/components/schemas/Seq"}},"required":["at","rule","because","catalogVersion","facts","gr\#
ants","credits","status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"\#
#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/com\#
ponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors\#
/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a stranger","params":[\#
{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"at":"2026-02-15T10:00:00.000Z\#
","rule":"no_account","because":"No write has named this user.","catalogVersion":1,"facts":[],"gra\#
nts":[],"credits":{"balance":0,"held":0,"owed":0},"status":{"userId":"bob","state":"no_account","c\#
anRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tie\#
r":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"su\#
bscribe","subscription":null,"seq":41},"seq":41}}}]},{"name":"watch","summary":"Be told of every c\#
hange from now on.","description":"The result is followed by notifications on this connection: ent\#
itlementChanged {seq, userId, cause, status}, one per change; catalogChanged {seq, version}; heart\#
beat {seq} every 15 s; resync {oldest} when the cursor is too old or too much was missed. coalesce\#
d: true stands in an entitlementChanged that takes the place of older ones of the same user, becau\#
se more than 256 waited unsent.","x-role":"reader","paramStructure":"by-name","params":[{"name":"u\#
serIds","summary":"Of these users; of everybody when absent.","schema":{"type":"array","maxItems":\#
10000,"items":{"$ref":"#/components/schemas/UserId"}}},{"name":"fromSeq","summary":"Also of what c\#
hanged after this position.","schema":{"$ref":"#/components/schemas/Seq"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"}},"required":\#
["seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Inte\#
rnalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"\#
},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples\#
":[{"name":"everybody","params":[],"result":{"name":"result","value":{"seq":42}}}]},{"name":"regis\#
terAccount","summary":"Begin a user's account, or link another token to it.","description":"Free c\#
redits come with the first call for a user. Purchases with the token that nobody owns become the u\#
ser's. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId"\#
,"summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"a\#
ppAccountToken","summary":"The token; derived from the user when absent.","schema":{"$ref":"#/comp\#
onents/schemas/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"appAcc\#
ountToken":{"$ref":"#/components/schemas/Token"},"created":{"type":"boolean","description":"Whethe\#
r this call began the account."},"creditsRemaining":{"type":"integer"}},"required":["appAccountTok\#
en","created","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/StorageFull"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/components/errors/Ove\#
rloaded"}],"examples":[{"name":"the first time","params":[{"name":"userId","value":"alice"}],"resu\#
lt":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":t\#
rue,"creditsRemaining":3}}},{"name":"again","params":[{"name":"userId","value":"alice"}],"result":\#
{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":false\#
,"creditsRemaining":3}}}]},{"name":"verifyPurchase","summary":"Link a signed purchase to a user.",\#
"description":"A claim that differs from what is signed is refused. A purchase is never taken from\#
 another user. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":\#
"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"\#
name":"signedTransaction","summary":"The signed transaction; without it the store is asked for `tr\#
ansactionId`.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo\#
","summary":"The store's signed renewal information.","schema":{"$ref":"#/components/schemas/Signe\#
dDocument"}},{"name":"productId","summary":"Claim: which product was bought.","schema":{"type":"st\#
ring"}},{"name":"transactionId","summary":"Claim: the store's name for the transaction.","schema":\#
{"type":"string"}},{"name":"originalTransactionId","summary":"Claim: the store's name for the subs\#
cription.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Claim: the token that \#
the purchase was made with; names a signed token of nobody.","schema":{"$ref":"#/components/schema\#
s/Token"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref\#
":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"\#
type":"boolean","description":"Whether a document was newer than what is kept."}},"required":["ent\#
itlement","status","applied"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/S\#
torageFull"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/components/errors/Owners\#
hipConflict"},{"$ref":"#/components/errors/ClaimMismatch"},{"$ref":"#/components/errors/Overloaded\#
"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a new purchase","summary":"The do\#
cument is shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransaction","val\#
ue":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"enti\#
tlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:\#
00.000Z","originalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId"\#
:"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"credits\#
Remaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":\#
null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextCh\#
angeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","product\#
Id":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Produ\#
ction","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt"\#
:"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"au\#
toRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"applie\#
d":true}}}]},{"name":"restorePurchases","summary":"Link what a user's device knows of their purcha\#
ses.","description":"A purchase of another user goes by accounts.transferPolicy. Credit packs are \#
credited to whom they belong and are not listed. One document that does not verify fails the call,\#
 with its place in data.index, and nothing is applied.","x-role":"app","paramStructure":"by-name",\#
"params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sc\#
hemas/UserId"}},{"name":"signedTransactions","summary":"The device's transactions.","required":tru\#
e,"schema":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/Signe\#
dDocument"}}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$\#
ref":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"results"\#
:{"type":"array","items":{"type":"object","properties":{"originalTransactionId":{"type":"string"},\#
"outcome":{"type":"string","enum":["linked","already_owned","moved","shared","refused"]}},"require\#
d":["originalTransactionId","outcome"]},"description":"One for each subscription, in order of appe\#
arance."}},"required":["entitlement","status","results"]}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compo\#
nents/errors/VerificationFailed"}],"examples":[{"name":"a new phone, another account","params":[{"\#
name":"userId","value":"bob"},{"name":"signedTransactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W\#
119.e30.c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"produc\#
tId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":\#
"2000000000000001","environment":"Production"},"status":{"userId":"alice","state":"subscribed","ca\#
nRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","ti\#
er":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_s\#
tore_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z\#
","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly"\#
,"pendingProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2\#
000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expi\#
resAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"ca\#
ncelledAt":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"originalTransactionId":"200\#
0000000000001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":"Link the purchases of a\#
n app receipt of the time before StoreKit 2.","description":"The receipt is verified here; Apple's\#
 verifyReceipt is not called.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId\#
","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"\#
receiptData","summary":"The receipt, base64.","required":true,"schema":{"type":"string"}},{"name":\#
"productId","summary":"The product that is asked about.","schema":{"type":"string"}}],"result":{"n\#
ame":"result","schema":{"type":"object","properties":{"isValid":{"type":"boolean","description":"W\#
hether the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"}\#
,{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"string","description":"One sentence\#
 for people."},"status":{"$ref":"#/components/schemas/Status"}},"required":["isValid","expiresAt",\#
"tier","message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFaile\#
d"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a subscriber","params":\#
[{"name":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"result":{"name":"result",\#
"value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","message":"The purcha\#
se gives access.","status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":\#
true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storage\#
Bytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt\#
":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscript\#
ion":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"sto\#
re":"app_store","environment":"Production","originalTransactionId":"2000000000000001","transaction\#
Id":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.0\#
00Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":n\#
ull,"stale":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend credits, once per key."\#
,"description":"The first answer under a key, also insufficient, is kept for 30 days and given aga\#
in.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","r\#
equired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":\#
"The same key never charges twice.","required":true,"schema":{"$ref":"#/components/schemas/Idempot\#
encyKey"}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/components/schemas/Amount"}}\#
],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","en\#
um":["consumed","insufficient","unlimited"],"description":"unlimited: the user's plan renders with\#
out counting; nothing was charged or stored."},"creditsRemaining":{"type":"integer","description":\#
"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored f\#
irst answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["outcome","c\#
reditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref\#
":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/\#
components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/err\#
ors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Idempoten\#
cyMismatch"}],"examples":[{"name":"the last credit","params":[{"name":"userId","value":"bob"},{"na\#
me":"idempotencyKey","value":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed\#
","creditsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same again, after a lost connecti\#
on","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"res\#
ult":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed":true,"seq":51}\#
}}]},{"name":"reserveCredits","summary":"Set credits aside for a render whose success is not known\#
 yet.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.",\#
"required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary\#
":"The same key never reserves twice.","required":true,"schema":{"$ref":"#/components/schemas/Idem\#
potencyKey"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","m\#
inimum":1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so long they return by them\#
selves.","required":true,"schema":{"type":"integer","minimum":1,"maximum":604800}},{"name":"releas\#
eOnDisconnect","summary":"They return when this connection, or the daemon, ends.","schema":{"type"\#
:"boolean"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":\#
"string","enum":["reserved","insufficient","unlimited","released"],"description":"released: it was\#
 reserved under this key, and returned when its connection ended."},"reservation":{"type":["string\#
","null"],"description":"The reservation's name; null where nothing is held."},"creditsRemaining":\#
{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","descriptio\#
n":"Whether this is the stored first answer to the same key."}},"required":["outcome","reservation\#
","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":\#
"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/co\#
mponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/error\#
s/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Idempotency\#
Mismatch"}],"examples":[{"name":"one credit for five minutes","params":[{"name":"userId","value":"\#
bob"},{"name":"idempotencyKey","value":"render-816"},{"name":"amount","value":1},{"name":"ttlSecon\#
ds","value":300}],"result":{"name":"result","value":{"outcome":"reserved","reservation":"r52","cre\#
ditsRemaining":2,"replayed":false}}}]},{"name":"commitReservation","summary":"Spend what is held, \#
or a part of it; the rest returns.","x-role":"app","paramStructure":"by-name","params":[{"name":"r\#
eservation","summary":"Its name.","required":true,"schema":{"type":"string"}},{"name":"amount","su\#
mmary":"How many of the held credits; all when absent.","schema":{"type":"integer","minimum":1,"ma\#
ximum":1000000000}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{\#
"type":"string","enum":["committed","expired","released"],"description":"A second commit gets the \#
first answer."},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"req\#
uired":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$\#
ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":\#
"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/\#
errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFou\#
nd"}],"examples":[{"name":"done","params":[{"name":"reservation","value":"r52"}],"result":{"name":\#
"result","value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":"releaseReservation","su\#
mmary":"Give back what is held.","x-role":"app","paramStructure":"by-name","params":[{"name":"rese\#
rvation","summary":"Its name.","required":true,"schema":{"type":"string"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["released","expired\#
","committed"]},"creditsRemaining":{"type":"integer","description":"What can be spent now."}},"req\#
uired":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$\#
ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":\#
"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/\#
errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFou\#
nd"}],"examples":[{"name":"the render failed","params":[{"name":"reservation","value":"r52"}],"res\#
ult":{"name":"result","value":{"outcome":"released","creditsRemaining":3}}}]},{"name":"reverseCred\#
its","summary":"Put a charge back into the buckets that it came from; what has ended stays ended."\#
,"x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","requi\#
red":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The\#
 same key never puts back twice.","required":true,"schema":{"$ref":"#/components/schemas/Idempoten\#
cyKey"}},{"name":"consumeKey","summary":"The key of the consumeCredit.","required":true,"schema":{\#
"$ref":"#/components/schemas/IdempotencyKey"}}],"result":{"name":"result","schema":{"type":"object\#
","properties":{"outcome":{"type":"string","enum":["reversed","nothing"],"description":"nothing: n\#
othing was charged, or it was put back before."},"creditsRemaining":{"type":"integer","description\#
":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored\#
 first answer to the same key."}},"required":["outcome","creditsRemaining","replayed"]}},"errors":\#
[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compon\#
ents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors\#
/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotF\#
ound"}],"examples":[{"name":"the picture was broken","params":[{"name":"userId","value":"bob"},{"n\#
ame":"idempotencyKey","value":"refund-815"},{"name":"consumeKey","value":"render-815"}],"result":{\#
"name":"result","value":{"outcome":"reversed","creditsRemaining":1,"replayed":false}}}]},{"name":"\#
grantEntitlement","summary":"Give a user the access of a plan.","description":"An unknown plan is \#
invalid_params. A repeated key with the same parameters gets the first answer, with others idempot\#
ency_mismatch.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"\#
The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"plan","summar\#
y":"A plan of the catalog.","required":true,"schema":{"type":"string"}},{"name":"idempotencyKey","\#
summary":"The same key never makes a second grant.","required":true,"schema":{"$ref":"#/components\#
/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","schema":{"$ref":"#/components\#
/schemas/Time"}},{"name":"startsAt","summary":"The beginning; now when absent.","schema":{"$ref":"\#
#/components/schemas/Time"}},{"name":"store","summary":"What `subscriptionMethod` shows instead of\#
 grant.","schema":{"type":"string","enum":["app_store","google_play","stripe"]}},{"name":"reason",\#
"summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":\#
{"type":"object","properties":{"grant":{"type":"string","description":"The grant's name, for revok\#
eGrant."},"status":{"$ref":"#/components/schemas/Status"},"replayed":{"type":"boolean","descriptio\#
n":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas\#
/Seq"}},"required":["grant","status","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/In\#
validParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$re\#
f":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"\#
#/components/errors/Overloaded"}],"examples":[{"name":"a month of premium","params":[{"name":"user\#
Id","value":"bob"},{"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"support-471\#
1"},{"name":"expiresAt","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}\#
],"result":{"name":"result","value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","\#
canRender":true,"isSubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium",\#
"tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"gr\#
ant","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"n\#
one","subscription":null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":\#
"Take a grant back; one that was taken back before is not_found.","x-role":"admin","paramStructure\#
":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"schema"\#
:{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}\#
],"result":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components\#
/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors\#
":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$re\#
f":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/comp\#
onents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/erro\#
rs/NotFound"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"take it back","param\#
s":[{"name":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","val\#
ue":{"status":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":false,"h\#
adSubscription":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":26\#
2144000,"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall\#
":"subscribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a\#
 user credits.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"\#
The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summ\#
ary":"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"n\#
ame":"idempotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref\#
":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when\#
 absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they co\#
me from, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for\#
 the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","p\#
roperties":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed\#
":{"type":"boolean","description":"Whether this is the stored first answer to the same key."},"seq\#
":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors"\#
:[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compo\#
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/error\#
s/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"an apology\#
","params":[{"name":"userId","value":"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","\#
value":"support-4712"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{\#
"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a u\#
ser's credits, up or down; stops at 0.","x-role":"admin","paramStructure":"by-name","params":[{"na\#
me":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}\#
},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":-100\#
0000000,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts twice\#
.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","s\#
ummary":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name"\#
:"source","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}},{"\#
name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"re\#
sult","schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description":"\#
What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored fi\#
rst answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemai\#
ning","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compon\#
ents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/\#
errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storage\#
Full"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"\#
}],"examples":[{"name":"a correction","params":[{"name":"userId","value":"bob"},{"name":"amount","\#
value":-2},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"given twice"\#
}],"result":{"name":"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":\#
"dump","summary":"A page of what is kept.","description":"Values are decoded. A page ends early wh\#
ere the reply would be longer than a frame, so only a null cursor says that it was the last.","x-r\#
ole":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"Only this table; all \#
of them when absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only keys that begin\#
 so.","schema":{"type":"string"}},{"name":"cursor","summary":"Where the page before ended.","schem\#
a":{"type":"string"}},{"name":"limit","summary":"How many rows at most.","schema":{"type":"integer\#
","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"type":"object","p\#
roperties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#\#
/components/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For the next page; nu\#
ll after the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/\#
errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/P\#
ermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDow\#
n"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token","params":[{"na\#
me":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result","value":{"seq"\#
:42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"a\#
lice"}}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramStructure":"\#
by-name","params":[{"name":"table","summary":"The table.","required":true,"schema":{"type":"string\#
"}},{"name":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref":"#/compo\#
nents/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties":{"value"\#
:{"description":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/components/erro\#
rs/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permi\#
ssionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},\#
{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"n\#
ame":"whose token it is","params":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee\#
36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}\#
]},{"name":"load","summary":"Take in rows as dump writes them.","description":"One call is one ent\#
ry of the journal: all of it or nothing. A row that is here with another value refuses the call, w\#
ith its place in data.index; one that is equal counts as loaded. Rows of meta, alarms, ticks and t\#
ombstones are passed over. Load every page of a dump before the users come.","x-role":"admin","par\#
amStructure":"by-name","params":[{"name":"entries","summary":"The rows.","required":true,"schema":\#
{"type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/components/schemas/Row"}}}],"resul\#
t":{"name":"result","schema":{"type":"object","properties":{"loaded":{"type":"integer","minimum":0\#
,"description":"How many rows are now as they were to be."}},"required":["loaded"]}},"errors":[{"$\#
ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/\#
components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components\#
/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Ove\#
rloaded"}],"examples":[{"name":"a token","params":[{"name":"entries","value":[{"table":"tokens","k\#
ey":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],"result":{"name":"result",\#
"value":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person.","description":"Every ro\#
w about the person goes; the rows of the journal keep amounts, and a pseudonym in the place of the\#
 user id, the tokens and the ids of the store. What stores say of the person later is answered and\#
 not kept, until registerAccount names the person again; then free credits are not given a second \#
time. Backups made before still hold the person.","x-role":"admin","paramStructure":"by-name","par\#
ams":[{"name":"userId","summary":"Whom to forget.","required":true,"schema":{"$ref":"#/components/\#
schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"erased":{"ty\#
pe":"boolean","description":"Whether there was somebody to forget."},"seq":{"$ref":"#/components/s\#
chemas/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"}\#
,{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$r\#
ef":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compone\#
nts/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"Forgotten\#
","params":[{"name":"userId","value":"user-1"}],"result":{"name":"result","value":{"erased":true,"\#
seq":4021}}}]},{"name":"exportUser","summary":"Everything kept about a person.","description":"One\#
 reply for most people. Where it would be longer than a frame, the lists go on on the next page; t\#
he account stands on every page.","x-role":"admin","paramStructure":"by-name","params":[{"name":"u\#
serId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"na\#
me":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"}\#
,"account":{"type":["object","null"],"description":"As dump writes it; null, and nothing else, for\#
 a user of whom nothing is kept."},"seq":{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"\#
$ref":"#/components/schemas/Time"}],"description":"Where the journal was pruned before this moment\#
: earlier events are not kept."},"tokens":{"type":"array","description":"Their tokens."},"subscrip\#
tions":{"type":"array","description":"With their facts, as dump writes them."},"settlements":{"typ\#
e":"array","description":"First answers under their keys."},"reservations":{"type":"array","descri\#
ption":"Credits that were held."},"packs":{"type":"array","description":"Credit packs."},"events":\#
{"type":"array","description":"The journal's entries about them, oldest first."},"cursor":{"type":\#
["string","null"],"description":"For the next page; null after the last."}},"required":["userId","\#
account"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/In\#
ternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRead\#
y"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"exampl\#
es":[{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","val\#
ue":{"userId":"nobody","account":null}}}]},{"name":"backup","summary":"Copy one consistent state i\#
nto a new directory.","description":"Made under another name, flushed, verified by replaying its j\#
ournal, then renamed. Writes go on meanwhile. One at a time.","x-role":"admin","paramStructure":"b\#
y-name","params":[{"name":"path","summary":"Absolute, on the daemon's host, not there yet; it beco\#
mes a data directory.","required":true,"schema":{"type":"string"}}],"result":{"name":"result","sch\#
ema":{"type":"object","properties":{"path":{"type":"string"},"bytes":{"type":"integer","minimum":1\#
,"description":"The bytes of its files."},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","de\#
scription":"SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb wh\#
ere there is one."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["path","bytes","digest"\#
,"seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Inte\#
rnalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"\#
},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"\#
#/components/errors/Overloaded"}],"examples":[{"name":"every night","params":[{"name":"path","valu\#
e":"/var/backups/entitld/2026-02-15"}],"result":{"name":"result","value":{"path":"/var/backups/ent\#
itld/2026-02-15","bytes":196608,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15\#
b0f00a08","seq":41}}}]},{"name":"setLogLevel","summary":"Change what is logged, until the configur\#
ation is read again.","x-role":"admin","paramStructure":"by-name","params":[{"name":"level","summa\#
ry":"The least level.","required":true,"schema":{"type":"string","enum":["trace","debug","info","n\#
otice","warning","error","critical"]}}],"result":{"name":"result","schema":{"type":"object","prope\#
rties":{"level":{"type":"string"}},"required":["level"]}},"errors":[{"$ref":"#/components/errors/I\#
nvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissio\#
nDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$r\#
ef":"#/components/errors/Overloaded"}],"examples":[{"name":"more","params":[{"name":"level","value\#
":"debug"}],"result":{"name":"result","value":{"level":"debug"}}}]},{"name":"stats","summary":"Fig\#
ures about the daemon.","x-role":"admin","paramStructure":"by-name","params":[],"result":{"name":"\#
stats","schema":{"type":"object","properties":{"version":{"type":"string"},"seq":{"$ref":"#/compon\#
ents/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"integer"},"plans":\#
{"type":"array","items":{"type":"string"}},"commands":{"type":"integer"},"groups":{"type":"integer\#
"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps":{"type":"integer"\#
},"journal":{"type":"object","properties":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer\#
","description":"The newest position that was pruned; 0 while everything is there."},"oldest":{"an\#
yOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"description":"From when on everything\#
 is known; null while everything is there."}},"required":["bytes","prunedSeq","oldest"]},"views":{\#
"type":"object","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":"integer"},"reader\#
s":{"type":"integer"}},"required":["mapBytes","usedBytes","readers"]}},"required":["version","seq"\#
,"uptimeSeconds","catalogVersion","plans","commands","groups","queueDepth","storageFull","clockJum\#
ps","journal","views"],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/Inv\#
alidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionD\#
enied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref\#
":"#/components/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"name\#
":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["fre\#
e","paid","premium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"\#
journal":{"bytes":65536,"prunedSeq":0,"oldest":null},"views":{"mapBytes":68719476736,"usedBytes":8\#
1920,"readers":3}}}}]},{"name":"reconcile","summary":"Ask the store what was missed.","description\#
":"Needs apple.api in the configuration. Without a user it is for admins alone. About one user the\#
 store is asked at most once in 60 s; in between the present status is answered, and applied is fa\#
lse.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"About this u\#
ser, and wait; without, begin a round through everything.","schema":{"$ref":"#/components/schemas/\#
UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"applied":{"type":"bo\#
olean","description":"With a user: whether something was newer than what was kept."},"status":{"$r\#
ef":"#/components/schemas/Status"},"running":{"type":"boolean","description":"Without a user: true\#
; progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},\#
{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$re\#
f":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/componen\#
ts/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Not\#
Found"}],"examples":[{"name":"one user","params":[{"name":"userId","value":"bob"}],"result":{"name\#
":"result","value":{"applied":true,"status":{"userId":"alice","state":"subscribed","canRender":tru\#
e,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","\#
limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscri\#
ption","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":\#
"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingPro\#
ductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000\#
001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026\#
-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":n\#
ull,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything","params":[],"result":{"name"\#
:"result","value":{"running":true}}}]},{"name":"testNotification","summary":"Ask Apple to send a t\#
est notification, and wait for it.","description":"The check of the set-up that every new operator\#
 wants. Needs apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","params\#
":[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":"integer","minimum":1,"maximum"\#
:600,"default":60}}],"result":{"name":"result","schema":{"type":"object","properties":{"delivered"\#
:{"type":"boolean","description":"Whether Apple could deliver it here."},"sendAttemptResult":{"typ\#
e":["string","null"],"description":"What Apple says of the attempt."}},"required":["delivered","se\#
ndAttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/e\#
rrors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors\#
/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"}\#
,{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it works","params":[],"result":{"\#
name":"result","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summar\#
y":"Whether the daemon answers.","description":"Answers before the daemon is ready, too.","x-role"\#
:"reader","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"obje\#
ct"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"resu\#
lt":{"name":"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","descripti\#
on":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","param\#
s":[],"result":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"type":"strin\#
g","description":"The daemon's version."},"protocol":{"type":"string","description":"The major ver\#
sion of the protocol: of frames, methods and words."},"format":{"type":"integer","description":"Th\#
e version of what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#\#
/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/comp\#
onents/errors/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"result","v\#
alue":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This doc\#
ument.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema"\#
,"schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"e\#
rrors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},\#
{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#\#
/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"\#
discover","summary":"The document is shortened.","params":[],"result":{"name":"result","value":{"o\#
penrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"sch\#
emas":{"UserId":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UT\#
F-8 without control characters, compared byte by byte."},"Token":{"type":"string","format":"uuid",\#
"description":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type":"string"\#
,"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}\#
Z$","description":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"\#
maximum":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"\#
description":"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"integer","\#
minimum":0,"description":"The journal position that the answer reflects."},"SignedDocument":{"type\#
":"string","description":"A JWS in its compact form, as the store signed it."},"State":{"type":"st\#
ring","enum":["no_account","trial","subscribed","free_with_credits","free_no_credits"],"descriptio\#
n":"The first that matches: trial also when cancelled during the trial; subscribed is any other ac\#
cess by subscription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":\#
{"type":"boolean"},"via":{"enum":["subscription","grace","grant","credits",null],"description":"Wh\#
at gives the access; null without it."},"state":{"$ref":"#/components/schemas/State"},"reason":{"e\#
num":["no_account","revoked","billing_retry","expired","credits_exhausted","never_subscribed",null\#
],"description":"Why not; null with access."},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schem\#
as/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["canRender","vi\#
a","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","properties":{"userId":{"$ref\#
":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"canRender":{"type"\#
:"boolean"},"isSubscriber":{"type":"boolean","description":"Access by subscription, grace or grant\#
, trials included."},"hadSubscription":{"type":"boolean","description":"Whether the user ever owne\#
d a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string","null"]},"tier"\#
:{"type":"string"},"limits":{"type":"object","additionalProperties":{"type":["number","string","bo\#
olean","null"]},"description":"Those of the plan, as the catalog has them; null is no limit."},"su\#
bscriptionMethod":{"type":["string","null"],"description":"app_store_subscription, google_play, st\#
ripe, grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$ref":"#/components/schema\#
s/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"\#
null"}]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"]},"subs\#
cription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":{"$ref":"\#
#/components/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","hadSubscripti\#
on","creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextChangeAt","pay\#
wall","subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"type":"strin\#
g","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expired"]},"\#
productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"From the \#
next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string","enum":\#
["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type":["stri\#
ng","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expir\#
esAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"an\#
yOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"\#
]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"typ\#
e":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":\#
{"type":"boolean","description":"A renewal is due and the store has not been heard."}},"required":\#
["status","productId","pendingProductId","store","environment","originalTransactionId","transactio\#
nId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revoked\#
At","stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},"productI\#
d":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactionId":{"ty\#
pe":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required":["isActi\#
ve"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type":"string\#
"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row":{"type":\#
"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowKey"},"val\#
ue":{"description":"The decoded value."}},"required":["table","key","value"]}},"errors":{"ParseErr\#
or":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retryable":fal\#
se}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code":"invali\#
d_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no such method.\#
","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"message":"\#
A parameter is missing, unknown or not what it should be.","data":{"code":"invalid_params","retrya\#
ble":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code":"interna\#
l_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's role does n\#
ot include the method.","data":{"code":"permission_denied","retryable":false}},"NotReady":{"code":\#
-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":true}},"Shu\#
ttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutting_down",\#
"retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","data":{"cod\#
e":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The document d\#
oes not verify.","data":{"code":"verification_failed","retryable":false,"reason":"signature"}},"Ow\#
nershipConflict":{"code":-32021,"message":"The purchase, or the token, is another user's.","data":\#
{"code":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":-32022,"message":"What is\#
 claimed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"field":"\#
productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other arguments\#
.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"message":"\#
There is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded":{"code\#
":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":true,"retr\#
yAfterMs":100}}}}}
"""#
}
