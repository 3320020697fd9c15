package entitld

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"
)

func TestEveryCallSendsItsMethodAndParameters(t *testing.T) {
	daemon := play(t, func(asked) act { return result(map[string]any{}) })
	client := clientOf(t, daemon)
	_, err := client.CanRender(background, CanRenderParams{UserID: "alice", Cost: pointer(int64(2))})
	fine(t, err)
	_, err = client.Version(background, VersionParams{})
	fine(t, err)
	_, err = client.ReserveCredits(background, ReserveCreditsParams{
		UserID: "alice", IdempotencyKey: "r", Amount: 3, TtlSeconds: 60, ReleaseOnDisconnect: pointer(true),
	})
	fine(t, err)
	equal(t, daemon.methods(), []string{"canRender", "version", "reserveCredits"})
	equal(t, daemon.heard()[0].params, map[string]any{"userId": "alice", "cost": 2})
	equal(t, daemon.heard()[1].params, map[string]any{})
	equal(t, daemon.heard()[2].params, map[string]any{
		"userId": "alice", "idempotencyKey": "r", "amount": 3, "ttlSeconds": 60, "releaseOnDisconnect": true,
	})
}

func TestAMissingKeyIsMadeUp(t *testing.T) {
	daemon := play(t, func(asked) act { return result(map[string]any{}) })
	client := clientOf(t, daemon)
	params := ConsumeCreditParams{UserID: "alice"}
	_, err := client.ConsumeCredit(background, params)
	fine(t, err)
	fine(t, client.Call(background, "consumeCredit", params, nil))
	fine(t, client.Call(background, "consumeCredit", users("alice"), nil))
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	first, _ := daemon.heard()[0].params["idempotencyKey"].(string)
	second, _ := daemon.heard()[1].params["idempotencyKey"].(string)
	if !form.MatchString(first) || !form.MatchString(second) || first == second {
		t.Fatal(first, second)
	}
	equal(t, daemon.heard()[2].params, users("alice"))
	// Behind a pointer, too, and the caller's own struct stays as it is.
	fine(t, client.Call(background, "consumeCredit", &params, nil))
	third, _ := daemon.heard()[3].params["idempotencyKey"].(string)
	equal(t, []any{form.MatchString(third), params}, []any{true, ConsumeCreditParams{UserID: "alice"}})
	var none *ConsumeCreditParams
	wants(t, client.Call(background, "consumeCredit", none, nil), "error", "malformed_request")
}

func TestAnErrorOfTheDaemonIsItsError(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.method == "getStatus" {
			return refusal(map[string]any{
				"code": -32029, "message": "too much",
				"data": map[string]any{"code": "overloaded", "retryable": true, "retryAfterMs": 100},
			})
		}
		return result(map[string]any{})
	})
	client := clientOf(t, daemon)
	_, err := status(background, client, "alice")
	wants(t, err, "error", "overloaded")
	var said *Error
	if !errors.As(err, &said) || said.Code != -32029 || said.Message != "too much" || !said.Retryable {
		t.Fatalf("%+v", said)
	}
	equal(t, said.Data, map[string]any{"code": "overloaded", "retryAfterMs": 100, "retryable": true})
	fine(t, ping(background, client))
	equal(t, daemon.connected(), 1)
}

func TestAnErrorNamesTheKeyOfItsCall(t *testing.T) {
	daemon := play(t, func(one asked) act {
		switch one.method {
		case "reserveCredits":
			return silence
		case "mergeAccounts":
			return result("nothing")
		default:
			return refusal(failed(-32020, "verification_failed", false))
		}
	})
	client := clientOf(t, daemon)
	key := func(err error) string {
		t.Helper()
		var said *Error
		if !errors.As(err, &said) {
			t.Fatal(err)
		}
		return said.IdempotencyKey
	}
	given := ConsumeCreditParams{UserID: "alice", IdempotencyKey: "mine"}
	_, err := client.ConsumeCredit(background, given)
	equal(t, key(err), "mine")
	equal(t, key(client.Call(background, "x", map[string]any{"idempotencyKey": "mine"}, nil)), "mine")
	over, cancel := context.WithCancel(background)
	cancel()
	_, err = client.ConsumeCredit(over, given)
	wants(t, err, "unavailable", "cancelled")
	equal(t, key(err), "mine")
	equal(t, len(daemon.heard()), 2)
	// What is made up is told, too, by each kind of error.
	_, late := client.ReserveCredits(within(t, 500*time.Millisecond), ReserveCreditsParams{UserID: "alice"})
	var unknown *UnknownOutcome
	if !errors.As(late, &unknown) || unknown.Name != "timed_out" {
		t.Fatal(late)
	}
	equal(t, unknown.IdempotencyKey, daemon.heard()[2].params["idempotencyKey"])
	_, malformed := client.MergeAccounts(background, MergeAccountsParams{FromUserID: "a", IntoUserID: "b"})
	equal(t, key(malformed), daemon.heard()[3].params["idempotencyKey"])
	equal(t, key(charge(background, client, "alice")), daemon.heard()[4].params["idempotencyKey"])
	// Others have none.
	_, err = status(background, client, "alice")
	equal(t, key(err), "")
	equal(t, key(revoke(background, client)), "")
	equal(t, key(client.Call(background, "x", map[string]any{"idempotencyKey": 7}, nil)), "")
}

func TestCallsThatFailTogetherNameEachItsOwnKey(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(asked) act {
		if len(daemon.heard()) < 3 {
			return silence
		}
		return act{hangUp: true}
	}
	client := clientOf(t, daemon)
	var calls []func() error
	for _, key := range []string{"a", "b", "c"} {
		key := key
		calls = append(calls, func() error {
			params := map[string]any{"idempotencyKey": key}
			err := client.Call(background, "x", params, nil, Repeatable(false))
			var unknown *UnknownOutcome
			if !errors.As(err, &unknown) || unknown.IdempotencyKey != key {
				return fmt.Errorf("%s: %w", key, err)
			}
			return nil
		})
	}
	fine(t, all(calls...))
}

func TestAResultOfAnotherKind(t *testing.T) {
	client := clientOf(t, play(t, func(asked) act { return result(map[string]any{"canRender": "yes"}) }))
	_, err := client.CanRender(background, CanRenderParams{UserID: "alice"})
	wants(t, err, "unknown", "malformed_reply")
}

func TestEachKindOfCallHasItsTime(t *testing.T) {
	daemon := play(t, func(one asked) act {
		time.AfterFunc(200*time.Millisecond, func() { one.reply(map[string]any{"result": map[string]any{}}) })
		return silence
	})
	client := clientOf(t, daemon, func(options *Options) {
		*options = Options{SocketPath: options.SocketPath, ReadTimeout: 20 * time.Millisecond,
			WriteTimeout: 40 * time.Millisecond, StoreTimeout: 10 * time.Second, PastTimeout: 11 * time.Second}
	})
	at := "2027-01-01T00:00:00.000Z"
	fine(t, all(
		func() error {
			_, err := client.VerifyPurchase(background, VerifyPurchaseParams{UserID: "alice"})
			return err
		},
		func() error { return client.Call(background, "reconcile", users("alice"), nil) },
		func() error { _, err := client.GetHistory(background, GetHistoryParams{UserID: "a"}); return err },
		func() error {
			_, err := client.GetStatus(background, GetStatusParams{UserID: "a", At: &at})
			return err
		},
		func() error { _, err := client.TestNotification(background, TestNotificationParams{}); return err },
		func() error { return ping(within(t, 10*time.Second), client) },
	))
	wants(t, ping(background, client), "unknown", "timed_out")
	wants(t, charge(background, client, "alice"), "unknown", "timed_out")
	usual, err := New(Options{})
	fine(t, err)
	seconds := int64(5)
	equal(t, usual.timeouts.of("ping", hints{}), 250*time.Millisecond)
	equal(t, usual.timeouts.of("consumeCredit", hints{}), 2*time.Second)
	equal(t, usual.timeouts.of("explain", hints{}), 2*time.Second)
	equal(t, usual.timeouts.of("signOffer", hints{}), 30*time.Second)
	equal(t, usual.timeouts.of("dump", hints{}), 2*time.Second)
	for _, method := range []string{"getManagementURL", "testOutbox", "load", "previewCatalog"} {
		equal(t, usual.timeouts.of(method, hints{}), 30*time.Second)
	}
	equal(t, usual.timeouts.of("backup", hints{}), time.Hour)
	equal(t, usual.timeouts.of("testNotification", hints{}), 90*time.Second)
	equal(t, usual.timeouts.of("testNotification", hints{TimeoutSeconds: &seconds}), 35*time.Second)
}

func TestTheSocketOfTheEnvironment(t *testing.T) {
	daemon := play(t, func(asked) act { return result(map[string]any{}) })
	t.Setenv("ENTITLD_SOCKET", "unix://"+daemon.path)
	fine(t, ping(within(t, 5*time.Second), made(t, Options{})))
	t.Setenv("ENTITLD_SOCKET", "")
	equal(t, made(t, Options{}).transport.(*exchange).path, "/run/entitld/entitld.sock")
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, options := range []Options{
		{URL: "https://a.example"},
		{URL: "http://a.example", Token: "t"},
		{URL: "ftp://a.example", Token: "t"},
		{URL: "a.example:1", Token: "t"},
		{URL: "https://", Token: "t"},
		{URL: "https://a.example", Token: "t", SocketPath: "/a"},
		{URL: "https://a.example", Token: "a\nb"},
		{Token: "t"},
		{URL: "https://a.example", Token: "t", SharedAnswers: true},
		{RootCAs: x509.NewCertPool()},
		{ReadTimeout: -1},
		{FrameBytesMax: -1},
	} {
		if _, err := New(options); err == nil {
			t.Errorf("%+v is taken", options)
		}
	}
}
