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
/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name\#
":"the last credit","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","value":"re\#
nder-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"replayed\#
":false,"seq":51}}},{"name":"the same again, after a lost connection","params":[{"name":"userId","\#
value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","value":{"\#
outcome":"consumed","creditsRemaining":0,"replayed":true,"seq":51}}}]},{"name":"reserveCredits","s\#
ummary":"Set credits aside for a render whose success is not known yet.","x-role":"app","paramStru\#
cture":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref"\#
:"#/components/schemas/UserId"}},{"name":"idempotencyKey","summary":"The same key never reserves t\#
wice.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"amount","\#
summary":"How many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}}\#
,{"name":"ttlSeconds","summary":"After so long they return by themselves.","required":true,"schema\#
":{"type":"integer","minimum":1,"maximum":604800}},{"name":"releaseOnDisconnect","summary":"They r\#
eturn when this connection, or the daemon, ends.","schema":{"type":"boolean"}}],"result":{"name":"\#
result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reserved","ins\#
ufficient","unlimited","released"],"description":"released: it was reserved under this key, and re\#
turned when its connection ended."},"reservation":{"type":["string","null"],"description":"The res\#
ervation's name; null where nothing is held."},"creditsRemaining":{"type":"integer","description":\#
"What can be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored f\#
irst answer to the same key."}},"required":["outcome","reservation","creditsRemaining","replayed"]\#
}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErr\#
or"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$re\#
f":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/compo\#
nents/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components\#
/errors/OwnershipConflict"}],"examples":[{"name":"one credit for five minutes","params":[{"name":"\#
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
nents/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/components/e\#
rrors/OwnershipConflict"}],"examples":[{"name":"the picture was broken","params":[{"name":"userId"\#
,"value":"bob"},{"name":"idempotencyKey","value":"refund-815"},{"name":"consumeKey","value":"rende\#
r-815"}],"result":{"name":"result","value":{"outcome":"reversed","creditsRemaining":1,"replayed":f\#
alse}}}]},{"name":"mergeAccounts","summary":"Give what an anonymous account has to the one that lo\#
gged in, in one commit.","description":"Purchases, tokens, grants, credits, holds and the history \#
go; free credits stay once. The first account is gone: its tokens lead to the second, registerAcco\#
unt and every other write that names it is ownership_conflict with the reason merged, and keys tha\#
t were used under it keep their first answers: the same method and parameters replay under the sec\#
ond id, too, unless that has used the key itself. A charge of the first one is put back by reverse\#
Credits of the second.","x-role":"app","paramStructure":"by-name","params":[{"name":"fromUserId","\#
summary":"The anonymous account; without one, its id leads nowhere from now on.","required":true,"\#
schema":{"$ref":"#/components/schemas/UserId"}},{"name":"intoUserId","summary":"The account that l\#
ogged in.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempotencyKe\#
y","summary":"Of intoUserId. Who went into the same account before is answered as a repetition, wh\#
atever the key.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}}],"result\#
":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components/schemas/\#
Status"},"replayed":{"type":"boolean","description":"Whether it was done before."},"seq":{"$ref":"\#
#/components/schemas/Seq"}},"required":["status","replayed","seq"]}},"errors":[{"$ref":"#/componen\#
ts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/error\#
s/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutting\#
Down"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref\#
":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/OwnershipConflict"}],"ex\#
amples":[{"name":"a guest logs in","params":[{"name":"fromUserId","value":"guest-815"},{"name":"in\#
toUserId","value":"bob"},{"name":"idempotencyKey","value":"login-815"}],"result":{"name":"result",\#
"value":{"status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber":true,"hadSu\#
bscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":1073\#
74182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-\#
15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"stat\#
us":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_st\#
ore","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"200000\#
0000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","grace\#
PeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale"\#
:false},"seq":46},"replayed":false,"seq":46}}}]},{"name":"grantEntitlement","summary":"Give a user\#
 the access of a plan.","description":"An unknown plan is invalid_params. A repeated key with the \#
same parameters gets the first answer, with others idempotency_mismatch.","x-role":"support","para\#
mStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"\#
$ref":"#/components/schemas/UserId"}},{"name":"plan","summary":"A plan of the catalog.","required"\#
:true,"schema":{"type":"string"}},{"name":"idempotencyKey","summary":"The same key never makes a s\#
econd grant.","required":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"ex\#
piresAt","summary":"The end.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","s\#
ummary":"The beginning; now when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"\#
store","summary":"What `subscriptionMethod` shows instead of grant.","schema":{"type":"string","en\#
um":["app_store","google_play","stripe"]}},{"name":"reason","summary":"Why, for the history.","sch\#
ema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"grant"\#
:{"type":"string","description":"The grant's name, for revokeGrant."},"status":{"$ref":"#/componen\#
ts/schemas/Status"},"replayed":{"type":"boolean","description":"Whether this is the stored first a\#
nswer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["grant","status","\#
replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/er\#
rors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/\#
NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},\#
{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/Overloaded"},{"$re\#
f":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a month of premium","params":[{"\#
name":"userId","value":"bob"},{"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"\#
support-4711"},{"name":"expiresAt","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"a\#
n apology"}],"result":{"name":"result","value":{"grant":"g43","status":{"userId":"bob","state":"su\#
bscribed","canRender":true,"isSubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan"\#
:"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscription\#
Method":"grant","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","\#
paywall":"none","subscription":null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant"\#
,"summary":"Take a grant back; one that was taken back before is not_found.","x-role":"support","p\#
aramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema"\#
:{"$ref":"#/components/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":\#
true,"schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"typ\#
e":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":\#
"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","se\#
q"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Internal\#
Error"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"\#
$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/co\#
mponents/errors/NotFound"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/\#
OwnershipConflict"}],"examples":[{"name":"take it back","params":[{"name":"userId","value":"bob"},\#
{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"status":{"userId":"bob","state\#
":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"creditsRemain\#
ing":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7},"subscrip\#
tionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"s\#
eq":44},"seq":44}}}]},{"name":"movePurchase","summary":"Give a purchase to a user, whoever has it \#
now; whoever buys it anew later has it then.","x-role":"support","paramStructure":"by-name","param\#
s":[{"name":"store","summary":"The store that sold it.","required":true,"schema":{"type":"string",\#
"enum":["app_store","google_play","stripe"]}},{"name":"originalTransactionId","summary":"What the \#
store calls it. Where both environments have it, the one of Production.","required":true,"schema":\#
{"type":"string"}},{"name":"toUserId","summary":"Who is to have it.","required":true,"schema":{"$r\#
ef":"#/components/schemas/UserId"}},{"name":"reason","summary":"Why, for the history.","required":\#
true,"schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties"\#
:{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"requ\#
ired":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compone\#
nts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/e\#
rrors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageF\#
ull"},{"$ref":"#/components/errors/NotFound"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#\#
/components/errors/OwnershipConflict"}],"examples":[{"name":"bought on a friend's phone","params":\#
[{"name":"store","value":"app_store"},{"name":"originalTransactionId","value":"2000000000000001"},\#
{"name":"toUserId","value":"bob"},{"name":"reason","value":"ticket 815"}],"result":{"name":"result\#
","value":{"status":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber":true,"had\#
Subscription":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":10\#
7374182400,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-0\#
3-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"st\#
atus":"subscribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_\#
store","environment":"Production","originalTransactionId":"2000000000000001","transactionId":"2000\#
000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gra\#
cePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stal\#
e":false},"seq":46},"seq":46}}}]},{"name":"grantCredits","summary":"Give a user credits.","x-role"\#
:"support","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":\#
true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","requ\#
ired":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"idempotencyKey",\#
"summary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/components/schema\#
s/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$\#
ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits\#
 shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema\#
":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRe\#
maining":{"type":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","d\#
escription":"Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/component\#
s/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/component\#
s/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingD\#
own"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref"\#
:"#/components/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/OwnershipConflict"}],"exa\#
mples":[{"name":"an apology","params":[{"name":"userId","value":"bob"},{"name":"amount","value":5}\#
,{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"an apology"}],"result"\#
:{"name":"result","value":{"creditsRemaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCred\#
its","summary":"Correct a user's credits, up or down; stops at 0.","x-role":"support","paramStruct\#
ure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"\#
#/components/schemas/UserId"}},{"name":"amount","summary":"How many.","required":true,"schema":{"t\#
ype":"integer","minimum":-1000000000,"maximum":1000000000}},{"name":"idempotencyKey","summary":"Th\#
e same key never counts twice.","required":true,"schema":{"$ref":"#/components/schemas/Idempotency\#
Key"}},{"name":"expiresAt","summary":"When they end; never when absent.","schema":{"$ref":"#/compo\#
nents/schemas/Time"}},{"name":"source","summary":"Where they come from, as getCredits shows it.","\#
schema":{"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"st\#
ring"}}],"result":{"name":"result","schema":{"type":"object","properties":{"creditsRemaining":{"ty\#
pe":"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"\#
Whether this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq\#
"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/Inva\#
lidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDe\#
nied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref"\#
:"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/component\#
s/errors/IdempotencyMismatch"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"nam\#
e":"a correction","params":[{"name":"userId","value":"bob"},{"name":"amount","value":-2},{"name":"\#
idempotencyKey","value":"support-4712"},{"name":"reason","value":"given twice"}],"result":{"name":\#
"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"sendConsumption","s\#
ummary":"Answer Apple's question about a purchase whose refund is asked for.","description":"Apple\#
 asks with CONSUMPTION_REQUEST and waits for 12 hours. The consent and the data are the caller's. \#
Where several apps are configured and none is named, each is asked in turn until one knows the tra\#
nsaction. Needs apple.api in the configuration.","x-role":"support","paramStructure":"by-name","pa\#
rams":[{"name":"transactionId","summary":"The purchase.","required":true,"schema":{"type":"string"\#
,"minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"customerConsented","summary\#
":"Must be true: without the customer's consent nothing may be sent.","required":true,"schema":{"t\#
ype":"boolean","const":true}},{"name":"deliveryStatus","summary":"Whether the purchase reached the\#
 customer.","required":true,"schema":{"type":"string","enum":["DELIVERED","UNDELIVERED_QUALITY_ISS\#
UE","UNDELIVERED_WRONG_ITEM","UNDELIVERED_SERVER_OUTAGE","UNDELIVERED_OTHER"]}},{"name":"sampleCon\#
tentProvided","summary":"Whether the customer could try it before.","required":true,"schema":{"typ\#
e":"boolean"}},{"name":"consumptionPercentage","summary":"How much of it is used, in thousandths o\#
f a percent.","schema":{"type":"integer","minimum":0,"maximum":100000}},{"name":"refundPreference"\#
,"summary":"What the app's maker would like.","schema":{"type":"string","enum":["DECLINE","GRANT_F\#
ULL","GRANT_PRORATED"]}},{"name":"bundleId","summary":"One of the configured apps; whichever knows\#
 the transaction when absent.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"t\#
ype":"object","properties":{"success":{"type":"boolean","description":"Whether the store has taken\#
 it."},"errorCode":{"type":"integer","description":"Apple's number of the error, where it has not.\#
"},"errorMessage":{"type":"string","description":"Apple's words for it."}},"required":["success"]}\#
},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalErro\#
r"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref\#
":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compone\#
nts/errors/NotFound"}],"examples":[{"name":"half of it is used","params":[{"name":"transactionId",\#
"value":"2000000000000001"},{"name":"customerConsented","value":true},{"name":"deliveryStatus","va\#
lue":"DELIVERED"},{"name":"sampleContentProvided","value":false},{"name":"consumptionPercentage","\#
value":50000},{"name":"refundPreference","value":"GRANT_PRORATED"}],"result":{"name":"result","val\#
ue":{"success":true}}}]},{"name":"extendRenewal","summary":"Give a subscriber days, by the store i\#
tself.","description":"Apple does so for a subscription that is paid, twice in 365 days for a cust\#
omer. A request that Apple did not answer is not repeated, because it may have been carried out. N\#
eeds apple.api in the configuration.","x-role":"support","paramStructure":"by-name","params":[{"na\#
me":"transactionId","summary":"Any transaction of the subscription, or its originalTransactionId."\#
,"required":true,"schema":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]\#
+$"}},{"name":"extendByDays","summary":"How many.","required":true,"schema":{"type":"integer","min\#
imum":1,"maximum":90}},{"name":"extendReasonCode","summary":"Why: 0 undeclared, 1 customer satisfa\#
ction, 2 other, 3 a service issue.","required":true,"schema":{"type":"integer","minimum":0,"maximu\#
m":3}},{"name":"requestIdentifier","summary":"What Apple calls this request; made up when absent."\#
,"schema":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9_-]+$"}},{"name":"b\#
undleId","summary":"One of the configured apps; whichever knows the transaction when absent.","sch\#
ema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"succes\#
s":{"type":"boolean","description":"Whether the store has taken it."},"originalTransactionId":{"ty\#
pe":"string","description":"The subscription."},"webOrderLineItemId":{"type":["string","null"],"de\#
scription":"The period."},"effectiveDate":{"oneOf":[{"$ref":"#/components/schemas/Time"},{"type":"\#
null"}]},"requestIdentifier":{"type":"string","description":"What Apple calls this request."},"err\#
orCode":{"type":"integer","description":"Apple's number of the error, where it has not."},"errorMe\#
ssage":{"type":"string","description":"Apple's words for it."}},"required":["success"]}},"errors":\#
[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compon\#
ents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/\#
NotFound"}],"examples":[{"name":"a week for an outage","params":[{"name":"transactionId","value":"\#
2000000000000001"},{"name":"extendByDays","value":7},{"name":"extendReasonCode","value":3},{"name"\#
:"requestIdentifier","value":"outage-2026-02"}],"result":{"name":"result","value":{"success":true,\#
"originalTransactionId":"2000000000000001","webOrderLineItemId":"2000000000000011","effectiveDate"\#
:"2026-03-22T10:00:00.000Z","requestIdentifier":"outage-2026-02"}}},{"name":"twice already","param\#
s":[{"name":"transactionId","value":"2000000000000001"},{"name":"extendByDays","value":7},{"name":\#
"extendReasonCode","value":1}],"result":{"name":"result","value":{"success":false,"errorCode":4030\#
005,"errorMessage":"Forbidden - subscription has reached maximum extension count."}}}]},{"name":"d\#
ump","summary":"A page of what is kept.","description":"Values are decoded. A page ends early wher\#
e the reply would be longer than a frame, so only a null cursor says that it was the last.","x-rol\#
e":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"Only this table; all of\#
 them when absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only keys that begin s\#
o.","schema":{"type":"string"}},{"name":"cursor","summary":"Where the page before ended.","schema"\#
:{"type":"string"}},{"name":"limit","summary":"How many rows at most.","schema":{"type":"integer",\#
"minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"type":"object","pro\#
perties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/c\#
omponents/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For the next page; null\#
 after the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/er\#
rors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Per\#
missionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"\#
},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token","params":[{"name\#
":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result","value":{"seq":4\#
2,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"ali\#
ce"}}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramStructure":"by\#
-name","params":[{"name":"table","summary":"The table.","required":true,"schema":{"type":"string"}\#
},{"name":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties":{"value":{\#
"description":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/components/errors\#
/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permiss\#
ionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"\#
$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"nam\#
e":"whose token it is","params":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee36\#
-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}]}\#
,{"name":"load","summary":"Take in rows as dump writes them.","description":"One call is one entry\#
 of the journal: all of it or nothing. A row that is here with another value refuses the call, wit\#
h its place in data.index; one that is equal counts as loaded. Rows of meta, alarms, ticks and tom\#
bstones are passed over. Load every page of a dump before the users come.","x-role":"admin","param\#
Structure":"by-name","params":[{"name":"entries","summary":"The rows.","required":true,"schema":{"\#
type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/components/schemas/Row"}}}],"result"\#
:{"name":"result","schema":{"type":"object","properties":{"loaded":{"type":"integer","minimum":0,"\#
description":"How many rows are now as they were to be."}},"required":["loaded"]}},"errors":[{"$re\#
f":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/co\#
mponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/e\#
rrors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overl\#
oaded"}],"examples":[{"name":"a token","params":[{"name":"entries","value":[{"table":"tokens","key\#
":"5f0c6a3e-9d3b-8c55-a6f1-0d6c7a1be201","value":{"userId":"bob"}}]}],"result":{"name":"result","v\#
alue":{"loaded":1}}}]},{"name":"eraseUser","summary":"Forgets a person.","description":"Every row \#
about the person goes; the rows of the journal keep amounts, and a pseudonym in the place of the u\#
ser id, the tokens and the ids of the store. What stores say of the person later is answered and n\#
ot kept, until registerAccount names the person again; then free credits are not given a second ti\#
me. Backups made before still hold the person.","x-role":"admin","paramStructure":"by-name","param\#
s":[{"name":"userId","summary":"Whom to forget.","required":true,"schema":{"$ref":"#/components/sc\#
hemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"erased":{"type\#
":"boolean","description":"Whether there was somebody to forget."},"seq":{"$ref":"#/components/sch\#
emas/Seq"}},"required":["erased","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{\#
"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref\#
":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/component\#
s/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/Owne\#
rshipConflict"}],"examples":[{"name":"Forgotten","params":[{"name":"userId","value":"user-1"}],"re\#
sult":{"name":"result","value":{"erased":true,"seq":4021}}}]},{"name":"exportUser","summary":"Ever\#
ything kept about a person.","description":"One reply for most people. Where it would be longer th\#
an a frame, the lists go on on the next page; the account stands on every page.","x-role":"admin",\#
"paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schem\#
a":{"$ref":"#/components/schemas/UserId"}},{"name":"cursor","summary":"Where the page before ended\#
.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{\#
"userId":{"$ref":"#/components/schemas/UserId"},"account":{"type":["object","null"],"description":\#
"As dump writes it; null, and nothing else, for a user of whom nothing is kept."},"seq":{"$ref":"#\#
/components/schemas/Seq"},"oldest":{"allOf":[{"$ref":"#/components/schemas/Time"}],"description":"\#
Where the journal was pruned before this moment: earlier events are not kept."},"tokens":{"type":"\#
array","description":"Their tokens."},"subscriptions":{"type":"array","description":"With their fa\#
cts, as dump writes them."},"settlements":{"type":"array","description":"First answers under their\#
 keys."},"reservations":{"type":"array","description":"Credits that were held."},"packs":{"type":"\#
array","description":"Credit packs."},"events":{"type":"array","description":"The journal's entrie\#
s about them, oldest first."},"cursor":{"type":["string","null"],"description":"For the next page;\#
 null after the last."}},"required":["userId","account"]}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/Overloaded"}],"examples":[{"name":"nobody","params":[{"name":"userId","v\#
alue":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","account":null}}}]},{"name":\#
"backup","summary":"Copy one consistent state into a new directory.","description":"Made under ano\#
ther name, flushed, verified by replaying its journal, then renamed. Writes go on meanwhile. One a\#
t a time.","x-role":"admin","paramStructure":"by-name","params":[{"name":"path","summary":"Absolut\#
e, on the daemon's host, not there yet; it becomes a data directory.","required":true,"schema":{"t\#
ype":"string"}}],"result":{"name":"result","schema":{"type":"object","properties":{"path":{"type":\#
"string"},"bytes":{"type":"integer","minimum":1,"description":"The bytes of its files."},"digest":\#
{"type":"string","pattern":"^[0-9a-f]{64}$","description":"SHA-256 of data.mdb, then the journal's\#
 segments in their order, then base/data.mdb where there is one."},"seq":{"$ref":"#/components/sch\#
emas/Seq"}},"required":["path","bytes","digest","seq"]}},"errors":[{"$ref":"#/components/errors/In\#
validParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$re\#
f":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"nam\#
e":"every night","params":[{"name":"path","value":"/var/backups/entitld/2026-02-15"}],"result":{"n\#
ame":"result","value":{"path":"/var/backups/entitld/2026-02-15","bytes":196608,"digest":"9f86d0818\#
84c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seq":41}}}]},{"name":"setLogLevel","summ\#
ary":"Change what is logged, until the configuration is read again.","x-role":"admin","paramStruct\#
ure":"by-name","params":[{"name":"level","summary":"The least level.","required":true,"schema":{"t\#
ype":"string","enum":["trace","debug","info","notice","warning","error","critical"]}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"level":{"type":"string"}},"required":["lev\#
el"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Interna\#
lError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{\#
"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[\#
{"name":"more","params":[{"name":"level","value":"debug"}],"result":{"name":"result","value":{"lev\#
el":"debug"}}}]},{"name":"stats","summary":"Figures about the daemon.","x-role":"support","paramSt\#
ructure":"by-name","params":[],"result":{"name":"stats","schema":{"type":"object","properties":{"v\#
ersion":{"type":"string"},"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"type":"integ\#
er"},"catalogVersion":{"type":"integer"},"plans":{"type":"array","items":{"type":"string"}},"comma\#
nds":{"type":"integer"},"groups":{"type":"integer"},"queueDepth":{"type":"integer"},"storageFull":\#
{"type":"boolean"},"clockJumps":{"type":"integer"},"journal":{"type":"object","properties":{"bytes\#
":{"type":"integer"},"prunedSeq":{"type":"integer","description":"The newest position that was pru\#
ned; 0 while everything is there."},"oldest":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type\#
":"null"}],"description":"From when on everything is known; null while everything is there."}},"re\#
quired":["bytes","prunedSeq","oldest"]},"views":{"type":"object","properties":{"mapBytes":{"type":\#
"integer"},"usedBytes":{"type":"integer"},"readers":{"type":"integer"}},"required":["mapBytes","us\#
edBytes","readers"]},"space":{"type":"object","description":"The space that is left: of the views'\#
 map, and of the disk.","properties":{"map":{"$ref":"#/components/schemas/Space"},"disk":{"$ref":"\#
#/components/schemas/Space"}}}},"required":["version","seq","uptimeSeconds","catalogVersion","plan\#
s","commands","groups","queueDepth","storageFull","clockJumps","journal","views","space"],"descrip\#
tion":"The set grows."}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compone\#
nts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/e\#
rrors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overload\#
ed"}],"examples":[{"name":"a small one","params":[],"result":{"name":"result","value":{"version":"\#
0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["free","paid","premium"],"commands"\#
:42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":0,"journal":{"bytes":65536,"pruned\#
Seq":0,"oldest":null},"views":{"mapBytes":1099511627776,"usedBytes":81920,"readers":3},"space":{"m\#
ap":{"bytes":1099511627776,"freeBytes":1099511545856,"bytesPerDay":null,"daysLeft":null},"disk":{"\#
bytes":107374182400,"freeBytes":53687091200,"bytesPerDay":268435456,"daysLeft":200}}}}}]},{"name":\#
"reconcile","summary":"Ask the store what was missed.","description":"Needs apple.api in the confi\#
guration. Without a user it is for support. About one user the store is asked at most once in 60 s\#
; in between the present status is answered, and applied is false.","x-role":"app","paramStructure\#
":"by-name","params":[{"name":"userId","summary":"About this user, and wait; without, begin a roun\#
d through everything.","schema":{"$ref":"#/components/schemas/UserId"}}],"result":{"name":"result"\#
,"schema":{"type":"object","properties":{"applied":{"type":"boolean","description":"With a user: w\#
hether something was newer than what was kept."},"status":{"$ref":"#/components/schemas/Status"},"\#
running":{"type":"boolean","description":"Without a user: true; progress is in stats."}},"required\#
":[]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Interna\#
lError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{\#
"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/c\#
omponents/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"one us\#
er","params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"applied":true,"\#
status":{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscripti\#
on":true,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400\#
,"retentionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00\#
:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"sub\#
scribed","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","en\#
vironment":"Production","originalTransactionId":"2000000000000001","transactionId":"20000000000000\#
01","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodEx\#
piresAt":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},\#
"seq":42}}}},{"name":"everything","params":[],"result":{"name":"result","value":{"running":true}}}\#
]},{"name":"testNotification","summary":"Ask Apple to send a test notification, and wait for it.",\#
"description":"The check of the set-up that every new operator wants. Needs apple.api in the confi\#
guration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"timeoutSeconds","summary\#
":"How long.","schema":{"type":"integer","minimum":1,"maximum":600,"default":60}}],"result":{"name\#
":"result","schema":{"type":"object","properties":{"delivered":{"type":"boolean","description":"Wh\#
ether Apple could deliver it here."},"sendAttemptResult":{"type":["string","null"],"description":"\#
What Apple says of the attempt."}},"required":["delivered","sendAttemptResult"]}},"errors":[{"$ref\#
":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/com\#
ponents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/er\#
rors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overlo\#
aded"}],"examples":[{"name":"it works","params":[],"result":{"name":"result","value":{"delivered":\#
true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping","summary":"Whether the daemon answers.","de\#
scription":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name"\#
,"params":[],"result":{"name":"nothing","schema":{"type":"object"}},"errors":[{"$ref":"#/component\#
s/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/err\#
ors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{"name":"result","value":{}}}]},\#
{"name":"version","summary":"Which daemon answers.","description":"Answers before the daemon is re\#
ady, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"versions","s\#
chema":{"type":"object","properties":{"entitld":{"type":"string","description":"The daemon's versi\#
on."},"protocol":{"type":"string","description":"The major version of the protocol: of frames, met\#
hods and words."},"format":{"type":"integer","description":"The version of what is on disk."}},"re\#
quired":["entitld","protocol","format"]}},"errors":[{"$ref":"#/components/errors/InternalError"},{\#
"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"example\#
s":[{"name":"version","params":[],"result":{"name":"result","value":{"entitld":"0.1.0","protocol":\#
"1","format":1}}}]},{"name":"rpc.discover","summary":"This document.","x-role":"reader","paramStru\#
cture":"by-name","params":[],"result":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githu\#
busercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$ref":"#/components/errors\#
/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permiss\#
ionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"\#
$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"discover","summary":"The document is\#
 shortened.","params":[],"result":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":"ent\#
itld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string","mi\#
nLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 without control characters, comp\#
ared byte by byte."},"Token":{"type":"string","format":"uuid","description":"A UUID that a purchas\#
e carries; the all-zero one is none."},"Time":{"type":"string","format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC w\#
ith three decimals."},"Amount":{"type":"integer","minimum":1,"maximum":1000000000,"default":1},"Id\#
empotencyKey":{"type":"string","minLength":1,"maxLength":200,"description":"1 to 200 bytes. Its sc\#
ope is the user, over all methods."},"Seq":{"type":"integer","minimum":0,"description":"The journa\#
l position that the answer reflects."},"SignedDocument":{"type":"string","description":"A JWS in i\#
ts compact form, as the store signed it."},"State":{"type":"string","enum":["no_account","trial","\#
subscribed","free_with_credits","free_no_credits"],"description":"The first that matches: trial al\#
so when cancelled during the trial; subscribed is any other access by subscription, grace or grant\#
."},"RenderAnswer":{"type":"object","properties":{"canRender":{"type":"boolean"},"via":{"enum":["s\#
ubscription","grace","grant","credits","free",null],"description":"What lets the user in; null whe\#
re nothing does. free: the plan free names the feature."},"state":{"$ref":"#/components/schemas/St\#
ate"},"reason":{"enum":["no_account","not_in_plan","unknown_product","sandbox_not_admitted","revok\#
ed","billing_retry","expired","credits_exhausted","never_subscribed",null],"description":"Why not,\#
 the first that matches; null where canRender is true. not_in_plan: there is access, by a plan tha\#
t does not name the feature. unknown_product: something is paid for that no plan names. sandbox_no\#
t_admitted: apple.sandboxAccess does not let this user in."},"nextChangeAt":{"anyOf":[{"$ref":"#/c\#
omponents/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":[\#
"canRender","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","properties":{\#
"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"can\#
Render":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access by subscription,\#
 grace or grant, trials included."},"hadSubscription":{"type":"boolean","description":"Whether the\#
 user ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string",\#
"null"]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":{"type":["numbe\#
r","string","boolean","null"]},"description":"Those of the plan, as the catalog has them; null is \#
no limit."},"subscriptionMethod":{"type":["string","null"],"description":"What gives access now: a\#
pp_store_subscription, google_play, stripe, grant, or the store that a grant names; null where not\#
hing does."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"nextCha\#
ngeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"paywall":{"type":"string"\#
,"enum":["none","resubscribe","start_trial","subscribe"],"description":"What to offer: none with a\#
ccess by subscription, grace or grant, and to somebody who pays for a product that no plan names."\#
},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":{"\#
$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","hadSub\#
scription","creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextChangeA\#
t","paywall","subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"type"\#
:"string","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expir\#
ed"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"Fr\#
om the next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string",\#
"enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type"\#
:["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]}\#
,"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresA\#
t":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean"\#
,"null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"\#
},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"\#
stale":{"type":"boolean","description":"A renewal is due and the store has not been heard."}},"req\#
uired":["status","productId","pendingProductId","store","environment","originalTransactionId","tra\#
nsactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","\#
revokedAt","stale"]},"OwnedSubscription":{"type":"object","properties":{"status":{"type":"string",\#
"enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expired"]},"pro\#
ductId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"From the nex\#
t renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string","enum":["P\#
roduction","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type":["string"\#
,"null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expiresA\#
t":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf\#
":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"]},\#
"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":\#
"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":{"t\#
ype":"boolean","description":"A renewal is due and the store has not been heard."},"group":{"type"\#
:["string","null"],"description":"The group of subscriptions of which a customer has one at a time\#
."},"ownership":{"type":["string","null"],"description":"PURCHASED or FAMILY_SHARED, as the store \#
writes it."},"offer":{"anyOf":[{"type":"object","properties":{"type":{"type":["integer","null"],"d\#
escription":"1 introductory, 2 promotional, 3 offer code, 4 win-back."},"id":{"type":["string","nu\#
ll"]},"discount":{"type":["string","null"],"description":"FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT \#
or ONE_TIME."},"period":{"type":["string","null"],"description":"A duration of ISO 8601."}},"requi\#
red":["type","id","discount","period"]},{"type":"null"}]},"price":{"type":["integer","null"],"desc\#
ription":"In thousandths of the currency."},"currency":{"type":["string","null"]},"storefront":{"t\#
ype":["string","null"],"description":"The country, in letters of ISO 3166."},"billingPlan":{"type"\#
:["string","null"],"description":"BILLED_UPFRONT or MONTHLY, as the store writes it."},"commitment\#
ExpiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}],"description":"The end \#
of the payments to which the customer is bound."},"givesAccess":{"type":"boolean"}},"required":["s\#
tatus","productId","pendingProductId","store","environment","originalTransactionId","transactionId\#
","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revokedAt"\#
,"stale","group","ownership","offer","price","currency","storefront","billingPlan","commitmentExpi\#
resAt","givesAccess"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},\#
"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactio\#
nId":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required"\#
:["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type\#
":"string"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row"\#
:{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowK\#
ey"},"value":{"description":"The decoded value."}},"required":["table","key","value"]},"Space":{"t\#
ype":"object","properties":{"bytes":{"type":"integer"},"freeBytes":{"type":"integer"},"bytesPerDay\#
":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"What is taken in a day, less what i\#
s given back; null in the first hour."},"daysLeft":{"anyOf":[{"type":"integer"},{"type":"null"}],"\#
description":"How many days the rest lasts at that rate; null where nothing is taken, or in the fi\#
rst hour."}},"required":["bytes","freeBytes","bytesPerDay","daysLeft"]}},"errors":{"ParseError":{"\#
code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retryable":false}},"\#
InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code":"invalid_requ\#
est","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no such method.","dat\#
a":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"message":"A para\#
meter is missing, unknown or not what it should be.","data":{"code":"invalid_params","retryable":f\#
alse}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code":"internal_erro\#
r","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's role does not inc\#
lude the method.","data":{"code":"permission_denied","retryable":false}},"NotReady":{"code":-32002\#
,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":true}},"ShuttingD\#
own":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutting_down","retry\#
able":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","data":{"code":"st\#
orage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The document does no\#
t verify.","data":{"code":"verification_failed","retryable":false,"reason":"signature"}},"Ownershi\#
pConflict":{"code":-32021,"message":"The purchase is another user's.","data":{"code":"ownership_co\#
nflict","retryable":false,"reason":"owned"}},"ClaimMismatch":{"code":-32022,"message":"What is cla\#
imed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"field":"prod\#
uctId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other arguments.","\#
data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"message":"Ther\#
e is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded":{"code":-3\#
2029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":true,"retryAft\#
erMs":100}}}}}
"""#
}
