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
"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],"\#
result":{"name":"status","schema":{"$ref":"#/components/schemas/Status"}},"errors":[{"$ref":"#/com\#
ponents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/\#
errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shu\#
ttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a subscriber","params"\#
:[{"name":"userId","value":"alice"}],"result":{"name":"result","value":{"userId":"alice","state":"\#
subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan\#
":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptio\#
nMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-1\#
5T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.example.p\#
remium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","originalTr\#
ansactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00\#
:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isT\#
rial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42}}},{"name":"nobody","param\#
s":[{"name":"userId","value":"nobody"}],"result":{"name":"result","value":{"userId":"nobody","stat\#
e":"no_account","canRender":false,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":\#
0,"plan":null,"tier":"free","limits":{},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":\#
null,"paywall":"subscribe","subscription":null,"seq":42}}}]},{"name":"getEntitlement","summary":"T\#
he access by a purchase or a grant.","x-role":"reader","paramStructure":"by-name","params":[{"name\#
":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}]\#
,"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/compon\#
ents/schemas/Entitlement"}},"required":["entitlement"]}},"errors":[{"$ref":"#/components/errors/In\#
validParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$re\#
f":"#/components/errors/Overloaded"}],"examples":[{"name":"a subscriber","params":[{"name":"userId\#
","value":"alice"}],"result":{"name":"result","value":{"entitlement":{"isActive":true,"productId":\#
"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","originalTransactionId":"2000\#
000000000001","environment":"Production"}}}},{"name":"nobody","params":[{"name":"userId","value":"\#
nobody"}],"result":{"name":"result","value":{"entitlement":{"isActive":false}}}}]},{"name":"getMan\#
agementURL","summary":"Where a user manages the subscription.","x-role":"reader","paramStructure":\#
"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/com\#
ponents/schemas/UserId"}},{"name":"platform","summary":"Where the user reads the page; without it,\#
 that of the store of the subscription shown.","schema":{"type":"string","enum":["ios","android","\#
web"]}}],"result":{"name":"result","schema":{"type":"object","properties":{"url":{"type":["string"\#
,"null"]}},"required":["url"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/\#
components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compo\#
nents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/O\#
verloaded"}],"examples":[{"name":"an App Store subscriber","params":[{"name":"userId","value":"ali\#
ce"},{"name":"platform","value":"ios"}],"result":{"name":"result","value":{"url":"https://apps.app\#
le.com/account/subscriptions"}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"r\#
esult":{"name":"result","value":{"url":null}}}]},{"name":"registerAccount","summary":"Begin a user\#
's account, or link another token to it.","description":"Free credits come with the first call for\#
 a user. Purchases with the token that nobody owns become the user's. Repeating it is safe.","x-ro\#
le":"app","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":t\#
rue,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"appAccountToken","summary":"The toke\#
n; derived from the user when absent.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{\#
"name":"result","schema":{"type":"object","properties":{"appAccountToken":{"$ref":"#/components/sc\#
hemas/Token"},"created":{"type":"boolean","description":"Whether this call began the account."},"c\#
reditsRemaining":{"type":"integer"}},"required":["appAccountToken","created","creditsRemaining"]}}\#
,"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError\#
"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref"\#
:"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/compone\#
nts/errors/OwnershipConflict"}],"examples":[{"name":"the first time","params":[{"name":"userId","v\#
alue":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-7908\#
40cec83b","created":true,"creditsRemaining":3}}},{"name":"again","params":[{"name":"userId","value\#
":"alice"}],"result":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840ce\#
c83b","created":false,"creditsRemaining":3}}}]},{"name":"verifyPurchase","summary":"Link a signed \#
purchase to a user.","description":"A claim that differs from what is signed is refused. A purchas\#
e is never taken from another user. Repeating it is safe.","x-role":"app","paramStructure":"by-nam\#
e","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components\#
/schemas/UserId"}},{"name":"signedTransaction","summary":"The store's signed transaction.","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo","sum\#
mary":"The store's signed renewal information.","schema":{"$ref":"#/components/schemas/SignedDocum\#
ent"}},{"name":"productId","summary":"Claim: which product was bought.","schema":{"type":"string"}\#
},{"name":"transactionId","summary":"Claim: the store's name for the transaction.","schema":{"type\#
":"string"}},{"name":"originalTransactionId","summary":"Claim: the store's name for the subscripti\#
on.","schema":{"type":"string"}},{"name":"appAccountToken","summary":"Claim: the token that the pu\#
rchase was made with; names a signed token of nobody.","schema":{"$ref":"#/components/schemas/Toke\#
n"}}],"result":{"name":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/c\#
omponents/schemas/Entitlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"type":\#
"boolean","description":"Whether a document was newer than what is kept."}},"required":["entitleme\#
nt","status","applied"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compon\#
ents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/\#
errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storage\#
Full"},{"$ref":"#/components/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipCon\#
flict"},{"$ref":"#/components/errors/ClaimMismatch"}],"examples":[{"name":"a new purchase","summar\#
y":"The document is shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransac\#
tion","value":"eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","val\#
ue":{"entitlement":{"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03\#
-15T10:00:00.000Z","originalTransactionId":"2000000000000001","environment":"Production"},"status"\#
:{"userId":"alice","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":tru\#
e,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"reten\#
tionDays":null},"subscriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000\#
Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed\#
","productId":"com.example.premium.monthly","pendingProductId":null,"store":"app_store","environme\#
nt":"Production","originalTransactionId":"2000000000000001","transactionId":"2000000000000001","pu\#
rchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt\#
":null,"autoRenew":true,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":4\#
2},"applied":true}}}]},{"name":"grantEntitlement","summary":"Give a user the access of a plan.","d\#
escription":"An unknown plan is invalid_params. A repeated key with the same parameters gets the f\#
irst answer, with others idempotency_mismatch.","x-role":"admin","paramStructure":"by-name","param\#
s":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/\#
UserId"}},{"name":"plan","summary":"A plan of the catalog.","required":true,"schema":{"type":"stri\#
ng"}},{"name":"idempotencyKey","summary":"The same key never makes a second grant.","required":tru\#
e,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.\#
","schema":{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","summary":"The beginning; now \#
when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"store","summary":"What `subs\#
criptionMethod` shows instead of grant.","schema":{"type":"string"}},{"name":"reason","summary":"W\#
hy, for the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"obj\#
ect","properties":{"grant":{"type":"string","description":"The grant's name, for revokeGrant."},"s\#
tatus":{"$ref":"#/components/schemas/Status"},"replayed":{"type":"boolean","description":"Whether \#
this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"req\#
uired":["grant","status","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"\#
},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$\#
ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/compon\#
ents/errors/StorageFull"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":\#
"a month of premium","params":[{"name":"userId","value":"bob"},{"name":"plan","value":"premium"},{\#
"name":"idempotencyKey","value":"support-4711"},{"name":"expiresAt","value":"2026-03-15T10:00:00.0\#
00Z"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"grant":"43","sta\#
tus":{"userId":"bob","state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":f\#
alse,"creditsRemaining":3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"re\#
tentionDays":null},"subscriptionMethod":"grant","expiresAt":"2026-03-15T10:00:00.000Z","nextChange\#
At":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":null,"seq":43},"replayed":false,"se\#
q":43}}}]},{"name":"revokeGrant","summary":"Take a grant back.","x-role":"admin","paramStructure":\#
"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/com\#
ponents/schemas/UserId"}},{"name":"grant","summary":"The grant's name.","required":true,"schema":{\#
"type":"string"}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],\#
"result":{"name":"result","schema":{"type":"object","properties":{"status":{"$ref":"#/components/s\#
chemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["status","seq"]}},"errors":\#
[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compon\#
ents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors\#
/NotFound"}],"examples":[{"name":"take it back","params":[{"name":"userId","value":"bob"},{"name":\#
"grant","value":"43"}],"result":{"name":"result","value":{"status":{"userId":"bob","state":"free_w\#
ith_credits","canRender":true,"isSubscriber":false,"hadSubscription":false,"creditsRemaining":3,"p\#
lan":"free","tier":"free","limits":{"storageBytes":262144000,"retentionDays":7},"subscriptionMetho\#
d":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscribe","subscription":null,"seq":44},"\#
seq":44}}}]},{"name":"dump","summary":"A page of what is kept.","description":"Values are decoded.\#
 A page ends early where the reply would be longer than a frame, so only a null cursor says that i\#
t was the last.","x-role":"admin","paramStructure":"by-name","params":[{"name":"table","summary":"\#
Only this table; all of them when absent.","schema":{"type":"string"}},{"name":"prefix","summary":\#
"Only keys that begin so.","schema":{"type":"string"}},{"name":"cursor","summary":"Where the page \#
before ended.","schema":{"type":"string"}},{"name":"limit","summary":"How many rows at most.","sch\#
ema":{"type":"integer","minimum":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema\#
":{"type":"object","properties":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"arra\#
y","items":{"$ref":"#/components/schemas/Row"}},"cursor":{"type":["string","null"],"description":"\#
For the next page; null after the last row."}},"required":["seq","entries","cursor"]}},"errors":[{\#
"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"\#
#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/componen\#
ts/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"the only \#
token","params":[{"name":"table","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"r\#
esult","value":{"seq":42,"entries":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b"\#
,"value":"alice"}],"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramSt\#
ructure":"by-name","params":[{"name":"table","summary":"The table.","required":true,"schema":{"typ\#
e":"string"}},{"name":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref\#
":"#/components/schemas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties\#
":{"value":{"description":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/compo\#
nents/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/er\#
rors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutt\#
ingDown"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"exam\#
ples":[{"name":"whose token it is","params":[{"name":"table","value":"tokens"},{"name":"key","valu\#
e":"0640ee36-9aef-80b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":"alice"}}}]\#
},{"name":"stats","summary":"Figures about the daemon.","x-role":"admin","paramStructure":"by-name\#
","params":[],"result":{"name":"stats","schema":{"type":"object","description":"Names and figures;\#
 the set grows.","properties":{"seq":{"$ref":"#/components/schemas/Seq"}},"required":["seq"],"addi\#
tionalProperties":true}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compone\#
nts/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/e\#
rrors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overload\#
ed"}],"examples":[{"name":"a small one","params":[],"result":{"name":"result","value":{"seq":42}}}\#
]},{"name":"ping","summary":"Whether the daemon answers.","description":"Answers before the daemon\#
 is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"nothin\#
g","schema":{"type":"object"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/c\#
omponents/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name"\#
:"ping","params":[],"result":{"name":"result","value":{}}}]},{"name":"version","summary":"Which da\#
emon answers.","description":"Answers before the daemon is ready, too.","x-role":"reader","paramSt\#
ructure":"by-name","params":[],"result":{"name":"versions","schema":{"type":"object","properties":\#
{"version":{"type":"string","description":"The daemon's version."},"api":{"type":"string","descrip\#
tion":"The version of this document, `info.version`."}},"required":["version","api"],"additionalPr\#
operties":{"type":["string","integer"]}}},"errors":[{"$ref":"#/components/errors/InternalError"},{\#
"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"example\#
s":[{"name":"version","params":[],"result":{"name":"result","value":{"version":"0.1.0","api":"0.1.\#
0"}}}]},{"name":"rpc.discover","summary":"This document.","x-role":"reader","paramStructure":"by-n\#
ame","params":[],"result":{"name":"OpenRPC Schema","schema":{"$ref":"https://raw.githubusercontent\#
.com/open-rpc/meta-schema/master/schema.json"}},"errors":[{"$ref":"#/components/errors/InvalidPara\#
ms"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},\#
{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/com\#
ponents/errors/Overloaded"}],"examples":[{"name":"discover","summary":"The document is shortened."\#
,"params":[],"result":{"name":"result","value":{"openrpc":"1.3.2","info":{"title":"entitld","versi\#
on":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":{"UserId":{"type":"string","minLength":1,"\#
maxLength":256,"description":"1 to 256 bytes of UTF-8 without control characters, compared byte by\#
 byte."},"Token":{"type":"string","format":"uuid","description":"A UUID that a purchase carries; t\#
he all-zero one is none."},"Time":{"type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","description":"ISO 8601 in UTC with three de\#
cimals."},"Amount":{"type":"integer","minimum":1,"maximum":1000000000,"default":1},"IdempotencyKey\#
":{"type":"string","minLength":1,"maxLength":200,"description":"1 to 200 bytes. Its scope is the u\#
ser, over all methods."},"Seq":{"type":"integer","minimum":0,"description":"The journal position t\#
hat the answer reflects."},"SignedDocument":{"type":"string","description":"A JWS in its compact f\#
orm, as the store signed it."},"State":{"type":"string","enum":["no_account","trial","subscribed",\#
"free_with_credits","free_no_credits"],"description":"The first that matches: trial also when canc\#
elled during the trial; subscribed is any other access by subscription, grace or grant."},"RenderA\#
nswer":{"type":"object","properties":{"canRender":{"type":"boolean"},"via":{"enum":["subscription"\#
,"grace","grant","credits",null],"description":"What gives the access; null without it."},"state":\#
{"$ref":"#/components/schemas/State"},"reason":{"enum":["no_account","revoked","billing_retry","ex\#
pired","credits_exhausted","never_subscribed",null],"description":"Why not; null with access."},"n\#
extChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/com\#
ponents/schemas/Seq"}},"required":["canRender","via","state","reason","nextChangeAt","seq"]},"Stat\#
us":{"type":"object","properties":{"userId":{"$ref":"#/components/schemas/UserId"},"state":{"$ref"\#
:"#/components/schemas/State"},"canRender":{"type":"boolean"},"isSubscriber":{"type":"boolean","de\#
scription":"Access by subscription, grace or grant, trials included."},"hadSubscription":{"type":"\#
boolean","description":"Whether the user ever owned a subscription."},"creditsRemaining":{"type":"\#
integer"},"plan":{"type":["string","null"]},"tier":{"type":"string"},"limits":{"type":"object","ad\#
ditionalProperties":{"type":["integer","null"]},"description":"Those of the plan; null is no limit\#
."},"subscriptionMethod":{"type":["string","null"],"description":"app_store_subscription, google_p\#
lay, stripe, grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$ref":"#/components\#
/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"\#
type":"null"}]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"]\#
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
revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},"p\#
roductId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactionI\#
d":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required":[\#
"isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type":\#
"string"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row":{\#
"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowKey\#
"},"value":{"description":"The decoded value."}},"required":["table","key","value"]}},"errors":{"P\#
arseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retryab\#
le":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code":\#
"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no such \#
method.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"mes\#
sage":"A parameter is missing, unknown or not what it should be.","data":{"code":"invalid_params",\#
"retryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code":"\#
internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's role\#
 does not include the method.","data":{"code":"permission_denied","retryable":false}},"NotReady":{\#
"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":true\#
}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutting\#
_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","data\#
":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The doc\#
ument does not verify.","data":{"code":"verification_failed","retryable":false,"reason":"signature\#
"}},"OwnershipConflict":{"code":-32021,"message":"The purchase, or the token, is another user's.",\#
"data":{"code":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":-32022,"message":"\#
What is claimed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"f\#
ield":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other ar\#
guments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"mes\#
sage":"There is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded"\#
:{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":tru\#
e,"retryAfterMs":100}}}}}
"""#
}
