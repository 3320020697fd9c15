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
nobody"}],"result":{"name":"result","value":{"entitlement":{"isActive":false}}}}]},{"name":"getCre\#
dits","summary":"A user's credits.","x-role":"reader","paramStructure":"by-name","params":[{"name"\#
:"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}}],\#
"result":{"name":"result","schema":{"type":"object","properties":{"balance":{"type":"integer","des\#
cription":"Spendable now, holds taken out."},"held":{"type":"integer","description":"Set aside by \#
reservations."},"buckets":{"type":"array","items":{"type":"object","properties":{"amount":{"type":\#
"integer"},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"source":{\#
"type":"string"}},"required":["amount","expiresAt","source"]},"description":"In the order of spend\#
ing: soonest end first."}},"required":["balance","held","buckets"]}},"errors":[{"$ref":"#/componen\#
ts/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/error\#
s/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/Shutting\#
Down"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"three free ones and a pack"\#
,"params":[{"name":"userId","value":"bob"}],"result":{"name":"result","value":{"balance":12,"held"\#
:1,"buckets":[{"amount":2,"expiresAt":"2026-03-15T10:00:00.000Z","source":"grant"},{"amount":10,"e\#
xpiresAt":null,"source":"pack:com.wearbloom.credits.10"}]}}}]},{"name":"getManagementURL","summary\#
":"Where a user manages the subscription.","x-role":"reader","paramStructure":"by-name","params":[\#
{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/User\#
Id"}},{"name":"platform","summary":"Where the user reads the page; without it, that of the store o\#
f the subscription shown.","schema":{"type":"string","enum":["ios","android","web"]}}],"result":{"\#
name":"result","schema":{"type":"object","properties":{"url":{"type":["string","null"]}},"required\#
":["url"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/In\#
ternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRead\#
y"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"exampl\#
es":[{"name":"an App Store subscriber","params":[{"name":"userId","value":"alice"},{"name":"platfo\#
rm","value":"ios"}],"result":{"name":"result","value":{"url":"https://apps.apple.com/account/subsc\#
riptions"}}},{"name":"nobody","params":[{"name":"userId","value":"nobody"}],"result":{"name":"resu\#
lt","value":{"url":null}}}]},{"name":"registerAccount","summary":"Begin a user's account, or link \#
another token to it.","description":"Free credits come with the first call for a user. Purchases w\#
ith the token that nobody owns become the user's. Repeating it is safe.","x-role":"app","paramStru\#
cture":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref"\#
:"#/components/schemas/UserId"}},{"name":"appAccountToken","summary":"The token; derived from the \#
user when absent.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"name":"result","sch\#
ema":{"type":"object","properties":{"appAccountToken":{"$ref":"#/components/schemas/Token"},"creat\#
ed":{"type":"boolean","description":"Whether this call began the account."},"creditsRemaining":{"t\#
ype":"integer"}},"required":["appAccountToken","created","creditsRemaining"]}},"errors":[{"$ref":"\#
#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compon\#
ents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/error\#
s/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Ownership\#
Conflict"}],"examples":[{"name":"the first time","params":[{"name":"userId","value":"alice"}],"res\#
ult":{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":\#
true,"creditsRemaining":3}}},{"name":"again","params":[{"name":"userId","value":"alice"}],"result"\#
:{"name":"result","value":{"appAccountToken":"0640ee36-9aef-80b6-aa42-790840cec83b","created":fals\#
e,"creditsRemaining":3}}}]},{"name":"verifyPurchase","summary":"Link a signed purchase to a user."\#
,"description":"A claim that differs from what is signed is refused. A purchase is never taken fro\#
m another user. Repeating it is safe.","x-role":"app","paramStructure":"by-name","params":[{"name"\#
:"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{\#
"name":"signedTransaction","summary":"The store's signed transaction.","required":true,"schema":{"\#
$ref":"#/components/schemas/SignedDocument"}},{"name":"signedRenewalInfo","summary":"The store's s\#
igned renewal information.","schema":{"$ref":"#/components/schemas/SignedDocument"}},{"name":"prod\#
uctId","summary":"Claim: which product was bought.","schema":{"type":"string"}},{"name":"transacti\#
onId","summary":"Claim: the store's name for the transaction.","schema":{"type":"string"}},{"name"\#
:"originalTransactionId","summary":"Claim: the store's name for the subscription.","schema":{"type\#
":"string"}},{"name":"appAccountToken","summary":"Claim: the token that the purchase was made with\#
; names a signed token of nobody.","schema":{"$ref":"#/components/schemas/Token"}}],"result":{"nam\#
e":"result","schema":{"type":"object","properties":{"entitlement":{"$ref":"#/components/schemas/En\#
titlement"},"status":{"$ref":"#/components/schemas/Status"},"applied":{"type":"boolean","descripti\#
on":"Whether a document was newer than what is kept."}},"required":["entitlement","status","applie\#
d"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Internal\#
Error"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"\#
$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/co\#
mponents/errors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"},{"$ref":"#/c\#
omponents/errors/ClaimMismatch"}],"examples":[{"name":"a new purchase","summary":"The document is \#
shortened.","params":[{"name":"userId","value":"alice"},{"name":"signedTransaction","value":"eyJhb\#
GciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}],"result":{"name":"result","value":{"entitlement":{\#
"isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","\#
originalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice","\#
state":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining"\#
:3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"sub\#
scriptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2\#
026-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.e\#
xample.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","or\#
iginalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-\#
15T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":t\#
rue,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"applied":true}}}\#
]},{"name":"restorePurchases","summary":"Link what a user's device knows of their purchases.","des\#
cription":"A purchase of another user goes by accounts.transferPolicy. One document that does not \#
verify fails the call, with its place in data.index, and nothing is applied.","x-role":"app","para\#
mStructure":"by-name","params":[{"name":"userId","summary":"The user.","required":true,"schema":{"\#
$ref":"#/components/schemas/UserId"}},{"name":"signedTransactions","summary":"The device's transac\#
tions.","required":true,"schema":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/co\#
mponents/schemas/SignedDocument"}}}],"result":{"name":"result","schema":{"type":"object","properti\#
es":{"entitlement":{"$ref":"#/components/schemas/Entitlement"},"status":{"$ref":"#/components/sche\#
mas/Status"},"results":{"type":"array","items":{"type":"object","properties":{"originalTransaction\#
Id":{"type":"string"},"outcome":{"type":"string","enum":["linked","already_owned","moved","shared"\#
,"refused"]}},"required":["originalTransactionId","outcome"]},"description":"One for each subscrip\#
tion, in order of appearance."}},"required":["entitlement","status","results"]}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloa\#
ded"},{"$ref":"#/components/errors/VerificationFailed"}],"examples":[{"name":"a new phone, another\#
 account","params":[{"name":"userId","value":"bob"},{"name":"signedTransactions","value":["eyJhbGc\#
iOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}],"result":{"name":"result","value":{"entitlement":{"\#
isActive":true,"productId":"com.example.premium.monthly","expiresAt":"2026-03-15T10:00:00.000Z","o\#
riginalTransactionId":"2000000000000001","environment":"Production"},"status":{"userId":"alice","s\#
tate":"subscribed","canRender":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":\#
3,"plan":"premium","tier":"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subs\#
criptionMethod":"app_store_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"20\#
26-03-15T10:00:00.000Z","paywall":"none","subscription":{"status":"subscribed","productId":"com.ex\#
ample.premium.monthly","pendingProductId":null,"store":"app_store","environment":"Production","ori\#
ginalTransactionId":"2000000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-1\#
5T10:00:00.000Z","expiresAt":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":tr\#
ue,"isTrial":false,"cancelledAt":null,"revokedAt":null,"stale":false},"seq":42},"results":[{"origi\#
nalTransactionId":"2000000000000001","outcome":"moved"}]}}}]},{"name":"verifyReceipt","summary":"L\#
ink the purchases of an app receipt of the time before StoreKit 2.","description":"The receipt is \#
verified here; Apple's verifyReceipt is not called.","x-role":"app","paramStructure":"by-name","pa\#
rams":[{"name":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schem\#
as/UserId"}},{"name":"receiptData","summary":"The receipt, base64.","required":true,"schema":{"typ\#
e":"string"}},{"name":"productId","summary":"The product that is asked about.","schema":{"type":"s\#
tring"}}],"result":{"name":"result","schema":{"type":"object","properties":{"isValid":{"type":"boo\#
lean","description":"Whether the purchase gives access now."},"expiresAt":{"anyOf":[{"$ref":"#/com\#
ponents/schemas/Time"},{"type":"null"}]},"tier":{"type":"string"},"message":{"type":"string","desc\#
ription":"One sentence for people."},"status":{"$ref":"#/components/schemas/Status"}},"required":[\#
"isValid","expiresAt","tier","message","status"]}},"errors":[{"$ref":"#/components/errors/InvalidP\#
arams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied\#
"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/\#
components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/er\#
rors/VerificationFailed"},{"$ref":"#/components/errors/OwnershipConflict"}],"examples":[{"name":"a\#
 subscriber","params":[{"name":"userId","value":"bob"},{"name":"receiptData","value":"MIIT"}],"res\#
ult":{"name":"result","value":{"isValid":true,"expiresAt":"2026-03-15T10:00:00.000Z","tier":"paid"\#
,"message":"The purchase gives access.","status":{"userId":"alice","state":"subscribed","canRender\#
":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier":"pa\#
id","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_store_su\#
bscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","payw\#
all":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","pendi\#
ngProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"20000000\#
00000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expiresAt":\#
"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cancelled\#
At":null,"revokedAt":null,"stale":false},"seq":42}}}}]},{"name":"consumeCredit","summary":"Spend c\#
redits, once per key.","description":"The first answer under a key, also insufficient, is kept for\#
 30 days and given again.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","s\#
ummary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idem\#
potencyKey","summary":"The same key never charges twice.","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","schema":{"$ref":"#/compon\#
ents/schemas/Amount"}}],"result":{"name":"result","schema":{"type":"object","properties":{"outcome\#
":{"type":"string","enum":["consumed","insufficient","unlimited"],"description":"unlimited: the us\#
er's plan renders without counting; nothing was charged or stored."},"creditsRemaining":{"type":"i\#
nteger","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Whethe\#
r this is the stored first answer to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"r\#
equired":["outcome","creditsRemaining","replayed","seq"]}},"errors":[{"$ref":"#/components/errors/\#
InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permissi\#
onDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$\#
ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compo\#
nents/errors/IdempotencyMismatch"}],"examples":[{"name":"the last credit","params":[{"name":"userI\#
d","value":"bob"},{"name":"idempotencyKey","value":"render-815"}],"result":{"name":"result","value\#
":{"outcome":"consumed","creditsRemaining":0,"replayed":false,"seq":51}}},{"name":"the same again,\#
 after a lost connection","params":[{"name":"userId","value":"bob"},{"name":"idempotencyKey","valu\#
e":"render-815"}],"result":{"name":"result","value":{"outcome":"consumed","creditsRemaining":0,"re\#
played":true,"seq":51}}}]},{"name":"reserveCredits","summary":"Set credits aside for a render whos\#
e success is not known yet.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId",\#
"summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"id\#
empotencyKey","summary":"The same key never reserves twice.","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/IdempotencyKey"}},{"name":"amount","summary":"How many.","required":true,"schema\#
":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"ttlSeconds","summary":"After so lo\#
ng they return by themselves.","required":true,"schema":{"type":"integer","minimum":1,"maximum":60\#
4800}},{"name":"releaseOnDisconnect","summary":"They return when this connection, or the daemon, e\#
nds.","schema":{"type":"boolean"}}],"result":{"name":"result","schema":{"type":"object","propertie\#
s":{"outcome":{"type":"string","enum":["reserved","insufficient","unlimited","released"],"descript\#
ion":"released: it was reserved under this key, and returned when its connection ended."},"reserva\#
tion":{"type":["string","null"],"description":"The reservation's name; null where nothing is held.\#
"},"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"type"\#
:"boolean","description":"Whether this is the stored first answer to the same key."}},"required":[\#
"outcome","reservation","creditsRemaining","replayed"]}},"errors":[{"$ref":"#/components/errors/In\#
validParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$re\#
f":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/compone\#
nts/errors/IdempotencyMismatch"}],"examples":[{"name":"one credit for five minutes","params":[{"na\#
me":"userId","value":"bob"},{"name":"idempotencyKey","value":"render-816"},{"name":"amount","value\#
":1},{"name":"ttlSeconds","value":300}],"result":{"name":"result","value":{"outcome":"reserved","r\#
eservation":"r52","creditsRemaining":2,"replayed":false}}}]},{"name":"commitReservation","summary"\#
:"Spend what is held, or a part of it; the rest returns.","x-role":"app","paramStructure":"by-name\#
","params":[{"name":"reservation","summary":"Its name.","required":true,"schema":{"type":"string"}\#
},{"name":"amount","summary":"How many of the held credits; all when absent.","schema":{"type":"in\#
teger","minimum":1,"maximum":1000000000}}],"result":{"name":"result","schema":{"type":"object","pr\#
operties":{"outcome":{"type":"string","enum":["committed","expired","released"],"description":"A s\#
econd commit gets the first answer."},"creditsRemaining":{"type":"integer","description":"What can\#
 be spent now."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/erro\#
rs/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permi\#
ssionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},\#
{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/co\#
mponents/errors/NotFound"}],"examples":[{"name":"done","params":[{"name":"reservation","value":"r5\#
2"}],"result":{"name":"result","value":{"outcome":"committed","creditsRemaining":2}}}]},{"name":"r\#
eleaseReservation","summary":"Give back what is held.","x-role":"app","paramStructure":"by-name","\#
params":[{"name":"reservation","summary":"Its name.","required":true,"schema":{"type":"string"}}],\#
"result":{"name":"result","schema":{"type":"object","properties":{"outcome":{"type":"string","enum\#
":["released","expired","committed"]},"creditsRemaining":{"type":"integer","description":"What can\#
 be spent now."}},"required":["outcome","creditsRemaining"]}},"errors":[{"$ref":"#/components/erro\#
rs/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permi\#
ssionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},\#
{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/co\#
mponents/errors/NotFound"}],"examples":[{"name":"the render failed","params":[{"name":"reservation\#
","value":"r52"}],"result":{"name":"result","value":{"outcome":"released","creditsRemaining":3}}}]\#
},{"name":"reverseCredits","summary":"Put a charge back into the buckets that it came from; what h\#
as ended stays ended.","x-role":"app","paramStructure":"by-name","params":[{"name":"userId","summa\#
ry":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"idempote\#
ncyKey","summary":"The same key never puts back twice.","required":true,"schema":{"$ref":"#/compon\#
ents/schemas/IdempotencyKey"}},{"name":"consumeKey","summary":"The key of the consumeCredit.","req\#
uired":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}}],"result":{"name":"result","s\#
chema":{"type":"object","properties":{"outcome":{"type":"string","enum":["reversed","nothing"],"de\#
scription":"nothing: nothing was charged, or it was put back before."},"creditsRemaining":{"type":\#
"integer","description":"What can be spent now."},"replayed":{"type":"boolean","description":"Whet\#
her this is the stored first answer to the same key."}},"required":["outcome","creditsRemaining","\#
replayed"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/I\#
nternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotRea\#
dy"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref\#
":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"},{"$ref":"#/\#
components/errors/NotFound"}],"examples":[{"name":"the picture was broken","params":[{"name":"user\#
Id","value":"bob"},{"name":"idempotencyKey","value":"refund-815"},{"name":"consumeKey","value":"re\#
nder-815"}],"result":{"name":"result","value":{"outcome":"reversed","creditsRemaining":1,"replayed\#
":false}}}]},{"name":"grantEntitlement","summary":"Give a user the access of a plan.","description\#
":"An unknown plan is invalid_params. A repeated key with the same parameters gets the first answe\#
r, with others idempotency_mismatch.","x-role":"admin","paramStructure":"by-name","params":[{"name\#
":"userId","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},\#
{"name":"plan","summary":"A plan of the catalog.","required":true,"schema":{"type":"string"}},{"na\#
me":"idempotencyKey","summary":"The same key never makes a second grant.","required":true,"schema"\#
:{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"The end.","schema"\#
:{"$ref":"#/components/schemas/Time"}},{"name":"startsAt","summary":"The beginning; now when absen\#
t.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"store","summary":"What `subscriptionMe\#
thod` shows instead of grant.","schema":{"type":"string","enum":["app_store","google_play","stripe\#
"]}},{"name":"reason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"na\#
me":"result","schema":{"type":"object","properties":{"grant":{"type":"string","description":"The g\#
rant's name, for revokeGrant."},"status":{"$ref":"#/components/schemas/Status"},"replayed":{"type"\#
:"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$ref"\#
:"#/components/schemas/Seq"}},"required":["grant","status","replayed","seq"]}},"errors":[{"$ref":"\#
#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/compon\#
ents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/error\#
s/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Idempoten\#
cyMismatch"}],"examples":[{"name":"a month of premium","params":[{"name":"userId","value":"bob"},{\#
"name":"plan","value":"premium"},{"name":"idempotencyKey","value":"support-4711"},{"name":"expires\#
At","value":"2026-03-15T10:00:00.000Z"},{"name":"reason","value":"an apology"}],"result":{"name":"\#
result","value":{"grant":"g43","status":{"userId":"bob","state":"subscribed","canRender":true,"isS\#
ubscriber":true,"hadSubscription":false,"creditsRemaining":3,"plan":"premium","tier":"paid","limit\#
s":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"grant","expiresAt":"20\#
26-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","paywall":"none","subscription":\#
null,"seq":43},"replayed":false,"seq":43}}}]},{"name":"revokeGrant","summary":"Take a grant back."\#
,"x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.","req\#
uired":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"grant","summary":"The grant'\#
s name.","required":true,"schema":{"type":"string"}},{"name":"reason","summary":"Why, for the hist\#
ory.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties\#
":{"status":{"$ref":"#/components/schemas/Status"},"seq":{"$ref":"#/components/schemas/Seq"}},"req\#
uired":["status","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/compon\#
ents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/\#
errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Storage\#
Full"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"take it back","params":[{"nam\#
e":"userId","value":"bob"},{"name":"grant","value":"g43"}],"result":{"name":"result","value":{"sta\#
tus":{"userId":"bob","state":"free_with_credits","canRender":true,"isSubscriber":false,"hadSubscri\#
ption":false,"creditsRemaining":3,"plan":"free","tier":"free","limits":{"storageBytes":262144000,"\#
retentionDays":7},"subscriptionMethod":null,"expiresAt":null,"nextChangeAt":null,"paywall":"subscr\#
ibe","subscription":null,"seq":44},"seq":44}}}]},{"name":"grantCredits","summary":"Give a user cre\#
dits.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"The user.\#
","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name":"amount","summary":"How\#
 many.","required":true,"schema":{"type":"integer","minimum":1,"maximum":1000000000}},{"name":"ide\#
mpotencyKey","summary":"The same key never counts twice.","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"When they end; never when absent."\#
,"schema":{"$ref":"#/components/schemas/Time"}},{"name":"source","summary":"Where they come from, \#
as getCredits shows it.","schema":{"type":"string"}},{"name":"reason","summary":"Why, for the hist\#
ory.","schema":{"type":"string"}}],"result":{"name":"result","schema":{"type":"object","properties\#
":{"creditsRemaining":{"type":"integer","description":"What can be spent now."},"replayed":{"type"\#
:"boolean","description":"Whether this is the stored first answer to the same key."},"seq":{"$ref"\#
:"#/components/schemas/Seq"}},"required":["creditsRemaining","replayed","seq"]}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloa\#
ded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examples":[{"name":"an apology","params\#
":[{"name":"userId","value":"bob"},{"name":"amount","value":5},{"name":"idempotencyKey","value":"s\#
upport-4712"},{"name":"reason","value":"an apology"}],"result":{"name":"result","value":{"creditsR\#
emaining":8,"replayed":false,"seq":53}}}]},{"name":"adjustCredits","summary":"Correct a user's cre\#
dits, up or down; stops at 0.","x-role":"admin","paramStructure":"by-name","params":[{"name":"user\#
Id","summary":"The user.","required":true,"schema":{"$ref":"#/components/schemas/UserId"}},{"name"\#
:"amount","summary":"How many.","required":true,"schema":{"type":"integer","minimum":-1000000000,"\#
maximum":1000000000}},{"name":"idempotencyKey","summary":"The same key never counts twice.","requi\#
red":true,"schema":{"$ref":"#/components/schemas/IdempotencyKey"}},{"name":"expiresAt","summary":"\#
When they end; never when absent.","schema":{"$ref":"#/components/schemas/Time"}},{"name":"source"\#
,"summary":"Where they come from, as getCredits shows it.","schema":{"type":"string"}},{"name":"re\#
ason","summary":"Why, for the history.","schema":{"type":"string"}}],"result":{"name":"result","sc\#
hema":{"type":"object","properties":{"creditsRemaining":{"type":"integer","description":"What can \#
be spent now."},"replayed":{"type":"boolean","description":"Whether this is the stored first answe\#
r to the same key."},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["creditsRemaining","re\#
played","seq"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/erro\#
rs/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/No\#
tReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/StorageFull"},{"\#
$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/errors/IdempotencyMismatch"}],"examp\#
les":[{"name":"a correction","params":[{"name":"userId","value":"bob"},{"name":"amount","value":-2\#
},{"name":"idempotencyKey","value":"support-4712"},{"name":"reason","value":"given twice"}],"resul\#
t":{"name":"result","value":{"creditsRemaining":6,"replayed":false,"seq":53}}}]},{"name":"dump","s\#
ummary":"A page of what is kept.","description":"Values are decoded. A page ends early where the r\#
eply would be longer than a frame, so only a null cursor says that it was the last.","x-role":"adm\#
in","paramStructure":"by-name","params":[{"name":"table","summary":"Only this table; all of them w\#
hen absent.","schema":{"type":"string"}},{"name":"prefix","summary":"Only keys that begin so.","sc\#
hema":{"type":"string"}},{"name":"cursor","summary":"Where the page before ended.","schema":{"type\#
":"string"}},{"name":"limit","summary":"How many rows at most.","schema":{"type":"integer","minimu\#
m":1,"maximum":1000,"default":100}}],"result":{"name":"page","schema":{"type":"object","properties\#
":{"seq":{"$ref":"#/components/schemas/Seq"},"entries":{"type":"array","items":{"$ref":"#/componen\#
ts/schemas/Row"}},"cursor":{"type":["string","null"],"description":"For the next page; null after \#
the last row."}},"required":["seq","entries","cursor"]}},"errors":[{"$ref":"#/components/errors/In\#
validParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/Permission\#
Denied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$re\#
f":"#/components/errors/Overloaded"}],"examples":[{"name":"the only token","params":[{"name":"tabl\#
e","value":"tokens"},{"name":"limit","value":2}],"result":{"name":"result","value":{"seq":42,"entr\#
ies":[{"table":"tokens","key":"0640ee36-9aef-80b6-aa42-790840cec83b","value":{"userId":"alice"}}],\#
"cursor":null}}}]},{"name":"get","summary":"One row.","x-role":"admin","paramStructure":"by-name",\#
"params":[{"name":"table","summary":"The table.","required":true,"schema":{"type":"string"}},{"nam\#
e":"key","summary":"The key, as dump shows it.","required":true,"schema":{"$ref":"#/components/sch\#
emas/RowKey"}}],"result":{"name":"result","schema":{"type":"object","properties":{"value":{"descri\#
ption":"The decoded value."}},"required":["value"]}},"errors":[{"$ref":"#/components/errors/Invali\#
dParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDeni\#
ed"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"\#
#/components/errors/Overloaded"},{"$ref":"#/components/errors/NotFound"}],"examples":[{"name":"who\#
se token it is","params":[{"name":"table","value":"tokens"},{"name":"key","value":"0640ee36-9aef-8\#
0b6-aa42-790840cec83b"}],"result":{"name":"result","value":{"value":{"userId":"alice"}}}}]},{"name\#
":"stats","summary":"Figures about the daemon.","x-role":"admin","paramStructure":"by-name","param\#
s":[],"result":{"name":"stats","schema":{"type":"object","properties":{"version":{"type":"string"}\#
,"seq":{"$ref":"#/components/schemas/Seq"},"uptimeSeconds":{"type":"integer"},"catalogVersion":{"t\#
ype":"integer"},"plans":{"type":"array","items":{"type":"string"}},"commands":{"type":"integer"},"\#
groups":{"type":"integer"},"queueDepth":{"type":"integer"},"storageFull":{"type":"boolean"},"clock\#
Jumps":{"type":"integer"},"views":{"type":"object","properties":{"mapBytes":{"type":"integer"},"us\#
edBytes":{"type":"integer"},"readers":{"type":"integer"}},"required":["mapBytes","usedBytes","read\#
ers"]}},"required":["version","seq","uptimeSeconds","catalogVersion","plans","commands","groups","\#
queueDepth","storageFull","clockJumps","views"],"description":"The set grows."}},"errors":[{"$ref"\#
:"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/comp\#
onents/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/err\#
ors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"a small one","p\#
arams":[],"result":{"name":"result","value":{"version":"0.1.0","seq":42,"uptimeSeconds":60,"catalo\#
gVersion":1,"plans":["free","paid","premium"],"commands":42,"groups":40,"queueDepth":0,"storageFul\#
l":false,"clockJumps":0,"views":{"mapBytes":68719476736,"usedBytes":81920,"readers":3}}}}]},{"name\#
":"reconcile","summary":"Ask the store what was missed.","description":"Needs apple.api in the con\#
figuration.","x-role":"admin","paramStructure":"by-name","params":[{"name":"userId","summary":"Abo\#
ut this user, and wait; without, begin a round through everything.","schema":{"$ref":"#/components\#
/schemas/UserId"}}],"result":{"name":"result","schema":{"type":"object","properties":{"applied":{"\#
type":"boolean","description":"With a user: whether something was newer than what was kept."},"sta\#
tus":{"$ref":"#/components/schemas/Status"},"running":{"type":"boolean","description":"Without a u\#
ser: true; progress is in stats."}},"required":[]}},"errors":[{"$ref":"#/components/errors/Invalid\#
Params"},{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenie\#
d"},{"$ref":"#/components/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#\#
/components/errors/StorageFull"},{"$ref":"#/components/errors/Overloaded"},{"$ref":"#/components/e\#
rrors/NotFound"}],"examples":[{"name":"one user","params":[{"name":"userId","value":"bob"}],"resul\#
t":{"name":"result","value":{"applied":true,"status":{"userId":"alice","state":"subscribed","canRe\#
nder":true,"isSubscriber":true,"hadSubscription":true,"creditsRemaining":3,"plan":"premium","tier"\#
:"paid","limits":{"storageBytes":107374182400,"retentionDays":null},"subscriptionMethod":"app_stor\#
e_subscription","expiresAt":"2026-03-15T10:00:00.000Z","nextChangeAt":"2026-03-15T10:00:00.000Z","\#
paywall":"none","subscription":{"status":"subscribed","productId":"com.example.premium.monthly","p\#
endingProductId":null,"store":"app_store","environment":"Production","originalTransactionId":"2000\#
000000000001","transactionId":"2000000000000001","purchasedAt":"2026-02-15T10:00:00.000Z","expires\#
At":"2026-03-15T10:00:00.000Z","gracePeriodExpiresAt":null,"autoRenew":true,"isTrial":false,"cance\#
lledAt":null,"revokedAt":null,"stale":false},"seq":42}}}},{"name":"everything","params":[],"result\#
":{"name":"result","value":{"running":true}}}]},{"name":"testNotification","summary":"Ask Apple to\#
 send a test notification, and wait for it.","description":"The check of the set-up that every new\#
 operator wants. Needs apple.api in the configuration.","x-role":"admin","paramStructure":"by-name\#
","params":[{"name":"timeoutSeconds","summary":"How long.","schema":{"type":"integer","minimum":1,\#
"maximum":600,"default":60}}],"result":{"name":"result","schema":{"type":"object","properties":{"d\#
elivered":{"type":"boolean","description":"Whether Apple could deliver it here."},"sendAttemptResu\#
lt":{"type":["string","null"],"description":"What Apple says of the attempt."}},"required":["deliv\#
ered","sendAttemptResult"]}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/com\#
ponents/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/componen\#
ts/errors/NotReady"},{"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Stor\#
ageFull"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"it works","params":[],"r\#
esult":{"name":"result","value":{"delivered":true,"sendAttemptResult":"SUCCESS"}}}]},{"name":"ping\#
","summary":"Whether the daemon answers.","description":"Answers before the daemon is ready, too."\#
,"x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"nothing","schema":{"ty\#
pe":"object"}},"errors":[{"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors\#
/PermissionDenied"},{"$ref":"#/components/errors/Overloaded"}],"examples":[{"name":"ping","params"\#
:[],"result":{"name":"result","value":{}}}]},{"name":"version","summary":"Which daemon answers.","\#
description":"Answers before the daemon is ready, too.","x-role":"reader","paramStructure":"by-nam\#
e","params":[],"result":{"name":"versions","schema":{"type":"object","properties":{"entitld":{"typ\#
e":"string","description":"The daemon's version."},"protocol":{"type":"string","description":"The \#
major version of the protocol: of frames, methods and words."},"format":{"type":"integer","descrip\#
tion":"The version of what is on disk."}},"required":["entitld","protocol","format"]}},"errors":[{\#
"$ref":"#/components/errors/InternalError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref\#
":"#/components/errors/Overloaded"}],"examples":[{"name":"version","params":[],"result":{"name":"r\#
esult","value":{"entitld":"0.1.0","protocol":"1","format":1}}}]},{"name":"rpc.discover","summary":\#
"This document.","x-role":"reader","paramStructure":"by-name","params":[],"result":{"name":"OpenRP\#
C Schema","schema":{"$ref":"https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.j\#
son"}},"errors":[{"$ref":"#/components/errors/InvalidParams"},{"$ref":"#/components/errors/Interna\#
lError"},{"$ref":"#/components/errors/PermissionDenied"},{"$ref":"#/components/errors/NotReady"},{\#
"$ref":"#/components/errors/ShuttingDown"},{"$ref":"#/components/errors/Overloaded"}],"examples":[\#
{"name":"discover","summary":"The document is shortened.","params":[],"result":{"name":"result","v\#
alue":{"openrpc":"1.3.2","info":{"title":"entitld","version":"0.1.0"},"methods":[]}}}]}],"componen\#
ts":{"schemas":{"UserId":{"type":"string","minLength":1,"maxLength":256,"description":"1 to 256 by\#
tes of UTF-8 without control characters, compared byte by byte."},"Token":{"type":"string","format\#
":"uuid","description":"A UUID that a purchase carries; the all-zero one is none."},"Time":{"type"\#
:"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\\#
.[0-9]{3}Z$","description":"ISO 8601 in UTC with three decimals."},"Amount":{"type":"integer","min\#
imum":1,"maximum":1000000000,"default":1},"IdempotencyKey":{"type":"string","minLength":1,"maxLeng\#
th":200,"description":"1 to 200 bytes. Its scope is the user, over all methods."},"Seq":{"type":"i\#
nteger","minimum":0,"description":"The journal position that the answer reflects."},"SignedDocumen\#
t":{"type":"string","description":"A JWS in its compact form, as the store signed it."},"State":{"\#
type":"string","enum":["no_account","trial","subscribed","free_with_credits","free_no_credits"],"d\#
escription":"The first that matches: trial also when cancelled during the trial; subscribed is any\#
 other access by subscription, grace or grant."},"RenderAnswer":{"type":"object","properties":{"ca\#
nRender":{"type":"boolean"},"via":{"enum":["subscription","grace","grant","credits",null],"descrip\#
tion":"What gives the access; null without it."},"state":{"$ref":"#/components/schemas/State"},"re\#
ason":{"enum":["no_account","revoked","billing_retry","expired","credits_exhausted","never_subscri\#
bed",null],"description":"Why not; null with access."},"nextChangeAt":{"anyOf":[{"$ref":"#/compone\#
nts/schemas/Time"},{"type":"null"}]},"seq":{"$ref":"#/components/schemas/Seq"}},"required":["canRe\#
nder","via","state","reason","nextChangeAt","seq"]},"Status":{"type":"object","properties":{"userI\#
d":{"$ref":"#/components/schemas/UserId"},"state":{"$ref":"#/components/schemas/State"},"canRender\#
":{"type":"boolean"},"isSubscriber":{"type":"boolean","description":"Access by subscription, grace\#
 or grant, trials included."},"hadSubscription":{"type":"boolean","description":"Whether the user \#
ever owned a subscription."},"creditsRemaining":{"type":"integer"},"plan":{"type":["string","null"\#
]},"tier":{"type":"string"},"limits":{"type":"object","additionalProperties":{"type":["number","st\#
ring","boolean","null"]},"description":"Those of the plan, as the catalog has them; null is no lim\#
it."},"subscriptionMethod":{"type":["string","null"],"description":"app_store_subscription, google\#
_play, stripe, grant, or the store that a grant names."},"expiresAt":{"anyOf":[{"$ref":"#/componen\#
ts/schemas/Time"},{"type":"null"}]},"nextChangeAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},\#
{"type":"null"}]},"paywall":{"type":"string","enum":["none","resubscribe","start_trial","subscribe\#
"]},"subscription":{"anyOf":[{"$ref":"#/components/schemas/Subscription"},{"type":"null"}]},"seq":\#
{"$ref":"#/components/schemas/Seq"}},"required":["userId","state","canRender","isSubscriber","hadS\#
ubscription","creditsRemaining","plan","tier","limits","subscriptionMethod","expiresAt","nextChang\#
eAt","paywall","subscription","seq"]},"Subscription":{"type":"object","properties":{"status":{"typ\#
e":"string","enum":["revoked","cancelled","trial","subscribed","grace_period","billing_retry","exp\#
ired"]},"productId":{"type":"string"},"pendingProductId":{"type":["string","null"],"description":"\#
From the next renewal on, if it changes."},"store":{"type":"string"},"environment":{"type":"string\#
","enum":["Production","Sandbox"]},"originalTransactionId":{"type":"string"},"transactionId":{"typ\#
e":["string","null"]},"purchasedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}\#
]},"expiresAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"gracePeriodExpire\#
sAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]},"autoRenew":{"type":["boolea\#
n","null"]},"isTrial":{"type":"boolean"},"cancelledAt":{"anyOf":[{"$ref":"#/components/schemas/Tim\#
e"},{"type":"null"}]},"revokedAt":{"anyOf":[{"$ref":"#/components/schemas/Time"},{"type":"null"}]}\#
,"stale":{"type":"boolean","description":"A renewal is due and the store has not been heard."}},"r\#
equired":["status","productId","pendingProductId","store","environment","originalTransactionId","t\#
ransactionId","purchasedAt","expiresAt","gracePeriodExpiresAt","autoRenew","isTrial","cancelledAt"\#
,"revokedAt","stale"]},"Entitlement":{"type":"object","properties":{"isActive":{"type":"boolean"},\#
"productId":{"type":"string"},"expiresAt":{"$ref":"#/components/schemas/Time"},"originalTransactio\#
nId":{"type":"string"},"environment":{"type":"string","enum":["Production","Sandbox"]}},"required"\#
:["isActive"]},"RowKey":{"oneOf":[{"type":"string"},{"type":"object","properties":{"base64":{"type\#
":"string"}},"required":["base64"]}],"description":"Text, or base64 where it is not UTF-8."},"Row"\#
:{"type":"object","properties":{"table":{"type":"string"},"key":{"$ref":"#/components/schemas/RowK\#
ey"},"value":{"description":"The decoded value."}},"required":["table","key","value"]}},"errors":{\#
"ParseError":{"code":-32700,"message":"The frame is not JSON.","data":{"code":"parse_error","retry\#
able":false}},"InvalidRequest":{"code":-32600,"message":"The JSON is not a request.","data":{"code\#
":"invalid_request","retryable":false}},"MethodNotFound":{"code":-32601,"message":"There is no suc\#
h method.","data":{"code":"method_not_found","retryable":false}},"InvalidParams":{"code":-32602,"m\#
essage":"A parameter is missing, unknown or not what it should be.","data":{"code":"invalid_params\#
","retryable":false}},"InternalError":{"code":-32603,"message":"The daemon failed.","data":{"code"\#
:"internal_error","retryable":false}},"PermissionDenied":{"code":-32001,"message":"The caller's ro\#
le does not include the method.","data":{"code":"permission_denied","retryable":false}},"NotReady"\#
:{"code":-32002,"message":"The daemon is not ready yet.","data":{"code":"not_ready","retryable":tr\#
ue}},"ShuttingDown":{"code":-32003,"message":"The daemon is shutting down.","data":{"code":"shutti\#
ng_down","retryable":true}},"StorageFull":{"code":-32010,"message":"There is no room on disk.","da\#
ta":{"code":"storage_full","retryable":true}},"VerificationFailed":{"code":-32020,"message":"The d\#
ocument does not verify.","data":{"code":"verification_failed","retryable":false,"reason":"signatu\#
re"}},"OwnershipConflict":{"code":-32021,"message":"The purchase, or the token, is another user's.\#
","data":{"code":"ownership_conflict","retryable":false}},"ClaimMismatch":{"code":-32022,"message"\#
:"What is claimed differs from what is signed.","data":{"code":"claim_mismatch","retryable":false,\#
"field":"productId"}},"IdempotencyMismatch":{"code":-32023,"message":"The key was used with other \#
arguments.","data":{"code":"idempotency_mismatch","retryable":false}},"NotFound":{"code":-32024,"m\#
essage":"There is no such grant or row.","data":{"code":"not_found","retryable":false}},"Overloade\#
d":{"code":-32029,"message":"Too much is asked at once.","data":{"code":"overloaded","retryable":t\#
rue,"retryAfterMs":100}}}}}
"""#
}
