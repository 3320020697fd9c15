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
criptionMethod` shows instead of grant.","schema":{"type":"string","enum":["app_store","google_pla\#
y","stripe"]}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"re\#
sult":{"name":"result","schema":{"type":"object","properties":{"grant":{"type":"string","descripti\#
on":"The grant's name, for revokeGrant."},"status":{"$ref":"#/components/schemas/Status"},"replaye\#
d":{"type":"boolean","description":"Whether this is the stored first answer to the same key."},"se\#
q":{"$ref":"#/components/schemas/Seq"}},"required":["grant","status","replayed","seq"]}},"errors":\#
[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref"\#
:"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compon\#
ents/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors\#
/IdempotencyMismatch"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","value\#
":"bob"},{"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name\#
":"expiresAt","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result"\#
:{"name":"result","value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRender"\#
:true,"isSubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"pa\#
id","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","expi\#
resAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subs\#
cription":null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a gr\#
ant back.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The u\#
ser.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"grant","summary":"\#
The grant's name.","required":true,"schema":{"type":"string"}},{"name":"reason","summary":"Why, fo\#
r the history.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","\#
properties":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/S\#
eq"}},"required":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref"\#
:"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/c\#
omponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/erro\#
rs/StorageFull"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"take it back","para\#
ms":[{"name":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","va\#
lue":{"status":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":false,"\#
hadSubscription":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":2\#
62144000,"retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywal\#
l":"subscribe","subscription":null,"seq":44},"seq":44}}}]},{"name":"dump","summary":"A page of wha\#
t is kept.","description":"Values are decoded. A page ends early where the reply would be longer t\#
han a frame, so only a null cursor says that it was the last.","x-role":"admin","paramStructure":"\#
by-name","params":[{"name":"table","summary":"Only this table; all of them when absent.","schema":\#
{"type":"string"}},{"name":"prefix","summary":"Only keys that begin so.","schema":{"type":"string"\#
}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type":"string"}},{"name":"\#
limit","summary":"How many rows at most.","schema":{"type":"integer","minimum":1,"maximum":1000,"d\#
efault":100}}],"result":{"name":"page","schema":{"type":"object","properties":{"seq":{"$ref":"#/co\#
mponents/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/components/schemas/Row"}},"cur\#
sor":{"type":["string","null"],"description":"For the next page; null after the last row."}},"requ\#
ired":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":\#
"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/co\#
mponents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/error\#
s/Overloaded"}],"examples":[{"name":"the only token","params":[{"name":"table","value":"tokens"},{\#
"name":"limit","value":2}],"result":{"name":"result","value":{"seq":42,"entries":[{"table":"tokens\#
","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],"cursor":null}}}]},{"n\#
ame":"get","summary":"One row.","x-role":"admin","paramStructure":"by-name","params":[{"name":"tab\#
le","summary":"The table.","required":true,"schema":{"type":"string"}},{"name":"key","summary":"Th\#
e key, as dump shows it.","required":true,"schema":{"$ref":"#/components/schemas/RowKey"}}],"resul\#
t":{"name":"result","schema":{"type":"object","properties":{"value":{"description":"The decoded va\#
lue."}},"required":["value"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/c\#
omponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/compon\#
ents/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Ov\#
erloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"whose token it is","param\#
s":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-80b6-aa42-790840cec83b"\#
}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name":"stats","summary":"F\#
igures about the daemon.","x-role":"admin","paramStructure":"by-name","params":[],"result":{"name"\#
:"stats","schema":{"type":"object","properties":{"version":{"type":"string"},"seq":{"$ref":"#/comp\#
onents/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"type":"integer"},"plans\#
":{"type":"array","items":{"type":"string"}},"commands":{"type":"integer"},"groups":{"type":"integ\#
er"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clockJumps":{"type":"intege\#
r"},"views":{"type":"object","properties":{"mapBytes":{"type":"integer"},"usedBytes":{"type":"inte\#
ger"},"readers":{"type":"integer"}},"required":["mapBytes","usedBytes","readers"]}},"required":["v\#
ersion","seq","uptimeSeconds","catalogVersion","plans","commands","groups","queueDepth","storageFu\#
ll","clockJumps","views"],"description":"The set grows."}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a small one","params":[],"result":{"n\#
ame":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalogVersion":1,"plans":["\#
free","paid","premium"],"commands":42,"groups":40,"queueDepth":0,"storageFull":false,"clockJumps":\#
0,"views":{"mapBytes":68719476736,"usedBytes":81920,"readers":3}}}}]},{"name":"ping","summary":"Wh\#
ether the daemon answers.","description":"Answers before the daemon is ready, too.","x-role":"read\#
er","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"type":"object"}},\#
"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDeni\#
ed"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params":[],"result":{"\#
name":"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","description":"A\#
nswers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-name","params":[],\#
"result":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"type":"string","de\#
scription":"The daemon's version."},"protocol":{"type":"string","description":"The major version o\#
f the protocol: of frames, methods and words."},"format":{"type":"integer","description":"The vers\#
ion of what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{"$ref":"#/compo\#
nents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components\#
/errors/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"result","value":\#
{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":"This document.\#
","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRPC Schema","sche\#
ma":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json"}},"errors"\#
:[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref\#
":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/compo\#
nents/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"discov\#
er","summary":"The document is shortened.","params":[],"result":{"name":"result","value":{"openrpc\#
":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"components":{"schemas":\#
{"UserId":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 bytes of UTF-8 wi\#
thout control characters, compared byte by byte."},"Token":{"type":"string","format":"uuid","descr\#
iption":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type":"string","form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$","d\#
escription":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","minimum":1,"maximu\#
m":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLength":200,"descri\#
ption":"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"integer","minimu\#
m":0,"description":"The journal position that the answer reflects."},"SignedDocument":{"type":"str\#
ing","description":"A JWS in its compact form, as the store signed it."},"State":{"type":"string",\#
"enum":["no_account","trial","subscribed","free_with_credits","free_no_credits"],"description":"Th\#
e first that matches: trial also when cancelled during the trial; subscribed is any other access b\#
y subscription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"canRender":{"type\#
":"boolean"},"via":{"enum":["subscription","grace","grant","credits",null],"description":"What giv\#
es the access; null without it."},"state":{"$ref":"#/components/schemas/State"},"reason":{"enum":[\#
"no_account","revoked","billing_retry","expired","credits_exhausted","never_subscribed",null],"des\#
cription":"Why not; null with access."},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Tim\#
e"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["canRender","via","st\#
ate","reason","nextChangeAt","seq"]},"Status":{"type":"object","properties":{"userId":{"$ref":"#/c\#
omponents/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"canRender":{"type":"bool\#
ean"},"isSubscriber":{"type":"boolean","description":"Access by subscription, grace or grant, tria\#
ls included."},"hadSubscription":{"type":"boolean","description":"Whether the user ever owned a su\#
bscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string","null"]},"tier":{"typ\#
e":"string"},"limits":{"type":"object","additionalProperties":{"type":["number","string","boolean"\#
,"null"]},"description":"Those of the plan, as the catalog has them; null is no limit."},"subscrip\#
tionMethod":{"type":["string","null"],"description":"app_store_subscription, google_play, stripe, \#
grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time\#
"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}\#
]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe"]},"subscripti\#
on":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":{"$ref":"#/comp\#
onents/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","hadSubscription","c\#
reditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextChangeAt","paywall",\#
"subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"type":"string","en\#
um":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","expired"]},"produc\#
tId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"From the next r\#
enewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string","enum":["Prod\#
uction","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"type":["string","n\#
ull"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"expiresAt":\#
{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpiresAt":{"anyOf":[\#
{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolean","null"]},"is\#
Trial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"nu\#
ll"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"stale":{"type\#
":"boolean","description":"A renewal is due and the store has not been heard."}},"required":["stat\#
us","productId","pendingProductId","store","environment","originalTransactionId","transactionId","\#
purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt","revokedAt","s\#
tale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},"productId":{"t\#
ype":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactionId":{"type":"s\#
tring"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required":["isActive"]},\#
"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type":"string"}},"r\#
equired":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row":{"type":"objec\#
t","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowKey"},"value":{"\#
description":"The decoded value."}},"required":["table","key","value"]}},"errors":{"ParseError":{"\#
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
pConflict":{"code":-32021,"message":"The purchase, or the token, is another user's.","data":{"code\#
":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":-32022,"message":"What is claim\#
ed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,"field":"produc\#
tId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other arguments.","da\#
ta":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"message":"There \#
is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloaded":{"code":-320\#
29,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":true,"retryAfter\#
Ms":100}}}}}
"""#
}
