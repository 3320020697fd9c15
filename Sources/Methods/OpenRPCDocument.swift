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
","description":"`free`, `pack:PRODUCT`, `period:PRODUCT`, or what an admin said."}},"required":["\#
amount","expiresAt","source"]},"description":"In the order of spending: soonest end first."}},"req\#
uired":["balance","held","buckets"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$re\#
f":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#\#
/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/er\#
rors/Overloaded"}],"examples":[{"name":"three free ones and a pack","params":[{"name":"userId","va\#
lue":"bob"}],"result":{"name":"result","value":{"balance":12,"held":1,"buckets":[{"amount":2,"expi\#
resAt":"2026-03-15T10:00:00.000Z","source":"grant"},{"amount":10,"expiresAt":null,"source":"pack:c\#
om.wearbloom.credits.10"}]}}}]},{"name":"getManagementURL","summary":"Where a user manages the sub\#
scription.","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The\#
 user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"platform","summa\#
ry":"Where the user reads the page; without it, that of the store of the subscription shown.","sch\#
ema":{"type":"string","enum":["ios","android","web"]}}],"result":{"name":"result","schema":{"type"\#
:"object","properties":{"url":{"type":["string","null"]}},"required":["url"]}},"errors":[{"$ref":"\#
#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compon\#
ents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/error\#
s/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"an App Store subs\#
criber","params":[{"name":"userId","value":"alice"},{"name":"platform","value":"ios"}],"result":{"\#
name":"result","value":{"url":"https://apps.apple.com/account/subscriptions"}}},{"name":"nobody","\#
params":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"url":null}}}]},{"\#
name":"getHistory","summary":"What changed for a user, oldest first.","description":"A page ends e\#
arly where the reply would be longer than a frame, so only an empty one says that it was the last.\#
","x-role":"reader","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","r\#
equired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"afterSeq","summary":"Event\#
s after this position.","schema":{"$ref":"#/components/schemas/Seq"}},{"name":"limit","summary":"H\#
ow many at most; events of one position are never parted.","schema":{"type":"integer","minimum":1,\#
"maximum":1000,"default":100}}],"result":{"name":"result","schema":{"type":"object","properties":{\#
"events":{"type":"array","items":{"type":"object","properties":{"seq":{"$ref":"#/components/schema\#
s/Seq"},"at":{"$ref":"#/components/schemas/Time"},"cause":{"type":"string"},"before":{"$ref":"#/co\#
mponents/schemas/Status"},"after":{"$ref":"#/components/schemas/Status"},"by":{"anyOf":[{"type":"o\#
bject","properties":{"role":{"type":"string","enum":["reader","app","support","admin"]},"uid":{"ty\#
pe":"integer","description":"The user of the system, as the kernel says."},"token":{"type":"string\#
","description":"The name of the caller's token."}},"required":["role"]},{"type":"null"}],"descrip\#
tion":"Who had it done; null where a store, time or the daemon did."},"detail":{"type":"object","p\#
roperties":{"store":{"type":"string"},"type":{"type":"string","description":"The store's word for \#
what happened."},"subtype":{"type":"string"},"productId":{"type":"string"},"transactionId":{"type"\#
:"string"},"price":{"type":"integer","description":"In thousandths of the currency."},"currency":{\#
"type":"string"},"amount":{"type":"integer","description":"How many credits."},"plan":{"type":"str\#
ing"},"grant":{"type":"string"},"reason":{"type":"string"},"source":{"type":"string"}},"descriptio\#
n":"What was done: the members that apply."}},"required":["seq","at","cause","before","after","by"\#
,"detail"]},"description":"What changed, when, why, and what was true before and after."},"oldest"\#
:{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"Where the journal was pruned befor\#
e this moment, and the user was known then: what changed up to it is not told any more."}},"requir\#
ed":["events"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/erro\#
rs/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/No\#
tReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$\#
ref":"#/components/errors/NotFound"}],"examples":[{"name":"an account begins","params":[{"name":"u\#
serId","value":"bob"}],"result":{"name":"result","value":{"events":[{"seq":42,"at":"2026-02-15T10:\#
00:00.000Z","cause":"registered","before":{"userId":"bob","state":"no_account","canRender":false,"\#
isSubscriber":false,"hadSubscription":false,"creditsRemaining":0,"plan":null,"tier":"free","limits\#
":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscri\#
ption":null,"seq":41},"after":{"userId":"alice","state":"subscribed","canRender":true,"isSubscribe\#
r":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"stor\#
ageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expire\#
sAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscr\#
iption":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"\#
store":"app_store","environment":"Production","originalTransactionId":"2000000000000001","transact\#
ionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:0\#
0.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt\#
":null,"stale":false},"seq":42},"by":{"role":"app","uid":1000},"detail":{"amount":3}}]}}}]},{"name\#
":"explain","summary":"Why a user's status is what it is.","x-role":"reader","paramStructure":"by-\#
name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/UserId"}},{"name":"at","summary":"A past moment.","schema":{"$ref":"#/components/schem\#
as/Time"}}],"result":{"name":"result","schema":{"type":"object","properties":{"at":{"$ref":"#/comp\#
onents/schemas/Time"},"rule":{"type":"string","description":"The rule that decided."},"because":{"\#
type":"string","description":"The same, as a sentence."},"catalogVersion":{"type":"integer","descr\#
iption":"Counts the catalogs installed."},"facts":{"type":"array","items":{"type":"object"},"descr\#
iption":"The purchases, with everything that the store said of them."},"grants":{"type":"array","i\#
tems":{"type":"object"}},"credits":{"type":"object","description":"`balance`, `held`, `owed`, and \#
`buckets`, those of paid periods to come included."},"status":{"$ref":"#/components/schemas/Status\#
"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["at","rule","because","catalogVersion","\#
facts","grants","credits","status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"}\#
,{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$r\#
ef":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compone\#
nts/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a stranger",\#
"params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"at":"2026-02-15T10:\#
00:00.000Z","rule":"no_account","because":"No write has named this user.","catalogVersion":1,"fact\#
s":[],"grants":[],"credits":{"balance":0,"held":0,"owed":0,"buckets":[]},"status":{"userId":"bob",\#
"state":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemain\#
ing":0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChang\#
eAt":null,"paywall":"subscribe","subscription":null,"seq":41},"seq":41}}}]},{"name":"watch","summa\#
ry":"Be told of every change, and of what stores say, from now on.","description":"The result is f\#
ollowed by notifications on this connection: entitlementChanged {seq, userId, cause, status}, one \#
per change; storeEvent {seq, userId, store, type, subtype, productId, transactionId, originalTrans\#
actionId, environment, purchasedAt, expiresAt, revokedAt, price, currency, offerId} to watchers of\#
 the owner, for a notification of a store that changed nothing in the owner's status (what does no\#
t apply is absent); catalogChanged {seq, version}; heartbeat {seq} every 15 s; resync {oldest} whe\#
n the cursor is too old or too much was missed. coalesced: true stands in an entitlementChanged th\#
at takes the place of older ones of the same user, and in a storeEvent likewise, because more than\#
 256 waited unsent; neither takes the place of the other.","x-role":"reader","paramStructure":"by-\#
name","params":[{"name":"userIds","summary":"Of these users; of everybody when absent.","schema":{\#
"type":"array","maxItems":10000,"items":{"$ref":"#/components/schemas/UserId"}}},{"name":"fromSeq"\#
,"summary":"Also of what changed after this position.","schema":{"$ref":"#/components/schemas/Seq"\#
}}],"result":{"name":"result","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/\#
schemas/Seq"}},"required":["seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/Overloaded"}],"examples":[{"name":"everybody","params":[],"result":{"name":"result","value":{"s\#
eq":42}}}]},{"name":"registerAccount","summary":"Begin a user's account, or link another token to \#
it.","description":"Free credits come with the first call for a user or, where the catalog says `f\#
reeCreditsOnce: appTransaction`, with the first that shows a signed app transaction, once for each\#
 of these. One that does not verify is refused. Purchases with the token that nobody owns become t\#
he user's. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"use\#
rId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name\#
":"appAccountToken","summary":"The token; derived from the user when absent.","schema":{"$ref":"#/\#
components/schemas/Token"}},{"name":"signedAppTransaction","summary":"The signed app transaction o\#
f the user's device.","schema":{"$ref":"#/components/schemas/SignedDocument"}}],"result":{"name":"\#
result","schema":{"type":"object","properties":{"appAccountToken":{"$ref":"#/components/schemas/To\#
ken"},"created":{"type":"boolean","description":"Whether this call began the account."},"creditsRe\#
maining":{"type":"integer"}},"required":["appAccountToken","created","creditsRemaining"]}},"errors\#
":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$re\#
f":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/comp\#
onents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/erro\#
rs/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/components/err\#
ors/Overloaded"}],"examples":[{"name":"the first time","params":[{"name":"userId","value":"alice"}\#
],"result":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","cre\#
ated":true,"creditsRemaining":3}}},{"name":"again","params":[{"name":"userId","value":"alice"}],"r\#
esult":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created\#
":false,"creditsRemaining":3}}}]},{"name":"verifyPurchase","summary":"Link a signed purchase to a \#
user.","description":"A claim that differs from what is signed is refused. A purchase is never tak\#
en from another user, and one whose newest token is nobody's must be named in appAccountToken or b\#
e derived. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name":"use\#
rId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name\#
":"signedTransaction","summary":"The signed transaction; without it the store is asked for `transa\#
ctionId`.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo","s\#
ummary":"The store's signed renewal information.","schema":{"$ref":"#/components/schemas/SignedDoc\#
ument"}},{"name":"productId","summary":"Claim: which product was bought.","schema":{"type":"string\#
"}},{"name":"transactionId","summary":"Claim: the store's name for the transaction.","schema":{"ty\#
pe":"string"}},{"name":"originalTransactionId","summary":"Claim: the store's name for the subscrip\#
tion.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Claim: the token that the \#
purchase was made with; names a signed token of nobody.","schema":{"$ref":"#/components/schemas/To\#
ken"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#\#
/components/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"type\#
":"boolean","description":"Whether a document was newer than what is kept."}},"required":["entitle\#
ment","status","applied"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/comp\#
onents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/component\#
s/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stora\#
geFull"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipC\#
onflict"},{"$ref":"#/components/errors/ClaimMismatch"},{"$ref":"#/components/errors/Overloaded"},{\#
"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a new purchase","summary":"The docume\#
nt is shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransaction","value":\#
"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlem\#
ent":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.0\#
00Z","originalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"al\#
ice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRema\#
ining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null\#
},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChange\#
At":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":\#
"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Productio\#
n","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"20\#
26-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRe\#
new":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"applied":t\#
rue}}}]},{"name":"restorePurchases","summary":"Link what a user's device knows of their purchases.\#
","description":"A purchase of another user goes by accounts.transferPolicy; where what is shown w\#
as signed before they bought or showed it, it is `refused`. One whose newest token is nobody's is \#
`refused`, unless the token is named or derived. Credit packs are credited to whom they belong and\#
 are not listed. One document that does not verify fails the call, with its place in data.index, a\#
nd nothing is applied.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summ\#
ary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"signedT\#
ransactions","summary":"The device's transactions; these or a receipt.","schema":{"type":"array","\#
minItems":1,"maxItems":100,"items":{"$ref":"#/components/schemas/SignedDocument"}}},{"name":"recei\#
ptData","summary":"An app receipt in their place, base64.","schema":{"type":"string"}},{"name":"ap\#
pAccountToken","summary":"Names a signed token of nobody as the user's, whichever of the documents\#
 carries it.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","schema":\#
{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"status":\#
{"$ref":"#/components/schemas/Status"},"results":{"type":"array","items":{"type":"object","propert\#
ies":{"originalTransactionId":{"type":"string"},"outcome":{"type":"string","enum":["linked","alrea\#
dy_owned","moved","shared","refused"]}},"required":["originalTransactionId","outcome"]},"descripti\#
on":"One for each subscription, in order of appearance."}},"required":["entitlement","status","res\#
ults"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Inter\#
nalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"}\#
,{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#\#
/components/errors/Overloaded"},{"$ref":"#/components/errors/VerificationFailed"}],"examples":[{"n\#
ame":"a new phone, another account","params":[{"name":"userId","value":"bob"},{"name":"signedTrans\#
actions","value":["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name":"result"\#
,"value":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"20\#
26-03-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Production"},"st\#
atus":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription\#
":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"\#
retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:0\#
0.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subsc\#
ribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","envi\#
ronment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000000000000001\#
","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpi\#
resAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"s\#
eq":42},"results":[{"originalTransactionId":"2000000000000001","outcome":"moved"}]}}}]},{"name":"v\#
erifyReceipt","summary":"Link the purchases of an app receipt of the time before StoreKit 2.","des\#
cription":"The receipt is verified here; Apple's verifyReceipt is not called. A receipt carries no\#
 token: where a notification brought one that is nobody's, it must be named or derived.","x-role":\#
"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,\#
"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"receiptData","summary":"The receipt, bas\#
e64.","required":true,"schema":{"type":"string"}},{"name":"productId","summary":"The product that \#
is asked about.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Names a token of\#
 nobody on the receipt's purchases as the user's.","schema":{"$ref":"#/components/schemas/Token"}}\#
],"result":{"name":"result","schema":{"type":"object","properties":{"isValid":{"type":"boolean","d\#
escription":"Whether the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/components/\#
schemas/Time"},{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"string","description"\#
:"One sentence for people."},"status":{"$ref":"#/components/schemas/Status"}},"required":["isValid\#
","expiresAt","tier","message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},\#
{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$re\#
f":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/componen\#
ts/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Ver\#
ificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a subscri\#
ber","params":[{"name":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"result":{"n\#
ame":"result","value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid","messag\#
e":"The purchase gives access.","status":{"userId":"alice","state":"subscribed","canRender":true,"\#
isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","lim\#
its":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscripti\#
on","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"no\#
ne","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendingProduc\#
tId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000000000000001\#
","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03\#
-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null\#
,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name":"signOffer","summary":"Sign a promotional \#
offer, as StoreKit asks the server to.","description":"In both of Apple's forms, with the key of a\#
pple.api; the nonce and the moment are the daemon's, and count for 24 hours. Whether the user may \#
have the offer is for the caller to decide. Needs apple.api in the configuration.","x-role":"app",\#
"paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schem\#
a":{"$ref":"#/components/schemas/UserId"}},{"name":"productId","summary":"The subscription.","requ\#
ired":true,"schema":{"type":"string","minLength":1,"maxLength":255}},{"name":"offerId","summary":"\#
The promotional offer, as App Store Connect names it.","required":true,"schema":{"type":"string","\#
minLength":1,"maxLength":255}},{"name":"appAccountToken","summary":"The token that the app passes \#
to StoreKit with the purchase; when absent, the one that registerAccount answers.","schema":{"type\#
":"string","format":"uuid"}},{"name":"applicationUsername","summary":"In place of a token: the use\#
r name that the app passes to StoreKit; empty for a purchase with neither.","schema":{"type":"stri\#
ng","maxLength":255}},{"name":"transactionId","summary":"For the JWS: any transaction of the custo\#
mer's, or the appTransactionId; when absent, one that is known.","schema":{"type":"string","minLen\#
gth":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"bundleId","summary":"One of the con\#
figured apps; the default one when absent.","schema":{"type":"string"}}],"result":{"name":"result"\#
,"schema":{"type":"object","properties":{"bundleId":{"type":"string","description":"The app that i\#
t is signed for."},"keyId":{"type":"string","description":"The key: keyID of StoreKit."},"nonce":{\#
"type":"string","description":"The nonce: a UUID in small letters."},"timestamp":{"type":"integer"\#
,"description":"The moment in milliseconds since 1970, as StoreKit takes it."},"applicationUsernam\#
e":{"type":"string","description":"What was signed as the customer: the token, the user name, or n\#
othing."},"signature":{"type":"string","description":"The older form: a signature in base64."},"jw\#
s":{"type":"string","description":"The newer form: a compact JWS."}},"required":["bundleId","keyId\#
","nonce","timestamp","applicationUsername","signature","jws"]}},"errors":[{"$ref":"#/components/e\#
rrors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Pe\#
rmissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown\#
"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/OwnershipConflict"}],"ex\#
amples":[{"name":"win back","params":[{"name":"userId","value":"alice"},{"name":"productId","value\#
":"com.example.premium.monthly"},{"name":"offerId","value":"half_price"}],"result":{"name":"result\#
","value":{"bundleId":"com.example.app","keyId":"2X9R4HXF34","nonce":"4f5c1ce6-7b1e-4f0a-9f43-2f0a\#
8f6c9d11","timestamp":1771149600000,"applicationUsername":"0640ee36-9aef-80b6-aa42-790840cec83b","\#
signature":"MEUCIQDh…","jws":"eyJhbGciOiJFUzI1NiIs…"}}}]},{"name":"signIntroductoryOffer","summary\#
":"Sign who gets an introductory offer, as StoreKit asks the server to.","description":"Overrules \#
what StoreKit would decide by itself, for one transaction's customer and a product. A JWS with the\#
 key of apple.api; the nonce and the moment are the daemon's. Needs apple.api in the configuration\#
.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","req\#
uired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"productId","summary":"The su\#
bscription.","required":true,"schema":{"type":"string","minLength":1,"maxLength":255}},{"name":"al\#
lowIntroductoryOffer","summary":"Whether the customer gets the offer.","required":true,"schema":{"\#
type":"boolean"}},{"name":"transactionId","summary":"Any transaction of the customer's, or the app\#
TransactionId; when absent, one that is known.","schema":{"type":"string","minLength":1,"maxLength\#
":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"bundleId","summary":"One of the configured apps; the\#
 default one when absent.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type"\#
:"object","properties":{"bundleId":{"type":"string","description":"The app that it is signed for."\#
},"transactionId":{"type":"string","description":"The transaction that it names."},"jws":{"type":"\#
string","description":"A compact JWS."}},"required":["bundleId","transactionId","jws"]}},"errors":\#
[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compon\#
ents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"once mo\#
re","params":[{"name":"userId","value":"alice"},{"name":"productId","value":"com.example.premium.m\#
onthly"},{"name":"allowIntroductoryOffer","value":true},{"name":"transactionId","value":"704346128\#
300986174"}],"result":{"name":"result","value":{"bundleId":"com.example.app","transactionId":"7043\#
46128300986174","jws":"eyJhbGciOiJFUzI1NiIs…"}}}]},{"name":"consumeCredit","summary":"Spend credit\#
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
 with the same parameters gets the first answer, with others idempotency_mismatch.","x-role":"supp\#
ort","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"\#
schema":{"$ref":"#/components/schemas/UserId"}},{"name":"plan","summary":"A plan of the catalog.",\#
"required":true,"schema":{"type":"string"}},{"name":"idempotencyKey","summary":"The same key never\#
 makes a second grant.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{\#
"name":"expiresAt","summary":"The end.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"st\#
artsAt","summary":"The beginning; now when absent.","schema":{"$ref":"#/components/schemas/Time"}}\#
,{"name":"store","summary":"What `subscriptionMethod` shows instead of grant.","schema":{"type":"s\#
tring","enum":["app_store","google_play","stripe"]}},{"name":"reason","summary":"Why, for the hist\#
ory.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties\#
":{"grant":{"type":"string","description":"The grant's name, for revokeGrant."},"status":{"$ref":"\#
#/components/schemas/Status"},"replayed":{"type":"boolean","description":"Whether this is the stor\#
ed first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["grant",\#
"status","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/Overload\#
ed"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","value":"bob"},{"name":"\#
plan","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expiresAt","val\#
ue":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name":"result",\#
"value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscribe\#
r":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"sto\#
rageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"2026-03-15\#
T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":null,"se\#
q":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back; one that\#
 was taken back before is not_found.","x-role":"support","paramStructure":"by-name","params":[{"na\#
me":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}\#
},{"name":"grant","summary":"The grant's name.","required":true,"schema":{"type":"string"}},{"name\#
":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result\#
","schema":{"type":"object","properties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"\#
$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/e\#
rrors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Pe\#
rmissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown\#
"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/c\#
omponents/errors/Overloaded"}],"examples":[{"name":"take it back","params":[{"name":"userId","valu\#
e":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"status":{"userId":"b\#
ob","state":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"cre\#
ditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7}\#
,"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscriptio\#
n":null,"seq":44},"seq":44}}}]},{"name":"movePurchase","summary":"Give a purchase to a user, whoev\#
er has it now; whoever buys it anew later has it then.","x-role":"support","paramStructure":"by-na\#
me","params":[{"name":"store","summary":"The store that sold it.","required":true,"schema":{"type"\#
:"string","enum":["app_store","google_play","stripe"]}},{"name":"originalTransactionId","summary":\#
"What the store calls it. Where both environments have it, the one of Production.","required":true\#
,"schema":{"type":"string"}},{"name":"toUserId","summary":"Who is to have it.","required":true,"sc\#
hema":{"$ref":"#/components/schemas/UserId"}},{"name":"reason","summary":"Why, for the history.","\#
required":true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","p\#
roperties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Se\#
q"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":\#
"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/co\#
mponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/error\#
s/StorageFull"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/components/errors/Overloaded"}]\#
,"examples":[{"name":"bought on a friend's phone","params":[{"name":"store","value":"app_store"},{\#
"name":"originalTransactionId","value":"2000000000000001"},{"name":"toUserId","value":"bob"},{"nam\#
e":"reason","value":"ticket 815"}],"result":{"name":"result","value":{"status":{"userId":"bob","st\#
ate":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3\#
,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subsc\#
riptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"202\#
6-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.exa\#
mple.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","orig\#
inalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15\#
T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":tru\#
e,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":46},"seq":46}}}]},{"nam\#
e":"grantCredits","summary":"Give a user credits.","x-role":"support","paramStructure":"by-name","\#
params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/sch\#
emas/UserId"}},{"name":"amount","summary":"How many.","required":true,"schema":{"type":"integer","\#
minimum":1,"maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts tw\#
ice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt"\#
,"summary":"When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"na\#
me":"source","summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}}\#
,{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":\#
"result","schema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description\#
":"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored\#
 first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRe\#
maining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismat\#
ch"}],"examples":[{"name":"an apology","params":[{"name":"userId","value":"bob"},{"name":"amount",\#
"value":5},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"an apology"}\#
],"result":{"name":"result","value":{"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"\#
adjustCredits","summary":"Correct a user's credits, up or down; stops at 0.","x-role":"support","p\#
aramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema"\#
:{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"s\#
chema":{"type":"integer","minimum":-1000000000,"maximum":1000000000}},{"name":"idempotencyKey","su\#
mmary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/I\#
dempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref\#
":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits sh\#
ows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{\#
"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemai\#
ning":{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","desc\#
ription":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/s\#
chemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/e\#
rrors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Pe\#
rmissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown\#
"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#\#
/components/errors/IdempotencyMismatch"}],"examples":[{"name":"a correction","params":[{"name":"us\#
erId","value":"bob"},{"name":"amount","value":-2},{"name":"idempotencyKey","value":"support-4712"}\#
,{"name":"reason","value":"given twice"}],"result":{"name":"result","value":{"creditsRemaining":6,\#
"replayed":false,"seq":53}}}]},{"name":"sendConsumption","summary":"Answer Apple's question about \#
a purchase whose refund is asked for.","description":"Apple asks with CONSUMPTION_REQUEST and wait\#
s for 12 hours. The consent and the data are the caller's. Where several apps are configured and n\#
one is named, each is asked in turn until one knows the transaction. Needs apple.api in the config\#
uration.","x-role":"support","paramStructure":"by-name","params":[{"name":"transactionId","summary\#
":"The purchase.","required":true,"schema":{"type":"string","minLength":1,"maxLength":128,"pattern\#
":"^[A-Za-z0-9_-]+$"}},{"name":"customerConsented","summary":"Must be true: without the customer's\#
 consent nothing may be sent.","required":true,"schema":{"type":"boolean","const":true}},{"name":"\#
deliveryStatus","summary":"Whether the purchase reached the customer.","required":true,"schema":{"\#
type":"string","enum":["DELIVERED","UNDELIVERED_QUALITY_ISSUE","UNDELIVERED_WRONG_ITEM","UNDELIVER\#
ED_SERVER_OUTAGE","UNDELIVERED_OTHER"]}},{"name":"sampleContentProvided","summary":"Whether the cu\#
stomer could try it before.","required":true,"schema":{"type":"boolean"}},{"name":"consumptionPerc\#
entage","summary":"How much of it is used, in thousandths of a percent.","schema":{"type":"integer\#
","minimum":0,"maximum":100000}},{"name":"refundPreference","summary":"What the app's maker would \#
like.","schema":{"type":"string","enum":["DECLINE","GRANT_FULL","GRANT_PRORATED"]}},{"name":"bundl\#
eId","summary":"One of the configured apps; whichever knows the transaction when absent.","schema"\#
:{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"success":{\#
"type":"boolean","description":"Whether the store has taken it."},"errorCode":{"type":"integer","d\#
escription":"Apple's number of the error, where it has not."},"errorMessage":{"type":"string","des\#
cription":"Apple's words for it."}},"required":["success"]}},"errors":[{"$ref":"#/components/error\#
s/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permis\#
sionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{\#
"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"na\#
me":"half of it is used","params":[{"name":"transactionId","value":"2000000000000001"},{"name":"cu\#
stomerConsented","value":true},{"name":"deliveryStatus","value":"DELIVERED"},{"name":"sampleConten\#
tProvided","value":false},{"name":"consumptionPercentage","value":50000},{"name":"refundPreference\#
","value":"GRANT_PRORATED"}],"result":{"name":"result","value":{"success":true}}}]},{"name":"exten\#
dRenewal","summary":"Give a subscriber days, by the store itself.","description":"Apple does so fo\#
r a subscription that is paid, twice in 365 days for a customer. A request that Apple did not answ\#
er is not repeated, because it may have been carried out. Needs apple.api in the configuration.","\#
x-role":"support","paramStructure":"by-name","params":[{"name":"transactionId","summary":"Any tran\#
saction of the subscription, or its originalTransactionId.","required":true,"schema":{"type":"stri\#
ng","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"extendByDays","summary":\#
"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":90}},{"name":"extendR\#
easonCode","summary":"Why: 0 undeclared, 1 customer satisfaction, 2 other, 3 a service issue.","re\#
quired":true,"schema":{"type":"integer","minimum":0,"maximum":3}},{"name":"requestIdentifier","sum\#
mary":"What Apple calls this request; made up when absent.","schema":{"type":"string","minLength":\#
1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"bundleId","summary":"One of the configur\#
ed apps; whichever knows the transaction when absent.","schema":{"type":"string"}}],"result":{"nam\#
e":"result","schema":{"type":"object","properties":{"success":{"type":"boolean","description":"Whe\#
ther the store has taken it."},"originalTransactionId":{"type":"string","description":"The subscri\#
ption."},"webOrderLineItemId":{"type":["string","null"],"description":"The period."},"effectiveDat\#
e":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"requestIdentifier":{"type":"s\#
tring","description":"What Apple calls this request."},"errorCode":{"type":"integer","description"\#
:"Apple's number of the error, where it has not."},"errorMessage":{"type":"string","description":"\#
Apple's words for it."}},"required":["success"]}},"errors":[{"$ref":"#/components/errors/InvalidPa\#
rams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"\#
},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/c\#
omponents/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"a week\#
 for an outage","params":[{"name":"transactionId","value":"2000000000000001"},{"name":"extendByDay\#
s","value":7},{"name":"extendReasonCode","value":3},{"name":"requestIdentifier","value":"outage-20\#
26-02"}],"result":{"name":"result","value":{"success":true,"originalTransactionId":"20000000000000\#
01","webOrderLineItemId":"2000000000000011","effectiveDate":"2026-03-22T10:00:00.000Z","requestIde\#
ntifier":"outage-2026-02"}}},{"name":"twice already","params":[{"name":"transactionId","value":"20\#
00000000000001"},{"name":"extendByDays","value":7},{"name":"extendReasonCode","value":1}],"result"\#
:{"name":"result","value":{"success":false,"errorCode":4030005,"errorMessage":"Forbidden - subscri\#
ption has reached maximum extension count."}}}]},{"name":"dump","summary":"A page of what is kept.\#
","description":"Values are decoded. A page ends early where the reply would be longer than a fram\#
e, so only a null cursor says that it was the last.","x-role":"admin","paramStructure":"by-name","\#
params":[{"name":"table","summary":"Only this table; all of them when absent.","schema":{"type":"s\#
tring"}},{"name":"prefix","summary":"Only keys that begin so.","schema":{"type":"string"}},{"name"\#
:"cursor","summary":"Where the page before ended.","schema":{"type":"string"}},{"name":"limit","su\#
mmary":"How many rows at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"default":10\#
0}}],"result":{"name":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/components/s\#
chemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cursor":{"typ\#
e":["string","null"],"description":"For the next page; null after the last row."}},"required":["se\#
q","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compone\#
nts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/e\#
rrors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overload\#
ed"}],"examples":[{"name":"the only token","params":[{"name":"table","value":"tokens"},{"name":"li\#
mit","value":2}],"result":{"name":"result","value":{"seq":42,"entries":[{"table":"tokens","key":"0\#
640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"name":"get"\#
,"summary":"One row.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summa\#
ry":"The table.","required":true,"schema":{"type":"string"}},{"name":"key","summary":"The key, as \#
dump shows it.","required":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"result":{"name"\#
:"result","schema":{"type":"object","properties":{"value":{"description":"The decoded value."}},"r\#
equired":["value"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/\#
errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/error\#
s/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}\#
,{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"whose token it is","params":[{"name\#
":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result\#
":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name":"load","summary":"Take in rows\#
 as dump writes them.","description":"One call is one entry of the journal: all of it or nothing. \#
A row that is here with another value refuses the call, with its place in data.index; one that is \#
equal counts as loaded. Rows of meta, alarms, ticks and tombstones are passed over. Load every pag\#
e of a dump before the users come.","x-role":"admin","paramStructure":"by-name","params":[{"name":\#
"entries","summary":"The rows.","required":true,"schema":{"type":"array","minItems":1,"maxItems":1\#
000,"items":{"$ref":"#/components/schemas/Row"}}}],"result":{"name":"result","schema":{"type":"obj\#
ect","properties":{"loaded":{"type":"integer","minimum":0,"description":"How many rows are now as \#
they were to be."}},"required":["loaded"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"}\#
,{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$r\#
ef":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compone\#
nts/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a token",\#
"params":[{"name":"entries","value":[{"table":"tokens","key":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201\#
","value":{"userId":"bob"}}]}],"result":{"name":"result","value":{"loaded":1}}}]},{"name":"eraseUs\#
er","summary":"Forgets a person.","description":"Every row about the person goes; the rows of the \#
journal keep amounts, and a pseudonym in the place of the user id, the tokens and the ids of the s\#
tore. What stores say of the person later is answered and not kept, until registerAccount names th\#
e person again; then free credits are not given a second time. Backups made before still hold the \#
person.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"Whom to\#
 forget.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"resu\#
lt","schema":{"type":"object","properties":{"erased":{"type":"boolean","description":"Whether ther\#
e was somebody to forget."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["erased","seq"]\#
}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErr\#
or"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$re\#
f":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/compo\#
nents/errors/Overloaded"}],"examples":[{"name":"Forgotten","params":[{"name":"userId","value":"use\#
r-1"}],"result":{"name":"result","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","summ\#
ary":"Everything kept about a person.","description":"One reply for most people. Where it would be\#
 longer than a frame, the lists go on on the next page; the account stands on every page.","x-role\#
":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":t\#
rue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"cursor","summary":"Where the page be\#
fore ended.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","pro\#
perties":{"userId":{"$ref":"#/components/schemas/UserId"},"account":{"type":["object","null"],"des\#
cription":"As dump writes it; null, and nothing else, for a user of whom nothing is kept."},"seq":\#
{"$ref":"#/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"desc\#
ription":"Where the journal was pruned before this moment: earlier events are not kept."},"tokens"\#
:{"type":"array","description":"Their tokens."},"subscriptions":{"type":"array","description":"Wit\#
h their facts, as dump writes them."},"settlements":{"type":"array","description":"First answers u\#
nder their keys."},"reservations":{"type":"array","description":"Credits that were held."},"packs"\#
:{"type":"array","description":"Credit packs."},"events":{"type":"array","description":"The journa\#
l's entries about them, oldest first."},"cursor":{"type":["string","null"],"description":"For the \#
next page; null after the last."}},"required":["userId","account"]}},"errors":[{"$ref":"#/componen\#
ts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/error\#
s/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutting\#
Down"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":"\#
userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","account":null}}}]\#
},{"name":"backup","summary":"Copy one consistent state into a new directory.","description":"Made\#
 under another name, flushed, verified by replaying its journal, then renamed. Writes go on meanwh\#
ile. One at a time.","x-role":"admin","paramStructure":"by-name","params":[{"name":"path","summary\#
":"Absolute, on the daemon's host, not there yet; it becomes a data directory.","required":true,"s\#
chema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"path\#
":{"type":"string"},"bytes":{"type":"integer","minimum":1,"description":"The bytes of its files."}\#
,"digest":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then the\#
 journal's segments in their order, then base/data.mdb where there is one."},"seq":{"$ref":"#/comp\#
onents/schemas/Seq"}},"required":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#/components\#
/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/\#
PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDo\#
wn"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"exampl\#
es":[{"name":"every night","params":[{"name":"path","value":"/var/backups/entitld/2026-02-15"}],"r\#
esult":{"name":"result","value":{"path":"/var/backups/entitld/2026-02-15","bytes":196608,"digest":\#
"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLe\#
vel","summary":"Change what is logged, until the configuration is read again.","x-role":"admin","p\#
aramStructure":"by-name","params":[{"name":"level","summary":"The least level.","required":true,"s\#
chema":{"type":"string","enum":["trace","debug","info","notice","warning","error","critical"]}}],"\#
result":{"name":"result","schema":{"type":"object","properties":{"level":{"type":"string"}},"requi\#
red":["level"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/erro\#
rs/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/No\#
tReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"e\#
xamples":[{"name":"more","params":[{"name":"level","value":"debug"}],"result":{"name":"result","va\#
lue":{"level":"debug"}}}]},{"name":"stats","summary":"Figures about the daemon.","x-role":"support\#
","paramStructure":"by-name","params":[],"result":{"name":"stats","schema":{"type":"object","prope\#
rties":{"version":{"type":"string"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"ty\#
pe":"integer"},"catalogVersion":{"type":"integer"},"plans":{"type":"array","items":{"type":"string\#
"}},"commands":{"type":"integer"},"groups":{"type":"integer"},"queueDepth":{"type":"integer"},"sto\#
rageFull":{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{"type":"object","propertie\#
s":{"bytes":{"type":"integer"},"prunedSeq":{"type":"integer","description":"The newest position th\#
at was pruned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Tim\#
e"},{"type":"null"}],"description":"From when on everything is known; null while everything is the\#
re."}},"required":["bytes","prunedSeq","oldest"]},"views":{"type":"object","properties":{"mapBytes\#
":{"type":"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"integer"}},"required":["map\#
Bytes","usedBytes","readers"]},"space":{"type":"object","description":"The space that is left: of \#
the views' map, and of the disk.","properties":{"map":{"$ref":"#/components/schemas/Space"},"disk"\#
:{"$ref":"#/components/schemas/Space"}}}},"required":["version","seq","uptimeSeconds","catalogVers\#
ion","plans","commands","groups","queueDepth","storageFull","clockJumps","journal","views","space"\#
],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":\#
"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/co\#
mponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/error\#
s/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"name":"result","value":{"\#
version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","premium"],\#
"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"bytes":655\#
36,"prunedSeq":0,"oldest":null},"views":{"mapBytes":1099511627776,"usedBytes":81920,"readers":3},"\#
space":{"map":{"bytes":1099511627776,"freeBytes":1099511545856,"bytesPerDay":null,"daysLeft":null}\#
,"disk":{"bytes":107374182400,"freeBytes":53687091200,"bytesPerDay":268435456,"daysLeft":200}}}}}]\#
},{"name":"reconcile","summary":"Ask the store what was missed.","description":"Needs apple.api in\#
 the configuration. Without a user it is for support. About one user the store is asked at most on\#
ce in 60 s; in between the present status is answered, and applied is false.","x-role":"app","para\#
mStructure":"by-name","params":[{"name":"userId","summary":"About this user, and wait; without, be\#
gin a round through everything.","schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"applied":{"type":"boolean","description":"With\#
 a user: whether something was newer than what was kept."},"status":{"$ref":"#/components/schemas/\#
Status"},"running":{"type":"boolean","description":"Without a user: true; progress is in stats."}}\#
,"required":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/erro\#
rs/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/No\#
tReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"\#
$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"nam\#
e":"one user","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"appli\#
ed":true,"status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"had\#
Subscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":10\#
7374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-0\#
3-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"st\#
atus":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_\#
store","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000\#
000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gra\#
cePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stal\#
e":false},"seq":42}}}},{"name":"everything","params":[],"result":{"name":"result","value":{"runnin\#
g":true}}}]},{"name":"testNotification","summary":"Ask Apple to send a test notification, and wait\#
 for it.","description":"The check of the set-up that every new operator wants. Needs apple.api in\#
 the configuration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"timeoutSeconds\#
","summary":"How long.","schema":{"type":"integer","minimum":1,"maximum":600,"default":60}}],"resu\#
lt":{"name":"result","schema":{"type":"object","properties":{"delivered":{"type":"boolean","descri\#
ption":"Whether Apple could deliver it here."},"sendAttemptResult":{"type":["string","null"],"desc\#
ription":"What Apple says of the attempt."}},"required":["delivered","sendAttemptResult"]}},"error\#
s":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$r\#
ef":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/com\#
ponents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/err\#
ors/Overloaded"}],"examples":[{"name":"it works","params":[],"result":{"name":"result","value":{"d\#
elivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary":"Whether the daemon ans\#
wers.","description":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure"\#
:"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object"}},"errors":[{"$ref":"#\#
/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/comp\#
onents/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{"name":"result","valu\#
e":{}}}]},{"name":"version","summary":"Which daemon answers.","description":"Answers before the da\#
emon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"ve\#
rsions","schema":{"type":"object","properties":{"entitld":{"type":"string","description":"The daem\#
on's version."},"protocol":{"type":"string","description":"The major version of the protocol: of f\#
rames, methods and words."},"format":{"type":"integer","description":"The version of what is on di\#
sk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/components/errors/Interna\#
lError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}\#
],"examples":[{"name":"version","params":[],"result":{"name":"result","value":{"entitld":"0.1.0","\#
protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This document.","x-role":"reader",\#
"paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema","schema":{"$ref":"https:/\#
/raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$ref":"#/compone\#
nts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/erro\#
rs/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shuttin\#
gDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"discover","summary":"The d\#
ocument is shortened.","params":[],"result":{"name":"result","value":{"openrpc":"1.3.2","info":{"t\#
itle":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"UserId":{"type":"s\#
tring","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 without control charac\#
ters, compared byte by byte."},"Token":{"type":"string","format":"uuid","description":"A UUID that\#
 a purchase carries; the all-zero one is none."},"Time":{"type":"string","format":"date-time","pat\#
tern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 860\#
1 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"maximum":1000000000,"defau\#
lt":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"description":"1 to 200 byt\#
es. Its scope is the user, over all methods."},"Seq":{"type":"integer","minimum":0,"description":"\#
The journal position that the answer reflects."},"SignedDocument":{"type":"string","description":"\#
A JWS in its compact form, as the store signed it."},"State":{"type":"string","enum":["no_account"\#
,"trial","subscribed","free_with_credits","free_no_credits"],"description":"The first that matches\#
: trial also when cancelled during the trial; subscribed is any other access by subscription, grac\#
e or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"type":"boolean"},"via":{\#
"enum":["subscription","grace","grant","credits","free",null],"description":"What lets the user in\#
; null where nothing does. free: the plan free names the feature."},"state":{"$ref":"#/components/\#
schemas/State"},"reason":{"enum":["no_account","not_in_plan","unknown_product","sandbox_not_admitt\#
ed","revoked","billing_retry","expired","credits_exhausted","never_subscribed",null],"description"\#
:"Why not, the first that matches; null where canRender is true. not_in_plan: there is access, by \#
a plan that does not name the feature. unknown_product: something is paid for that no plan names. \#
sandbox_not_admitted: apple.sandboxAccess does not let this user in."},"nextChangeAt":{"anyOf":[{"\#
$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"r\#
equired":["canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","pro\#
perties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/St\#
ate"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access by sub\#
scription, grace or grant, trials included."},"hadSubscription":{"type":"boolean","description":"W\#
hether the user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":\#
["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":{"typ\#
e":["number","string","boolean","null"]},"description":"Those of the plan, as the catalog has them\#
; null is no limit."},"subscriptionMethod":{"type":["string","null"],"description":"What gives acc\#
ess now: app_store_subscription, google_play, stripe, grant, or the store that a grant names; null\#
 where nothing does."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]\#
},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"paywall":{"type\#
":"string","enum":["none","resubscribe","start_trial","subscribe"],"description":"What to offer: n\#
one with access by subscription, grace or grant, and to somebody who pays for a product that no pl\#
an names."},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]\#
},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender","isSubscribe\#
r","hadSubscription","creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","n\#
extChangeAt","paywall","subscription","seq"]},"Subscription":{"type":"object","properties":{"statu\#
s":{"type":"string","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_ret\#
ry","expired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"descri\#
ption":"From the next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type"\#
:"string","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionI\#
d":{"type":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type"\#
:"null"}]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeri\#
odExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":\#
["boolean","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/sch\#
emas/Time"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"\#
null"}]},"stale":{"type":"boolean","description":"A renewal is due and the store has not been hear\#
d."}},"required":["status","productId","pendingProductId","store","environment","originalTransacti\#
onId","transactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","canc\#
elledAt","revokedAt","stale"]},"OwnedSubscription":{"type":"object","properties":{"status":{"type"\#
:"string","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expir\#
ed"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"Fr\#
om the next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string",\#
"enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type"\#
:["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]}\#
,"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresA\#
t":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean"\#
,"null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"\#
},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"\#
stale":{"type":"boolean","description":"A renewal is due and the store has not been heard."},"grou\#
p":{"type":["string","null"],"description":"The group of subscriptions of which a customer has one\#
 at a time."},"ownership":{"type":["string","null"],"description":"PURCHASED or FAMILY_SHARED, as \#
the store writes it."},"offer":{"anyOf":[{"type":"object","properties":{"type":{"type":["integer",\#
"null"],"description":"1 introductory, 2 promotional, 3 offer code, 4 win-back."},"id":{"type":["s\#
tring","null"]},"discount":{"type":["string","null"],"description":"FREE_TRIAL, PAY_AS_YOU_GO, PAY\#
_UP_FRONT or ONE_TIME."},"period":{"type":["string","null"],"description":"A duration of ISO 8601.\#
"}},"required":["type","id","discount","period"]},{"type":"null"}]},"price":{"type":["integer","nu\#
ll"],"description":"In thousandths of the currency."},"currency":{"type":["string","null"]},"store\#
front":{"type":["string","null"],"description":"The country, in letters of ISO 3166."},"billingPla\#
n":{"type":["string","null"],"description":"BILLED_UPFRONT or MONTHLY, as the store writes it."},"\#
commitmentExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"description"\#
:"The end of the payments to which the customer is bound."},"givesAccess":{"type":"boolean"}},"req\#
uired":["status","productId","pendingProductId","store","environment","originalTransactionId","tra\#
nsactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","\#
revokedAt","stale","group","ownership","offer","price","currency","storefront","billingPlan","comm\#
itmentExpiresAt","givesAccess"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"\#
boolean"},"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"original\#
TransactionId":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},\#
"required":["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base\#
64":{"type":"string"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-\#
8."},"Row":{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/sc\#
hemas/RowKey"},"value":{"description":"The decoded value."}},"required":["table","key","value"]},"\#
Space":{"type":"object","properties":{"bytes":{"type":"integer"},"freeBytes":{"type":"integer"},"b\#
ytesPerDay":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"What is taken in a day, l\#
ess what is given back; null in the first hour."},"daysLeft":{"anyOf":[{"type":"integer"},{"type":\#
"null"}],"description":"How many days the rest lasts at that rate; null where nothing is taken, or\#
 in the first hour."}},"required":["bytes","freeBytes","bytesPerDay","daysLeft"]}},"errors":{"Pars\#
eError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retryable"\#
:false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code":"in\#
valid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no such met\#
hod.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"messag\#
e":"A parameter is missing, unknown or not what it should be.","data":{"code":"invalid_params","re\#
tryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code":"int\#
ernal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's role do\#
es not include the method.","data":{"code":"permission_denied","retryable":false}},"NotReady":{"co\#
de":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":true}},\#
"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutting_do\#
wn","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","data":{\#
"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The docume\#
nt does not verify.","data":{"code":"verification_failed","retryable":false,"reason":"signature"}}\#
,"OwnershipConflict":{"code":-32021,"message":"The purchase is another user's.","data":{"code":"ow\#
nership_conflict","retryable":false,"reason":"owned"}},"ClaimMismatch":{"code":-32022,"message":"W\#
hat is claimed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"fi\#
eld":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other arg\#
uments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"mess\#
age":"There is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded":\#
{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":true\#
,"retryAfterMs":100}}}}}
"""#
}
