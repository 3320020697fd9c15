"""Drives appstoresim with Apple's own client library, through every endpoint that both know.

    library.py PROGRAM   where PROGRAM is appstoresim

Every document in an answer goes through the library's own verifier, under the simulator's root.
Fails on the first answer that the library does not take, on a method of the library that is neither
called nor named in OTHERS, and on an endpoint of the simulator that no call has reached.
"""

import base64
import http.server
import inspect
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

from appstoreserverlibrary.api_client import (
    APIError,
    APIException,
    AppStoreServerAPIClient,
    GetTransactionHistoryVersion as Version,
)
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.BillingPlanType import BillingPlanType
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.PurchasePlatform import PurchasePlatform
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RenewalBillingPlanType import RenewalBillingPlanType
from appstoreserverlibrary.models.RevocationType import RevocationType
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order,
    ProductType,
    TransactionHistoryRequest,
)
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UserStatus import UserStatus
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

BUNDLE, APPLE_ID = "com.example.app", 1234567890
WEEKLY = BUNDLE + ".weekly"
# Retention messages are Apple's own business with users; the simulator has no such part.
OTHERS = {
    "upload_image", "delete_image", "get_image_list", "upload_message", "delete_message",
    "get_message_list", "configure_default_message", "delete_default_message",
    "get_default_message", "configure_realtime_url", "delete_realtime_url", "get_realtime_url",
    "initiate_performance_test", "get_performance_test_results",
}
PAGE = 20
READY_SECONDS_MAX = 60


class Receiver(http.server.BaseHTTPRequestHandler):
    """The app's own server: takes every notification."""

    posted = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.posted.append(json.loads(body)["signedPayload"])
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Store:
    """A store of appstoresim that serves its API, and the library's client and verifier for it."""

    def __init__(self, program, directory, environment, url):
        self.program, self.directory, self.url = program, directory, url
        self.run(
            "mint", directory, "--environment", environment.value, "--month", "30d",
            "--url", url, "--product", f"{WEEKLY},P1W,1,1990",
            "--product", f"{BUNDLE}.monthly,P1M,1,4990",
            "--product", f"{BUNDLE}.premium,P1M,2,9990",
            "--product", f"{BUNDLE}.yearly,P1Y,1,49990",
            "--product", f"{BUNDLE}.credits,consumable,990",
            "--product", f"{BUNDLE}.lifetime,non-consumable,9990",
        )
        card = json.loads(Path(directory, "api.json").read_text())
        self.ids = card["keyID"], card["issuerID"]
        self.key = Path(directory, f"AuthKey_{card['keyID']}.p8").read_bytes()
        self.environment = environment
        pem = Path(directory, "root.pem").read_text()
        root = base64.b64decode(re.sub("-----.*?-----", "", pem))
        self.verifier = SignedDataVerifier([root], False, environment, BUNDLE, APPLE_ID)
        self.log = []
        self.server = None

    def run(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def act(self, name, *words):
        return self.run("act", self.directory, name, *words)

    def serve(self, *options):
        """Serves, until the `with` ends; the client that comes with it asks there."""
        return _Serving(self, options)

    def transaction(self, document):
        return self.verifier.verify_and_decode_signed_transaction(document)

    def current(self, name):
        return self.transaction(self.run("document", self.directory, name))


class _Serving:
    def __init__(self, store, options):
        self.store, self.options = store, options

    def __enter__(self):
        store = self.store
        self.process = subprocess.Popen(
            [store.program, "serve", store.directory, "--port", "0", *self.options],
            stdout=subprocess.PIPE, text=True,
        )
        base = self.process.stdout.readline().strip()
        assert base, "appstoresim serve has ended"
        self.reader = threading.Thread(target=lambda: store.log.extend(self.process.stdout))
        self.reader.start()
        client = AppStoreServerAPIClient(store.key, *store.ids, BUNDLE, store.environment)
        client._base_url = base
        return client

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.reader.join()


class Called:
    """A client that notes which of its methods were called."""

    names = set()

    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        self.names.add(name)
        return getattr(self._client, name)


def fails_with(error, call, *arguments):
    try:
        call(*arguments)
    except APIException as raised:
        assert raised.api_error == error, f"{raised.api_error} in place of {error}"
        assert raised.http_status_code == error.value // 10_000
        assert raised.error_message
        return
    raise AssertionError(f"no {error} from {call.__name__}{arguments}")


def pages(ask):
    """All documents behind `ask(revision)`, which gives one page."""
    documents, revision, count = [], None, 0
    while True:
        page = ask(revision)
        assert len(page.signedTransactions) <= PAGE and page.revision
        documents += page.signedTransactions
        count += 1
        if not page.hasMore:
            return documents, count
        revision = page.revision


def check_subscription(store, client):
    token = str(uuid.uuid4())
    store.act("alice", "subscribe", "--product", WEEKLY, "--token", token)
    store.act("alice", "renew")
    bought = store.current("alice")
    assert bought.appAccountToken == token and bought.type == Type.AUTO_RENEWABLE_SUBSCRIPTION
    line, app_id = bought.originalTransactionId, bought.appTransactionId
    for number in (line, app_id):
        statuses = client.get_all_subscription_statuses(number)
        assert statuses.environment == store.environment and statuses.bundleId == BUNDLE
        item = statuses.data[0].lastTransactions[0]
        assert (item.status, item.originalTransactionId) == (Status.ACTIVE, line)
        assert store.transaction(item.signedTransactionInfo).productId == WEEKLY
        renewal = store.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
        assert renewal.autoRenewProductId == WEEKLY
    assert client.get_all_subscription_statuses(line, [Status.EXPIRED]).data == []
    assert client.get_all_subscription_statuses(line, [Status.ACTIVE, Status.REVOKED]).data
    info = store.transaction(client.get_transaction_info(line).signedTransactionInfo)
    assert (info.transactionId, info.appAccountToken) == (line, token)
    app = store.verifier.verify_and_decode_app_transaction(
        client.get_app_transaction_info(line).signedAppTransactionInfo
    )
    assert (app.appTransactionId, app.bundleId, app.receiptType) == (
        app_id, BUNDLE, store.environment
    )
    assert app.originalPlatform == PurchasePlatform.IOS and app.originalPurchaseDate
    order = client.look_up_order_id("M" + line)
    assert order.status == OrderLookupStatus.VALID
    assert store.transaction(order.signedTransactions[0]).transactionId == line
    assert client.look_up_order_id("M1").status == OrderLookupStatus.INVALID
    other = str(uuid.uuid4())
    client.set_app_account_token(line, UpdateAppAccountTokenRequest(appAccountToken=other))
    info = store.transaction(client.get_transaction_info(line).signedTransactionInfo)
    assert info.appAccountToken == other
    fails_with(
        APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, client.set_app_account_token, line,
        UpdateAppAccountTokenRequest(appAccountToken="me"),
    )


def check_histories(store, client):
    for _ in range(PAGE + 2):
        store.act("bob", "buy", "--product", f"{BUNDLE}.credits")
    store.act("bob", "buy", "--product", f"{BUNDLE}.lifetime")
    lifetime = store.transaction(store.run("document", store.directory, "bob", "--transaction", "purchase"))
    number = lifetime.transactionId
    count = PAGE + 3

    def history(version=Version.V2, **filter):
        request = TransactionHistoryRequest(**filter)
        documents, walked = pages(
            lambda revision: client.get_transaction_history(number, revision, request, version)
        )
        return [store.transaction(document) for document in documents], walked

    everything, walked = history()
    assert (len(everything), walked) == (count, 2)
    assert len(history(Version.V1)[0]) == count
    newest = history(sort=Order.DESCENDING)[0]
    assert [one.transactionId for one in newest] == [one.transactionId for one in everything][::-1]
    assert len(history(productTypes=[ProductType.CONSUMABLE])[0]) == count - 1
    assert len(history(productIds=[f"{BUNDLE}.lifetime", "another"])[0]) == 1
    assert history(subscriptionGroupIdentifiers=["1"])[0] == []
    assert history(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED)[0] == []
    begun = everything[2].purchaseDate
    assert len(history(startDate=begun)[0]) == count - 2
    assert len(history(startDate=begun, endDate=everything[5].purchaseDate)[0]) == 3
    store.act("bob", "refund", "--transaction", number)
    assert [one.transactionId for one in history(revoked=True)[0]] == [number]
    assert len(history(revoked=False)[0]) == count - 1
    refunds, _ = pages(lambda revision: client.get_refund_history(number, revision))
    assert store.transaction(refunds[0]).revocationDate and len(refunds) == 1
    # What is finished and used up is in the second version alone.
    used = everything[0].transactionId
    client.finish_transaction(used)
    client.finish_transaction(number)
    assert len(history(Version.V1)[0]) == count - 1
    assert len(history()[0]) == count
    client.send_consumption_information(used, ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False,
        deliveryStatus=DeliveryStatus.DELIVERED, consumptionPercentage=50_000,
        refundPreference=RefundPreference.GRANT_PRORATED,
    ))
    client.send_consumption_data(used, ConsumptionRequestV1(
        customerConsented=True, consumptionStatus=ConsumptionStatus.FULLY_CONSUMED,
        deliveryStatus=DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY,
        accountTenure=AccountTenure.ZERO_TO_THREE_DAYS, userStatus=UserStatus.ACTIVE,
        sampleContentProvided=True, appAccountToken="",
    ))
    fails_with(
        APIError.INVALID_CUSTOMER_CONSENTED, client.send_consumption_data, used,
        ConsumptionRequestV1(customerConsented=False),
    )


def check_stories(store, client):
    """The rarer things, as the library reads them."""
    def last(number):
        item = client.get_all_subscription_statuses(number).data[0].lastTransactions[0]
        return (
            item.status, store.transaction(item.signedTransactionInfo),
            store.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo),
        )

    def history(number):
        documents, _ = pages(lambda revision: client.get_transaction_history(
            number, revision, TransactionHistoryRequest(), Version.V2))
        return [store.transaction(document) for document in documents]

    store.act("dora", "subscribe", "--product", f"{BUNDLE}.monthly")
    store.act("dora", "renew-early")
    announced = store.transaction(
        store.run("document", store.directory, "dora", "--transaction", "announced"))
    store.act("dora", "upgrade", "--product", f"{BUNDLE}.premium")
    line = announced.originalTransactionId
    status, current, _ = last(line)
    assert status == Status.ACTIVE and current.productId == f"{BUNDLE}.premium"
    replaced = {one.transactionId for one in history(line) if one.isUpgraded}
    assert replaced == {line, announced.transactionId}

    store.act("emil", "subscribe", "--product", f"{BUNDLE}.yearly", "--monthly")
    store.act("emil", "cancel")
    line = store.current("emil").originalTransactionId
    _, current, renewal = last(line)
    assert current.billingPlanType == BillingPlanType.MONTHLY
    promised = current.commitmentInfo
    assert (promised.billingPeriodNumber, promised.totalBillingPeriods) == (1, 12)
    assert promised.commitmentExpiresDate > current.expiresDate and promised.commitmentPrice
    assert renewal.renewalBillingPlanType == RenewalBillingPlanType.MONTHLY
    assert renewal.autoRenewStatus == AutoRenewStatus.ON
    assert renewal.commitmentInfo.commitmentAutoRenewStatus == AutoRenewStatus.OFF
    assert renewal.commitmentInfo.commitmentRenewalDate == promised.commitmentExpiresDate

    store.act("emil", "migrate")
    status, current, renewal = last(line)
    # The library knows no previousOriginalTransactionId, and takes the document all the same.
    assert status == Status.ACTIVE
    assert renewal.originalTransactionId == current.originalTransactionId != line

    store.act("fred", "buy", "--product", f"{BUNDLE}.credits", "--quantity", "3")
    store.act("fred", "refund", "--transaction", "purchase", "--units", "1")
    pack = store.transaction(
        store.run("document", store.directory, "fred", "--transaction", "purchase"))
    refunds, _ = pages(lambda revision: client.get_refund_history(pack.transactionId, revision))
    refund = store.transaction(refunds[0])
    assert refund.revocationType == RevocationType.REFUND_PRORATED
    assert (refund.revocationPercentage, refund.quantity) == (33_333, 3)

    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    store.act("gina", "subscribe", "--product", f"{BUNDLE}.monthly", "--token", one)
    store.act("gina", "refund")
    store.act("gina", "resubscribe", "--token", two)
    bought = store.current("gina")
    assert bought.appAccountToken == two
    assert [each.appAccountToken for each in history(bought.transactionId)] == [one, two]
    app = store.verifier.verify_and_decode_app_transaction(
        store.run("document", store.directory, "gina", "--app-transaction"))
    assert app.appTransactionId == bought.appTransactionId


def check_extensions(store, client):
    store.act("carol", "subscribe", "--product", f"{BUNDLE}.monthly")
    before = store.current("carol")
    wish = ExtendRenewalDateRequest(
        extendByDays=10, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
        requestIdentifier=str(uuid.uuid4()),
    )
    line = before.originalTransactionId
    done = client.extend_subscription_renewal_date(line, wish)
    assert done.success and done.originalTransactionId == line and done.webOrderLineItemId
    assert done.effectiveDate == before.expiresDate + 10 * 86_400_000
    assert store.current("carol").expiresDate == done.effectiveDate
    for_all = MassExtendRenewalDateRequest(
        extendByDays=5, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
        requestIdentifier=str(uuid.uuid4()), storefrontCountryCodes=["USA", "MEX"],
        productId=f"{BUNDLE}.monthly",
    )
    name, product = for_all.requestIdentifier, for_all.productId
    fails_with(
        APIError.STATUS_REQUEST_NOT_FOUND,
        client.get_status_of_subscription_renewal_date_extensions, name, product,
    )
    answer = client.extend_renewal_date_for_all_active_subscribers(for_all)
    assert answer.requestIdentifier == name
    status = client.get_status_of_subscription_renewal_date_extensions(name, product)
    assert status.complete and status.completeDate and status.requestIdentifier == name
    assert (status.succeededCount, status.failedCount) == (1, 0)
    fails_with(
        APIError.SUBSCRIPTION_MAX_EXTENSION, client.extend_subscription_renewal_date, line, wish
    )


def check_notifications(store, client):
    token = client.request_test_notification().testNotificationToken
    deadline = time.monotonic() + READY_SECONDS_MAX
    while True:
        try:
            tested = client.get_test_notification_status(token)
            break
        except APIException as error:
            assert error.api_error == APIError.TEST_NOTIFICATION_NOT_FOUND
            assert time.monotonic() < deadline, "the test notification does not go out"
            time.sleep(0.05)
    assert tested.sendAttempts[0].sendAttemptResult == SendAttemptResult.SUCCESS
    told = store.verifier.verify_and_decode_notification(tested.signedPayload)
    assert told.notificationType == NotificationTypeV2.TEST
    now = int(time.time() * 1000)

    def history(**filter):
        request = NotificationHistoryRequest(
            startDate=now - 3_600_000, endDate=now + 60_000, **filter
        )
        found, next_page = [], None
        while True:
            page = client.get_notification_history(next_page, request)
            for item in page.notificationHistory:
                found.append(store.verifier.verify_and_decode_notification(item.signedPayload))
                assert item.sendAttempts
            if not page.hasMore:
                return found
            next_page = page.paginationToken

    everything = history()
    kinds = {one.notificationType for one in everything}
    assert len(everything) > PAGE
    assert kinds >= {
        NotificationTypeV2.SUBSCRIBED, NotificationTypeV2.DID_RENEW, NotificationTypeV2.TEST,
        NotificationTypeV2.REFUND, NotificationTypeV2.RENEWAL_EXTENDED,
        NotificationTypeV2.ONE_TIME_CHARGE, NotificationTypeV2.RENEWAL_EXTENSION,
    }, kinds
    subscribed = history(
        notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY
    )
    assert len(subscribed) == 5
    line = store.current("alice").originalTransactionId
    assert len(history(transactionId=line)) == 2
    assert history(onlyFailures=True) == []


def check_refusals(store):
    missing = "123456789"
    with store.serve() as client:
        calls = [
            (client.get_transaction_info, (missing,)),
            (client.get_all_subscription_statuses, (missing,)),
            (client.get_app_transaction_info, (missing,)),
            (client.get_refund_history, (missing, None)),
            (client.finish_transaction, (missing,)),
            (client.get_transaction_history, (missing, None, TransactionHistoryRequest())),
        ]
        for call, arguments in calls:
            fails_with(APIError.TRANSACTION_ID_NOT_FOUND, call, *arguments)
        fails_with(APIError.INVALID_TRANSACTION_ID, client.get_transaction_info, "abc")
        client._key_id = "ANOTHERKEY"
        try:
            client.get_transaction_info(missing)
            raise AssertionError("a token of another key is accepted")
        except APIException as error:
            assert (error.http_status_code, error.raw_api_error) == (401, None)
    for error, options in (
        (APIError.RATE_LIMIT_EXCEEDED, ["--too-many", "1"]),
    ):
        with store.serve(*options) as client:
            fails_with(error, client.get_transaction_info, missing)


def main(program):
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{receiver.server_port}/webhooks/apple"
    source = Path(__file__).parents[2] / "Sources/AppStoreSimulator/APIEndpoint.swift"
    endpoints = set(re.findall(r'case \w+ = "(.+)"', source.read_text()))
    for environment in (Environment.PRODUCTION, Environment.SANDBOX):
        with tempfile.TemporaryDirectory() as directory:
            store = Store(program, directory + "/store", environment, url)
            with store.serve() as client:
                client = Called(client)
                check_subscription(store, client)
                check_histories(store, client)
                check_extensions(store, client)
                check_stories(store, client)
                check_notifications(store, client)
            check_refusals(store)
            reached = {name for name in endpoints for line in store.log
                       if re.match(rf"20\d {re.escape(name)} /", line)}
            assert endpoints and reached == endpoints, f"not reached: {endpoints - reached}"
        for payload in Receiver.posted:
            store.verifier.verify_and_decode_notification(payload)
        assert Receiver.posted
        Receiver.posted.clear()
    methods = {
        name for name, _ in inspect.getmembers(AppStoreServerAPIClient, inspect.isfunction)
        if not name.startswith("_")
    }
    assert methods == Called.names | OTHERS, f"not called: {methods - Called.names - OTHERS}"
    print(
        f"library: {len(Called.names)} methods of Apple's client, {len(endpoints)} endpoints,"
        " both environments"
    )


if __name__ == "__main__":
    main(sys.argv[1])
