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
 another user, and one whose newest token is nobody's must be named in appAccountToken or be deriv\#
ed. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","s\#
ummary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"sign\#
edTransaction","summary":"The signed transaction; without it the store is asked for `transactionId\#
`.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo","summary"\#
:"The store's signed renewal information.","schema":{"$ref":"#/components/schemas/SignedDocument"}\#
},{"name":"productId","summary":"Claim: which product was bought.","schema":{"type":"string"}},{"n\#
ame":"transactionId","summary":"Claim: the store's name for the transaction.","schema":{"type":"st\#
ring"}},{"name":"originalTransactionId","summary":"Claim: the store's name for the subscription.",\#
"schema":{"type":"string"}},{"name":"appAccountToken","summary":"Claim: the token that the purchas\#
e was made with; names a signed token of nobody.","schema":{"$ref":"#/components/schemas/Token"}}]\#
,"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/compon\#
ents/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"type":"bool\#
ean","description":"Whether a document was newer than what is kept."}},"required":["entitlement","\#
status","applied"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/\#
errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/error\#
s/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"\#
},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict\#
"},{"$ref":"#/components/errors/ClaimMismatch"},{"$ref":"#/components/errors/Overloaded"},{"$ref":\#
"#/components/errors/NotFound"}],"examples":[{"name":"a new purchase","summary":"The document is s\#
hortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransaction","value":"eyJhbG\#
ciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlement":{"\#
isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","o\#
riginalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice","s\#
tate":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":\#
3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subs\#
criptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"20\#
26-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.ex\#
ample.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","ori\#
ginalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-1\#
5T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":tr\#
ue,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"applied":true}}}]\#
},{"name":"restorePurchases","summary":"Link what a user's device knows of their purchases.","desc\#
ription":"A purchase of another user goes by accounts.transferPolicy. One whose newest token is no\#
body's is `refused`, unless the token is named or derived. Credit packs are credited to whom they \#
belong and are not listed. One document that does not verify fails the call, with its place in dat\#
a.index, and nothing is applied.","x-role":"app","paramStructure":"by-name","params":[{"name":"use\#
rId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name\#
":"signedTransactions","summary":"The device's transactions.","required":true,"schema":{"type":"ar\#
ray","minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocument"}}},{"name":\#
"appAccountToken","summary":"Names a signed token of nobody as the user's, whichever of the docume\#
nts carries it.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schem\#
a":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"statu\#
s":{"$ref":"#/components/schemas/Status"},"results":{"type":"array","items":{"type":"object","prop\#
erties":{"originalTransactionId":{"type":"string"},"outcome":{"type":"string","enum":["linked","al\#
ready_owned","moved","shared","refused"]}},"required":["originalTransactionId","outcome"]},"descri\#
ption":"One for each subscription, in order of appearance."}},"required":["entitlement","status","\#
results"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/In\#
ternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRead\#
y"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref"\#
:"#/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"}],"examples":[\#
{"name":"a new phone, another account","params":[{"name":"userId","value":"bob"},{"name":"signedTr\#
ansactions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name":"resu\#
lt","value":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":\#
"2026-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Production"},\#
"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscript\#
ion":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":10737418240\#
0,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:0\#
0:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"su\#
bscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","e\#
nvironment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000000000000\#
001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodE\#
xpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false}\#
,"seq":42},"results":[{"originalTransactionId":"2000000000000001","outcome":"moved"}]}}}]},{"name"\#
:"verifyReceipt","summary":"Link the purchases of an app receipt of the time before StoreKit 2.","\#
description":"The receipt is verified here; Apple's verifyReceipt is not called. A receipt carries\#
 no token: where a notification brought one that is nobody's, it must be named or derived.","x-rol\#
e":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receiptData","summary":"The receipt, \#
base64.","required":true,"schema":{"type":"string"}},{"name":"productId","summary":"The product th\#
at is asked about.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Names a token\#
 of nobody on the receipt's purchases as the user's.","schema":{"$ref":"#/components/schemas/Token\#
"}}],"result":{"name":"result","schema":{"type":"object","properties":{"isValid":{"type":"boolean"\#
,"description":"Whether the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/componen\#
ts/schemas/Time"},{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"string","descripti\#
on":"One sentence for people."},"status":{"$ref":"#/components/schemas/Status"}},"required":["isVa\#
lid","expiresAt","tier","message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidParams\#
"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"\#
$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compo\#
nents/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/\#
VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a subs\#
criber","params":[{"name":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"result":\#
{"name":"result","value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","mes\#
sage":"The purchase gives access.","status":{"userId":"alice","state":"subscribed","canRender":tru\#
e,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","\#
limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscri\#
ption","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":\#
"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingPro\#
ductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000\#
001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026\#
-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":n\#
ull,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend credit\#
s, once per key.","description":"The first answer under a key, also insufficient, is kept for 30 d\#
ays and given again.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summar\#
y":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempoten\#
cyKey","summary":"The same key never charges twice.","required":true,"schema":{"$ref":"#/component\#
s/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/components/\#
schemas/Amount"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"t\#
ype":"string","enum":["consumed","insufficient","unlimited"],"description":"unlimited: the user's \#
plan renders without counting; nothing was charged or stored."},"creditsRemaining":{"type":"intege\#
r","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether thi\#
s is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"requir\#
ed":["outcome","creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/Inval\#
idParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDen\#
ied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":\#
"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components\#
/errors/IdempotencyMismatch"}],"examples":[{"name":"the last credit","params":[{"name":"userId","v\#
alue":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","value":{"o\#
utcome":"consumed","creditsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same again, afte\#
r a lost connection","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"r\#
ender-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"replaye\#
d":true,"seq":51}}}]},{"name":"reserveCredits","summary":"Set credits aside for a render whose suc\#
cess is not known yet.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summ\#
ary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempot\#
encyKey","summary":"The same key never reserves twice.","required":true,"schema":{"$ref":"#/compon\#
ents/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","required":true,"schema":{"t\#
ype":"integer","minimum":1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so long th\#
ey return by themselves.","required":true,"schema":{"type":"integer","minimum":1,"maximum":604800}\#
},{"name":"releaseOnDisconnect","summary":"They return when this connection, or the daemon, ends."\#
,"schema":{"type":"boolean"}}],"result":{"name":"result","schema":{"type":"object","properties":{"\#
outcome":{"type":"string","enum":["reserved","insufficient","unlimited","released"],"description":\#
"released: it was reserved under this key, and returned when its connection ended."},"reservation"\#
:{"type":["string","null"],"description":"The reservation's name; null where nothing is held."},"c\#
reditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boo\#
lean","description":"Whether this is the stored first answer to the same key."}},"required":["outc\#
ome","reservation","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/Invalid\#
Params"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenie\#
d"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#\#
/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/e\#
rrors/IdempotencyMismatch"}],"examples":[{"name":"one credit for five minutes","params":[{"name":"\#
userId","value":"bob"},{"name":"idempotencyKey","value":"render-816"},{"name":"amount","value":1},\#
{"name":"ttlSeconds","value":300}],"result":{"name":"result","value":{"outcome":"reserved","reserv\#
ation":"r6917529027641081857","creditsRemaining":2,"replayed":false}}}]},{"name":"commitReservatio\#
n","summary":"Spend what is held, or a part of it; the rest returns.","x-role":"app","paramStructu\#
re":"by-name","params":[{"name":"reservation","summary":"Its name.","required":true,"schema":{"typ\#
e":"string"}},{"name":"amount","summary":"How many of the held credits; all when absent.","schema"\#
:{"type":"integer","minimum":1,"maximum":1000000000}}],"result":{"name":"result","schema":{"type":\#
"object","properties":{"outcome":{"type":"string","enum":["committed","expired","released"],"descr\#
iption":"A second commit gets the first answer."},"creditsRemaining":{"type":"integer","descriptio\#
n":"What can be spent now."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{\#
"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"done","params":[{"name":"reservation"\#
,"value":"r6917529027641081857"}],"result":{"name":"result","value":{"outcome":"committed","credit\#
sRemaining":2}}}]},{"name":"releaseReservation","summary":"Give back what is held.","x-role":"app"\#
,"paramStructure":"by-name","params":[{"name":"reservation","summary":"Its name.","required":true,\#
"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"ou\#
tcome":{"type":"string","enum":["released","expired","committed"]},"creditsRemaining":{"type":"int\#
eger","description":"What can be spent now."}},"required":["outcome","creditsRemaining"]}},"errors\#
":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$re\#
f":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/comp\#
onents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/erro\#
rs/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"the render failed","\#
params":[{"name":"reservation","value":"r6917529027641081857"}],"result":{"name":"result","value":\#
{"outcome":"released","creditsRemaining":3}}}]},{"name":"reverseCredits","summary":"Put a charge b\#
ack into the buckets that it came from; what has ended stays ended.","x-role":"app","paramStructur\#
e":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/\#
components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never puts back twic\#
e.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"consumeKey",\#
"summary":"The key of the consumeCredit.","required":true,"schema":{"$ref":"#/components/schemas/I\#
dempotencyKey"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"ty\#
pe":"string","enum":["reversed","nothing"],"description":"nothing: nothing was charged, or it was \#
put back before."},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"r\#
eplayed":{"type":"boolean","description":"Whether this is the stored first answer to the same key.\#
"}},"required":["outcome","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compo\#
nents/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"t\#
he picture was broken","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":\#
"refund-815"},{"name":"consumeKey","value":"render-815"}],"result":{"name":"result","value":{"outc\#
ome":"reversed","creditsRemaining":1,"replayed":false}}}]},{"name":"grantEntitlement","summary":"G\#
ive a user the access of a plan.","description":"An unknown plan is invalid_params. A repeated key\#
 with the same parameters gets the first answer, with others idempotency_mismatch.","x-role":"admi\#
n","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"sc\#
hema":{"$ref":"#/components/schemas/UserId"}},{"name":"plan","summary":"A plan of the catalog.","r\#
equired":true,"schema":{"type":"string"}},{"name":"idempotencyKey","summary":"The same key never m\#
akes a second grant.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"n\#
ame":"expiresAt","summary":"The end.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"star\#
tsAt","summary":"The beginning; now when absent.","schema":{"$ref":"#/components/schemas/Time"}},{\#
"name":"store","summary":"What `subscriptionMethod` shows instead of grant.","schema":{"type":"str\#
ing","enum":["app_store","google_play","stripe"]}},{"name":"reason","summary":"Why, for the histor\#
y.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":\#
{"grant":{"type":"string","description":"The grant's name, for revokeGrant."},"status":{"$ref":"#/\#
components/schemas/Status"},"replayed":{"type":"boolean","description":"Whether this is the stored\#
 first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["grant","s\#
tatus","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compo\#
nents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components\#
/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storag\#
eFull"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/Overloaded\#
"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","value":"bob"},{"name":"pl\#
an","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expiresAt","value\#
":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name":"result","v\#
alue":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber"\#
:true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"stora\#
geBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"2026-03-15T1\#
0:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":null,"seq"\#
:43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back; one that w\#
as taken back before is not_found.","x-role":"admin","paramStructure":"by-name","params":[{"name":\#
"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"\#
name":"grant","summary":"The grant's name.","required":true,"schema":{"type":"string"}},{"name":"r\#
eason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","s\#
chema":{"type":"object","properties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref\#
":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/error\#
s/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permis\#
sionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{\#
"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/compo\#
nents/errors/Overloaded"}],"examples":[{"name":"take it back","params":[{"name":"userId","value":"\#
bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"status":{"userId":"bob",\#
"state":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"credits\#
Remaining":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7},"su\#
bscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":n\#
ull,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user credits.","x-role":"admi\#
n","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"sc\#
hema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":tr\#
ue,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"idempotencyKey","summary\#
":"The same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/Idempo\#
tencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref":"#/\#
components/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits shows i\#
t.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type\#
":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemaining"\#
:{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","descripti\#
on":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schema\#
s/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors\#
/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permiss\#
ionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"\#
$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/comp\#
onents/errors/IdempotencyMismatch"}],"examples":[{"name":"an apology","params":[{"name":"userId","\#
value":"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","value":"support-4712"},{"name"\#
:"reason","value":"an apology"}],"result":{"name":"result","value":{"creditsRemaining":8,"replayed\#
":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a user's credits, up or down; sto\#
ps at 0.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The us\#
er.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"\#
How many.","required":true,"schema":{"type":"integer","minimum":-1000000000,"maximum":1000000000}}\#
,{"name":"idempotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"\#
$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never \#
when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where the\#
y come from, as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why,\#
 for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object\#
","properties":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"repl\#
ayed":{"type":"boolean","description":"Whether this is the stored first answer to the same key."},\#
"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"err\#
ors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"\#
$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/c\#
omponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/e\#
rrors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"a corr\#
ection","params":[{"name":"userId","value":"bob"},{"name":"amount","value":-2},{"name":"idempotenc\#
yKey","value":"support-4712"},{"name":"reason","value":"given twice"}],"result":{"name":"result","\#
value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"dump","summary":"A page of wh\#
at is kept.","description":"Values are decoded. A page ends early where the reply would be longer \#
than a frame, so only a null cursor says that it was the last.","x-role":"admin","paramStructure":\#
"by-name","params":[{"name":"table","summary":"Only this table; all of them when absent.","schema"\#
:{"type":"string"}},{"name":"prefix","summary":"Only keys that begin so.","schema":{"type":"string\#
"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}},{"name":\#
"limit","summary":"How many rows at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"\#
default":100}}],"result":{"name":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/c\#
omponents/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cu\#
rsor":{"type":["string","null"],"description":"For the next page; null after the last row."}},"req\#
uired":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/Overloaded"}],"examples":[{"name":"the only token","params":[{"name":"table","value":"tokens"},\#
{"name":"limit","value":2}],"result":{"name":"result","value":{"seq":42,"entries":[{"table":"token\#
s","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"\#
name":"get","summary":"One row.","x-role":"admin","paramStructure":"by-name","params":[{"name":"ta\#
ble","summary":"The table.","required":true,"schema":{"type":"string"}},{"name":"key","summary":"T\#
he key, as dump shows it.","required":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"resu\#
lt":{"name":"result","schema":{"type":"object","properties":{"value":{"description":"The decoded v\#
alue."}},"required":["value"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/O\#
verloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"whose token it is","para\#
ms":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b\#
"}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name":"load","summary":"T\#
ake in rows as dump writes them.","description":"One call is one entry of the journal: all of it o\#
r nothing. A row that is here with another value refuses the call, with its place in data.index; o\#
ne that is equal counts as loaded. Rows of meta, alarms, ticks and tombstones are passed over. Loa\#
d every page of a dump before the users come.","x-role":"admin","paramStructure":"by-name","params\#
":[{"name":"entries","summary":"The rows.","required":true,"schema":{"type":"array","minItems":1,"\#
maxItems":1000,"items":{"$ref":"#/components/schemas/Row"}}}],"result":{"name":"result","schema":{\#
"type":"object","properties":{"loaded":{"type":"integer","minimum":0,"description":"How many rows \#
are now as they were to be."}},"required":["loaded"]}},"errors":[{"$ref":"#/components/errors/Inva\#
lidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDe\#
nied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref"\#
:"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name"\#
:"a token","params":[{"name":"entries","value":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0\#
d6c7a1be201","value":{"userId":"bob"}}]}],"result":{"name":"result","value":{"loaded":1}}}]},{"nam\#
e":"eraseUser","summary":"Forgets a person.","description":"Every row about the person goes; the r\#
ows of the journal keep amounts, and a pseudonym in the place of the user id, the tokens and the i\#
ds of the store. What stores say of the person later is answered and not kept, until registerAccou\#
nt names the person again; then free credits are not given a second time. Backups made before stil\#
l hold the person.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summar\#
y":"Whom to forget.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"erased":{"type":"boolean","description":"W\#
hether there was somebody to forget."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["era\#
sed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/\#
InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRe\#
ady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$re\#
f":"#/components/errors/Overloaded"}],"examples":[{"name":"Forgotten","params":[{"name":"userId","\#
value":"user-1"}],"result":{"name":"result","value":{"erased":true,"seq":4021}}}]},{"name":"export\#
User","summary":"Everything kept about a person.","description":"One reply for most people. Where \#
it would be longer than a frame, the lists go on on the next page; the account stands on every pag\#
e.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","\#
required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"cursor","summary":"Where \#
the page before ended.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"o\#
bject","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"account":{"type":["object","\#
null"],"description":"As dump writes it; null, and nothing else, for a user of whom nothing is kep\#
t."},"seq":{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Ti\#
me"}],"description":"Where the journal was pruned before this moment: earlier events are not kept.\#
"},"tokens":{"type":"array","description":"Their tokens."},"subscriptions":{"type":"array","descri\#
ption":"With their facts, as dump writes them."},"settlements":{"type":"array","description":"Firs\#
t answers under their keys."},"reservations":{"type":"array","description":"Credits that were held\#
."},"packs":{"type":"array","description":"Credit packs."},"events":{"type":"array","description":\#
"The journal's entries about them, oldest first."},"cursor":{"type":["string","null"],"description\#
":"For the next page; null after the last."}},"required":["userId","account"]}},"errors":[{"$ref":\#
"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compo\#
nents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/erro\#
rs/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"nobody","params"\#
:[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","accoun\#
t":null}}}]},{"name":"backup","summary":"Copy one consistent state into a new directory.","descrip\#
tion":"Made under another name, flushed, verified by replaying its journal, then renamed. Writes g\#
o on meanwhile. One at a time.","x-role":"admin","paramStructure":"by-name","params":[{"name":"pat\#
h","summary":"Absolute, on the daemon's host, not there yet; it becomes a data directory.","requir\#
ed":true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","propert\#
ies":{"path":{"type":"string"},"bytes":{"type":"integer","minimum":1,"description":"The bytes of i\#
ts files."},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"SHA-256 of data.md\#
b, then the journal's segments in their order, then base/data.mdb where there is one."},"seq":{"$r\#
ef":"#/components/schemas/Seq"}},"required":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#\#
/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compone\#
nts/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors\#
/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded\#
"}],"examples":[{"name":"every night","params":[{"name":"path","value":"/var/backups/entitld/2026-\#
02-15"}],"result":{"name":"result","value":{"path":"/var/backups/entitld/2026-02-15","bytes":19660\#
8,"digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name\#
":"setLogLevel","summary":"Change what is logged, until the configuration is read again.","x-role"\#
:"admin","paramStructure":"by-name","params":[{"name":"level","summary":"The least level.","requir\#
ed":true,"schema":{"type":"string","enum":["trace","debug","info","notice","warning","error","crit\#
ical"]}}],"result":{"name":"result","schema":{"type":"object","properties":{"level":{"type":"strin\#
g"}},"required":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"more","params":[{"name":"level","value":"debug"}],"result":{"name":"\#
result","value":{"level":"debug"}}}]},{"name":"stats","summary":"Figures about the daemon.","x-rol\#
e":"admin","paramStructure":"by-name","params":[],"result":{"name":"stats","schema":{"type":"objec\#
t","properties":{"version":{"type":"string"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeco\#
nds":{"type":"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":"array","items":{"type\#
":"string"}},"commands":{"type":"integer"},"groups":{"type":"integer"},"queueDepth":{"type":"integ\#
er"},"storageFull":{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{"type":"object","\#
properties":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","description":"The newest po\#
sition that was pruned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref":"#/components/sc\#
hemas/Time"},{"type":"null"}],"description":"From when on everything is known; null while everythi\#
ng is there."}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"object","properties":{\#
"mapBytes":{"type":"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"integer"}},"requir\#
ed":["mapBytes","usedBytes","readers"]},"space":{"type":"object","description":"The space that is \#
left: of the views' map, and of the disk.","properties":{"map":{"$ref":"#/components/schemas/Space\#
"},"disk":{"$ref":"#/components/schemas/Space"}}}},"required":["version","seq","uptimeSeconds","ca\#
talogVersion","plans","commands","groups","queueDepth","storageFull","clockJumps","journal","views\#
","space"],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"}\#
,{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$r\#
ef":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compone\#
nts/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"name":"result","\#
value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","p\#
remium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"b\#
ytes":65536,"prunedSeq":0,"oldest":null},"views":{"mapBytes":1099511627776,"usedBytes":81920,"read\#
ers":3},"space":{"map":{"bytes":1099511627776,"freeBytes":1099511545856,"bytesPerDay":null,"daysLe\#
ft":null},"disk":{"bytes":107374182400,"freeBytes":53687091200,"bytesPerDay":268435456,"daysLeft":\#
200}}}}}]},{"name":"reconcile","summary":"Ask the store what was missed.","description":"Needs app\#
le.api in the configuration. Without a user it is for admins alone. About one user the store is as\#
ked at most once in 60 s; in between the present status is answered, and applied is false.","x-rol\#
e":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"About this user, and wai\#
t; without, begin a round through everything.","schema":{"$ref":"#/components/schemas/UserId"}}],"\#
result":{"name":"result","schema":{"type":"object","properties":{"applied":{"type":"boolean","desc\#
ription":"With a user: whether something was newer than what was kept."},"status":{"$ref":"#/compo\#
nents/schemas/Status"},"running":{"type":"boolean","description":"Without a user: true; progress i\#
s in stats."}},"required":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/c\#
omponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compon\#
ents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/St\#
orageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"ex\#
amples":[{"name":"one user","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","\#
value":{"applied":true,"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscri\#
ber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"st\#
orageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expi\#
resAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subs\#
cription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null\#
,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000001","transa\#
ctionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00\#
:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revoked\#
At":null,"stale":false},"seq":42}}}},{"name":"everything","params":[],"result":{"name":"result","v\#
alue":{"running":true}}}]},{"name":"testNotification","summary":"Ask Apple to send a test notifica\#
tion, and wait for it.","description":"The check of the set-up that every new operator wants. Need\#
s apple.api in the configuration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"\#
timeoutSeconds","summary":"How long.","schema":{"type":"integer","minimum":1,"maximum":600,"defaul\#
t":60}}],"result":{"name":"result","schema":{"type":"object","properties":{"delivered":{"type":"bo\#
olean","description":"Whether Apple could deliver it here."},"sendAttemptResult":{"type":["string"\#
,"null"],"description":"What Apple says of the attempt."}},"required":["delivered","sendAttemptRes\#
ult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Intern\#
alError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},\#
{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/\#
components/errors/Overloaded"}],"examples":[{"name":"it works","params":[],"result":{"name":"resul\#
t","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary":"Whether \#
the daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"reader","p\#
aramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object"}},"error\#
s":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{\#
"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{"name":\#
"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","description":"Answers\#
 before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"resul\#
t":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"type":"string","descript\#
ion":"The daemon's version."},"protocol":{"type":"string","description":"The major version of the \#
protocol: of frames, methods and words."},"format":{"type":"integer","description":"The version of\#
 what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/components/\#
errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/error\#
s/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"result","value":{"enti\#
tld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This document.","x-r\#
ole":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema","schema":{"\#
$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$r\#
ef":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/c\#
omponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/\#
errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"discover","s\#
ummary":"The document is shortened.","params":[],"result":{"name":"result","value":{"openrpc":"1.3\#
.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"User\#
Id":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 without \#
control characters, compared byte by byte."},"Token":{"type":"string","format":"uuid","description\#
":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type":"string","format":"d\#
ate-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","descrip\#
tion":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"maximum":100\#
0000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"description"\#
:"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"integer","minimum":0,"\#
description":"The journal position that the answer reflects."},"SignedDocument":{"type":"string","\#
description":"A JWS in its compact form, as the store signed it."},"State":{"type":"string","enum"\#
:["no_account","trial","subscribed","free_with_credits","free_no_credits"],"description":"The firs\#
t that matches: trial also when cancelled during the trial; subscribed is any other access by subs\#
cription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"type":"boo\#
lean"},"via":{"enum":["subscription","grace","grant","credits","free",null],"description":"What le\#
ts the user in; null where nothing does. free: the plan free names the feature."},"state":{"$ref":\#
"#/components/schemas/State"},"reason":{"enum":["no_account","not_in_plan","unknown_product","sand\#
box_not_admitted","revoked","billing_retry","expired","credits_exhausted","never_subscribed",null]\#
,"description":"Why not, the first that matches; null where canRender is true. not_in_plan: there \#
is access, by a plan that does not name the feature. unknown_product: something is paid for that n\#
o plan names. sandbox_not_admitted: apple.sandboxAccess does not let this user in."},"nextChangeAt\#
":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/sch\#
emas/Seq"}},"required":["canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type"\#
:"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/compone\#
nts/schemas/State"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":\#
"Access by subscription, grace or grant, trials included."},"hadSubscription":{"type":"boolean","d\#
escription":"Whether the user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"\#
plan":{"type":["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalPro\#
perties":{"type":["number","string","boolean","null"]},"description":"Those of the plan, as the ca\#
talog has them; null is no limit."},"subscriptionMethod":{"type":["string","null"],"description":"\#
What gives access now: app_store_subscription, google_play, stripe, grant, or the store that a gra\#
nt names; null where nothing does."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"\#
type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"p\#
aywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"],"description":"Wh\#
at to offer: none with access by subscription, grace or grant, and to somebody who pays for a prod\#
uct that no plan names."},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"\#
type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender\#
","isSubscriber","hadSubscription","creditsRemaining","plan","tier","limits","subscriptionMethod",\#
"expiresAt","nextChangeAt","paywall","subscription","seq"]},"Subscription":{"type":"object","prope\#
rties":{"status":{"type":"string","enum":["revoked","cancelled","trial","subscribed","grace_period\#
","billing_retry","expired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","\#
null"],"description":"From the next renewal on, if it changes."},"store":{"type":"string"},"enviro\#
nment":{"type":"string","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"}\#
,"transactionId":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/\#
Time"},{"type":"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"\#
}]},"gracePeriodExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoR\#
enew":{"type":["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/\#
components/schemas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Ti\#
me"},{"type":"null"}]},"stale":{"type":"boolean","description":"A renewal is due and the store has\#
 not been heard."}},"required":["status","productId","pendingProductId","store","environment","ori\#
ginalTransactionId","transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","\#
isTrial","cancelledAt","revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActiv\#
e":{"type":"boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time\#
"},"originalTransactionId":{"type":"string"},"environment":{"type":"string","enum":["Production","\#
Sandbox"]}},"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","proper\#
ties":{"base64":{"type":"string"}},"required":["base64"]}],"description":"Text, or base64 where it\#
 is not UTF-8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/c\#
omponents/schemas/RowKey"},"value":{"description":"The decoded value."}},"required":["table","key"\#
,"value"]},"Space":{"type":"object","properties":{"bytes":{"type":"integer"},"freeBytes":{"type":"\#
integer"},"bytesPerDay":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"What is taken\#
 in a day, less what is given back; null in the first hour."},"daysLeft":{"anyOf":[{"type":"intege\#
r"},{"type":"null"}],"description":"How many days the rest lasts at that rate; null where nothing \#
is taken, or in the first hour."}},"required":["bytes","freeBytes","bytesPerDay","daysLeft"]}},"er\#
rors":{"ParseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error"\#
,"retryable":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data"\#
:{"code":"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is\#
 no such method.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-3\#
2602,"message":"A parameter is missing, unknown or not what it should be.","data":{"code":"invalid\#
_params","retryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":\#
{"code":"internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The call\#
er's role does not include the method.","data":{"code":"permission_denied","retryable":false}},"No\#
tReady":{"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retrya\#
ble":true}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":\#
"shutting_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on dis\#
k.","data":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message"\#
:"The document does not verify.","data":{"code":"verification_failed","retryable":false,"reason":"\#
signature"}},"OwnershipConflict":{"code":-32021,"message":"The purchase is another user's.","data"\#
:{"code":"ownership_conflict","retryable":false,"reason":"owned"}},"ClaimMismatch":{"code":-32022,\#
"message":"What is claimed differs from what is signed.","data":{"code":"claim_mismatch","retryabl\#
e":false,"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used wi\#
th other arguments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":\#
-32024,"message":"There is no such grant or row.","data":{"code":"not_found","retryable":false}},"\#
Overloaded":{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","ret\#
ryable":true,"retryAfterMs":100}}}}}
"""#
}
