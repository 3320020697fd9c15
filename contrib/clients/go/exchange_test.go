package entitld

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func echo(one asked) act { return result(one.params) }

func TestRepliesInAnotherOrderFindTheirCalls(t *testing.T) {
	first := make(chan asked, 1)
	daemon := play(t, func(one asked) act {
		if text(one.params) == "first" {
			first <- one
			return silence
		}
		time.AfterFunc(5*time.Millisecond, func() {
			one := <-first
			one.reply(map[string]any{"result": one.params})
		})
		return echo(one)
	})
	client := clientOf(t, daemon)
	order := make(chan string, 2)
	ask := func(user string) {
		answer, err := status(background, client, user)
		if err != nil {
			t.Error(err)
		}
		order <- answer
	}
	go ask("first")
	eventually(t, func() bool { return len(daemon.methods()) == 1 })
	go ask("second")
	equal(t, []string{<-order, <-order}, []string{"second", "first"})
	equal(t, daemon.connected(), 1)
}

func TestManyCallsShareOneConnection(t *testing.T) {
	daemon := play(t, echo)
	client := clientOf(t, daemon)
	var running sync.WaitGroup
	for number := 0; number < 500; number++ {
		running.Add(1)
		go func(user string) {
			defer running.Done()
			if answer, err := status(background, client, user); err != nil || answer != user {
				t.Errorf("%q for %q: %v", answer, user, err)
			}
		}(fmt.Sprintf("u%d", number))
	}
	running.Wait()
	equal(t, daemon.connected(), 1)
}

func TestSilenceTimesOutAndTheNextCallIsAnswered(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.method == "getStatus" {
			return silence
		}
		return result(map[string]any{})
	})
	client := clientOf(t, daemon, func(options *Options) { options.ReadTimeout = 20 * time.Millisecond })
	_, err := status(background, client, "alice")
	wants(t, err, "unknown", "timed_out")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("it wraps no deadline")
	}
	fine(t, ping(within(t, 5*time.Second), client))
}

func TestTheCallersDeadlineCounts(t *testing.T) {
	client := clientOf(t, play(t, func(asked) act { return silence }))
	begin := time.Now()
	wants(t, ping(within(t, 30*time.Millisecond), client), "unknown", "timed_out")
	if spent := time.Since(begin); spent < 25*time.Millisecond || spent > 5*time.Second {
		t.Fatal(spent)
	}
}

func TestACancelledCallEndsAtOnce(t *testing.T) {
	daemon := play(t, func(asked) act { return silence })
	client := clientOf(t, daemon)
	ctx, cancel := context.WithCancel(background)
	ends := make(chan error, 1)
	go func() { ends <- ping(ctx, client) }()
	eventually(t, func() bool { return len(daemon.methods()) == 1 })
	begin := time.Now()
	cancel()
	err := <-ends
	if time.Since(begin) > time.Second || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	wants(t, err, "unknown", "cancelled")
	err = ping(ctx, client)
	wants(t, err, "unavailable", "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	equal(t, len(daemon.methods()), 1)
}

func TestAReplyOverTheLimitIsRefusedByItsLength(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection == 1 {
			return act{raw: []byte{0, 0, 4, 1}}
		}
		return result(map[string]any{})
	})
	client := clientOf(t, daemon, func(options *Options) { options.FrameBytesMax = 1024 })
	wants(t, ping(background, client), "unknown", "malformed_reply")
	fine(t, ping(background, client))
}

func TestAReplyMayBeCutAnywhere(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if text(one.params) == "" {
			return silence
		}
		frame := framed(map[string]any{"jsonrpc": "2.0", "id": 1, "result": one.params})
		for _, piece := range frame {
			one.send([]byte{piece})
		}
		return silence
	})
	answer, err := status(background, clientOf(t, daemon), "alice")
	fine(t, err)
	equal(t, answer, "alice")
}

func TestALargeReply(t *testing.T) {
	large := map[string]any{"large": strings.Repeat("x", 500_000)}
	var answer map[string]any
	fine(t, clientOf(t, play(t, echo)).Call(background, "echo", large, &answer))
	equal(t, answer, large)
}

func TestClosingEndsWhatWaitsAndWhatComes(t *testing.T) {
	daemon := play(t, func(asked) act { return silence })
	client := clientOf(t, daemon)
	ends := make(chan error, 1)
	go func() { ends <- ping(background, client) }()
	eventually(t, func() bool { return len(daemon.methods()) == 1 })
	fine(t, client.Close())
	wants(t, <-ends, "unknown", "closed")
	wants(t, ping(background, client), "unavailable", "closed")
	nothingRuns(t)
	fine(t, client.Close())
}

func TestClosingWithoutADaemon(t *testing.T) {
	client := made(t, Options{SocketPath: "/tmp/entitld-nobody-here", ReadTimeout: time.Minute})
	ends := make(chan error, 1)
	go func() { ends <- ping(background, client) }()
	time.Sleep(20 * time.Millisecond)
	fine(t, client.Close())
	wants(t, <-ends, "unavailable", "closed")
	nothingRuns(t)
}

func TestMoreCallsThanMayWaitAreRefused(t *testing.T) {
	daemon := play(t, func(asked) act { return silence })
	client := clientOf(t, daemon)
	ends := make(chan error, callsInFlightMax)
	for number := 0; number < callsInFlightMax; number++ {
		go func() { ends <- ping(background, client) }()
	}
	eventually(t, func() bool { return len(daemon.methods()) == callsInFlightMax })
	wants(t, ping(background, client), "unavailable", "too_many_calls")
	fine(t, client.Close())
	for number := 0; number < callsInFlightMax; number++ {
		wants(t, <-ends, "unknown", "closed")
	}
}

func TestACallThatWasSetAsideIsOneOfThem(t *testing.T) {
	daemon := play(t, func(one asked) act { return act{hangUp: one.method == "version"} })
	client := clientOf(t, daemon)
	ends := make(chan error, callsInFlightMax)
	go func() {
		_, err := client.Version(background, VersionParams{})
		ends <- err
	}()
	eventually(t, func() bool { return daemon.countOf("version") >= 4 })
	for number := 1; number < callsInFlightMax; number++ {
		go func() { ends <- ping(background, client) }()
	}
	eventually(t, func() bool { return daemon.countOf("ping") == callsInFlightMax-1 })
	wants(t, ping(within(t, time.Second), client), "unavailable", "too_many_calls")
	fine(t, client.Close())
	for number := 0; number < callsInFlightMax; number++ {
		wants(t, <-ends, "unknown", "closed")
	}
}

func TestADaemonThatReadsNothingBlocksNoCaller(t *testing.T) {
	stuck := make(chan bool)
	daemon := play(t, func(asked) act { <-stuck; return silence })
	t.Cleanup(func() { close(stuck) })
	client := clientOf(t, daemon, func(options *Options) { options.FrameBytesMax = 2 << 20 })
	ctx := within(t, 100*time.Millisecond)
	var running sync.WaitGroup
	begin := time.Now()
	for number := 0; number < 10; number++ {
		running.Add(1)
		go func() {
			defer running.Done()
			large := map[string]any{"large": strings.Repeat("x", 1<<20)}
			var missing *Unavailable
			if err := client.Call(ctx, "echo", large, nil); !errors.As(err, &missing) {
				t.Error(err)
			}
		}()
	}
	running.Wait()
	if time.Since(begin) > 5*time.Second {
		t.Fatal("it waited for the daemon to read")
	}
	fine(t, client.Close())
	nothingRuns(t)
}

// Lost connections

func TestWhatMayBeRepeatedSurvivesALostConnection(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection == 1 {
			return act{hangUp: true}
		}
		return result(map[string]any{})
	})
	client := clientOf(t, daemon)
	fine(t, all(
		func() error { return ping(background, client) },
		func() error { return charge(background, client, "alice") },
		func() error {
			return client.Call(background, "x", map[string]any{"idempotencyKey": "k"}, nil)
		},
		func() error { return client.Call(background, "y", nil, nil, Repeatable(true)) },
	))
	equal(t, daemon.connected(), 2)
}

// The first error of calls that are under way together.
func all(calls ...func() error) error {
	ends := make(chan error, len(calls))
	for _, call := range calls {
		go func(call func() error) { ends <- call() }(call)
	}
	var first error
	for range calls {
		if err := <-ends; err != nil && first == nil {
			first = err
		}
	}
	return first
}

func TestARepetitionHasTheSameKey(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection < 3 {
			return act{hangUp: true}
		}
		return result(map[string]any{})
	})
	fine(t, charge(background, clientOf(t, daemon), "alice"))
	keys := make(map[any]bool)
	for _, one := range daemon.heard() {
		keys[one.params["idempotencyKey"]] = true
	}
	if len(keys) != 1 || len(daemon.heard()) != 3 {
		t.Fatal(keys)
	}
}

func TestACallThatGetsNoWordIsRepeatedUntilItsDeadline(t *testing.T) {
	daemon := play(t, func(asked) act { return act{hangUp: true} })
	begin := time.Now()
	err := ping(within(t, 1500*time.Millisecond), clientOf(t, daemon))
	if !isUnknown(err) || !isRetryable(err) || time.Since(begin) < 1400*time.Millisecond {
		t.Fatal(err, time.Since(begin))
	}
	// With pauses, of 50 ms at most.
	if sends := daemon.countOf("ping"); sends <= 20 || sends >= 80 {
		t.Fatal(sends)
	}
}

func TestFromItsThirdLossOnACallEndsNoConnectionOfOthers(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(one asked) act {
		switch one.method {
		case "ping", "version":
			return act{hangUp: true}
		case "revokeGrant":
			time.AfterFunc(300*time.Millisecond, func() { one.reply(map[string]any{"result": map[string]any{}}) })
			return silence
		default:
			return result(map[string]any{})
		}
	}
	client := clientOf(t, daemon)
	ctx, end := context.WithCancel(background)
	defer end()
	ends := make(chan error, 2)
	go func() { ends <- ping(ctx, client) }()
	go func() {
		_, err := client.Version(ctx, VersionParams{})
		ends <- err
	}()
	for daemon.countOf("ping") < 4 || daemon.countOf("version") < 4 {
		_, err := status(background, client, "alice")
		fine(t, err)
	}
	before := daemon.countOf("ping")
	fine(t, revoke(background, client)) // takes its time, and is not sent twice
	if daemon.countOf("ping") == before {
		t.Fatal("the guilty one was not sent meanwhile")
	}
	equal(t, daemon.countOf("revokeGrant"), 1)
	end()
	for number := 0; number < 2; number++ {
		if err := <-ends; !isUnknown(err) || !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	equal(t, len(client.transport.(*exchange).side.calls), 0)
	fine(t, client.Close())
	nothingRuns(t)
}

func TestACallThatWasSetAsideIsAnsweredOrClosedAsAnyOther(t *testing.T) {
	var lock sync.Mutex
	lost := make(map[string]int)
	daemon := play(t, func(one asked) act {
		lock.Lock()
		defer lock.Unlock()
		user := text(one.params)
		lost[user]++
		if user == "never" || lost[user] <= 4 {
			return act{hangUp: true}
		}
		return result(users(user))
	})
	client := clientOf(t, daemon)
	ends := make(chan error, 1)
	go func() {
		_, err := status(background, client, "never")
		ends <- err
	}()
	for _, user := range []string{"a", "b"} {
		said, err := status(background, client, user)
		fine(t, err)
		equal(t, said, user)
	}
	fine(t, client.Close())
	wants(t, <-ends, "unknown", "closed")
	nothingRuns(t)
}

func TestAWriteWithoutAKeyIsSentOnce(t *testing.T) {
	for name, call := range map[string]func(*Client) error{
		"revokeGrant": func(client *Client) error { return revoke(background, client) },
		"adjustCredits": func(client *Client) error {
			return client.Call(background, "adjustCredits", users("alice"), nil)
		},
		"ping": func(client *Client) error {
			return client.Call(background, "ping", nil, nil, Repeatable(false))
		},
	} {
		daemon := play(t, func(asked) act { return act{hangUp: true} })
		wants(t, call(clientOf(t, daemon)), "unknown", "connection_lost")
		equal(t, daemon.methods(), []string{name})
	}
}

func TestWhichMethodsAreSentTwiceWithoutAKey(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(one asked) act {
		if daemon.countOf(one.method) > 1 {
			return result(map[string]any{})
		}
		return act{hangUp: true}
	}
	client := clientOf(t, daemon)
	for _, method := range []string{
		"registerAccount", "reconcile", "sendConsumption", "load", "setLogLevel", "signOffer",
	} {
		fine(t, client.Call(within(t, 10*time.Second), method, nil, nil))
	}
	for _, method := range []string{
		"movePurchase", "revokeGrant", "eraseUser", "extendRenewal", "backup", "testNotification", "retryOutbox",
		"skipOutbox", "testOutbox", "consumeCredit", "grantCredits", "newMethod",
	} {
		wants(t, client.Call(background, method, nil, nil), "unknown", "connection_lost")
	}
}

func TestEveryQuestionIsSentTwice(t *testing.T) {
	for method := range questions {
		if !repeatableMethods[method] {
			t.Error(method)
		}
	}
}

// A daemon that is away, or starts

func TestACallWaitsForADaemonThatIsNotThereYet(t *testing.T) {
	daemon := absent(t, func(asked) act { return result(map[string]any{}) })
	client := clientOf(t, daemon)
	time.AfterFunc(100*time.Millisecond, func() { daemon.listen(t) })
	fine(t, all(
		func() error { return ping(background, client) },
		func() error { return charge(background, client, "alice") },
		func() error { return revoke(background, client) },
	))
	equal(t, len(daemon.methods()), 3)
}

func TestNobodyThereUntilTheDeadline(t *testing.T) {
	client := made(t, Options{SocketPath: "/tmp/entitld-nobody-here", WriteTimeout: 50 * time.Millisecond})
	begin := time.Now()
	err := charge(background, client, "alice")
	wants(t, err, "unavailable", "unreachable")
	if !isRetryable(err) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if time.Since(begin) < 45*time.Millisecond {
		t.Fatal("it was not tried until the deadline")
	}
	equal(t, len(client.transport.(*exchange).calls), 0)
	equal(t, client.transport.(*exchange).unsent.Len(), 0)
}

func TestAPlaceThatIsForbiddenIsToldAtOnce(t *testing.T) {
	if os.Getuid() == 0 {
		wants(t, because(unreachable(syscall.EACCES), nil), "unavailable", "permission_denied")
		return // nothing is forbidden
	}
	daemon := play(t, echo)
	fine(t, os.Chmod(daemon.path, 0))
	wants(t, ping(background, clientOf(t, daemon)), "unavailable", "permission_denied")
}

func TestWhatAStartingDaemonRefusesIsAskedAgainWhateverItIs(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(one asked) act {
		if len(daemon.methods()) <= 6 {
			return refusal(notReady)
		}
		return result(map[string]any{})
	}
	client := clientOf(t, daemon)
	fine(t, all(
		func() error { return ping(background, client) },
		func() error { return charge(background, client, "alice") },
		func() error { return revoke(background, client) },
	))
	if daemon.countOf("revokeGrant") < 2 {
		t.Fatal("it was not asked again")
	}
	equal(t, daemon.connected(), 1)
}

func TestAWriteWithoutAKeyThatIsLostAfterARefusalIsInDoubt(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(asked) act {
		if len(daemon.methods()) < 3 {
			return refusal(notReady)
		}
		return act{hangUp: true}
	}
	wants(t, revoke(background, clientOf(t, daemon)), "unknown", "connection_lost")
	equal(t, daemon.countOf("revokeGrant"), 3)
}

func TestADaemonThatStaysUnreadySaysSoItself(t *testing.T) {
	daemon := play(t, func(asked) act { return refusal(notReady) })
	client := clientOf(t, daemon)
	untilBetweenSends(t, func(ctx context.Context) error { return ping(ctx, client) }, "error", "not_ready")
	untilBetweenSends(t, func(ctx context.Context) error { return revoke(ctx, client) }, "error", "not_ready")
	if daemon.countOf("ping") < 3 || daemon.countOf("revokeGrant") < 3 {
		t.Fatal("it was not asked again")
	}
}

func TestAWriteThatMayHaveBeenKeptStaysUnknown(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection == 1 {
			return act{hangUp: true}
		}
		return refusal(notReady)
	})
	client := clientOf(t, daemon)
	var unknown *UnknownOutcome
	if err := charge(within(t, 100*time.Millisecond), client, "alice"); !errors.As(err, &unknown) {
		t.Fatal(err)
	}
}

func TestAWriteStaysUnknownWhereALaterSendIsAnsweredBeforeItsKeyIsLookedUp(t *testing.T) {
	for name, code := range blindErrors {
		daemon := play(t, func(one asked) act {
			if one.connection == 1 {
				return act{hangUp: true}
			}
			return refusal(failed(code, name, false))
		})
		client := clientOf(t, daemon)
		_, err := client.ConsumeCredit(background, ConsumeCreditParams{UserID: "alice", IdempotencyKey: "k"})
		wantsDoubt(t, err, code, name, "k")
		// Where no send is in doubt, it is the daemon's word.
		wants(t, charge(background, client, "alice"), "error", name)
	}
}

func TestWhatIsAnsweredAfterTheKeyIsLookedUpIsSaidAsItIs(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection == 1 {
			return act{hangUp: true}
		}
		return refusal(failed(-32023, "idempotency_mismatch", false))
	})
	wants(t, charge(background, clientOf(t, daemon), "alice"), "error", "idempotency_mismatch")
}

func TestAConnectionThatAStoppingDaemonDoesNotTakeIsMadeAgain(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection <= 20 {
			return act{raw: nameless(codeShuttingDown, "shutting_down", true)}
		}
		return result(map[string]any{})
	})
	fine(t, charge(background, clientOf(t, daemon), "alice"))
	equal(t, daemon.connected(), 21)
}

var shuttingDown = failed(codeShuttingDown, "shutting_down", true)

func TestWhatAStoppingDaemonHasRefusedIsNotSentAgainOverTheConnectionThatItEnds(t *testing.T) {
	daemon := play(t, nil)
	daemon.script = func(one asked) act {
		switch {
		case one.connection > 1:
			return result(map[string]any{})
		case daemon.countOf("revokeGrant") == 1:
			return refusal(shuttingDown)
		default:
			return act{hangUp: true}
		}
	}
	fine(t, revoke(background, clientOf(t, daemon)))
	equal(t, []int{daemon.connected(), daemon.countOf("revokeGrant")}, []int{2, 2})
}

func TestWhatIsUnderWayWhileADaemonStopsGetsItsAnswer(t *testing.T) {
	erased := make(chan asked, 1)
	daemon := play(t, func(one asked) act {
		switch {
		case one.method == "eraseUser":
			erased <- one
			return silence
		case one.connection == 1:
			return refusal(shuttingDown)
		default:
			return result(map[string]any{})
		}
	})
	client := clientOf(t, daemon)
	ends := make(chan error, 2)
	go func() {
		_, err := client.EraseUser(background, EraseUserParams{UserID: "alice"})
		ends <- err
	}()
	one := <-erased
	go func() { ends <- revoke(background, client) }()
	eventually(t, func() bool { return daemon.countOf("revokeGrant") == 1 })
	time.Sleep(20 * time.Millisecond) // it is not sent again meanwhile
	equal(t, daemon.methods(), []string{"eraseUser", "revokeGrant"})
	one.reply(map[string]any{"result": map[string]any{}})
	fine(t, <-ends)
	fine(t, <-ends)
	last := daemon.heard()[2]
	equal(t, []any{last.method, last.connection, daemon.connected()}, []any{"revokeGrant", 2, 2})
}

// Answers that name no call

func TestAnAnswerWithoutAnIDIsTheFaultOfOneCall(t *testing.T) {
	for name, answer := range map[string][]byte{
		"unknown_outcome": nameless(-32700, "parse_error", false),
		"malformed_reply": {0, 0, 0, 1, ']'},
	} {
		t.Run(name, func(t *testing.T) {
			var gathered sync.WaitGroup
			gathered.Add(7)
			daemon := play(t, func(one asked) act {
				if one.connection == 1 { // all are under way
					gathered.Done()
					if text(one.params) == "guilty" && one.method == "getStatus" {
						go func() {
							gathered.Wait()
							one.send(answer)
						}()
					}
					return silence
				}
				if text(one.params) == "guilty" {
					return act{raw: answer}
				}
				return echo(one)
			})
			client := clientOf(t, daemon)
			unknown := func(call func() error) func() error {
				return func() error {
					var unknown *UnknownOutcome
					if err := call(); !errors.As(err, &unknown) || unknown.Name != name {
						return fmt.Errorf("it is no unknown outcome: %w", err)
					}
					return nil
				}
			}
			fine(t, all(
				func() error { return charge(background, client, "a") },
				func() error { return charge(background, client, "b") },
				func() error { return charge(background, client, "c") },
				func() error {
					user, err := status(background, client, "d")
					if err == nil && user != "d" {
						err = errors.New(user)
					}
					return err
				},
				unknown(func() error { return revoke(background, client) }),
				unknown(func() error { return charge(background, client, "guilty") }),
				unknown(func() error { _, err := status(background, client, "guilty"); return err }),
			))
			equal(t, daemon.countOf("revokeGrant"), 1)
		})
	}
}

func TestCallsThatComeWhileTheGuiltyOneIsLookedForAreAnswered(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if text(one.params) == "guilty" {
			return act{raw: nameless(-32600, "invalid_request", false)}
		}
		if one.connection > 1 {
			time.AfterFunc(5*time.Millisecond, func() { one.reply(map[string]any{"result": one.params}) })
		}
		return silence
	})
	client := clientOf(t, daemon)
	var calls []func() error
	for number := 0; number < 12; number++ {
		number := number
		calls = append(calls, func() error {
			time.Sleep(time.Duration(number) * 2 * time.Millisecond)
			_, err := status(background, client, fmt.Sprint(number))
			return err
		})
	}
	calls = append(calls, func() error {
		time.Sleep(time.Millisecond)
		if _, err := status(background, client, "guilty"); !isUnknown(err) {
			return errors.New("nobody is guilty")
		}
		return nil
	})
	fine(t, all(calls...))
}

func TestCallsThatAreCancelledInAnyStateLeaveNothing(t *testing.T) {
	daemon := play(t, func(one asked) act {
		switch len(text(one.params)) % 5 {
		case 0:
			return act{hangUp: true}
		case 1:
			return refusal(notReady)
		case 2:
			return act{raw: nameless(-32700, "parse_error", false)}
		case 3:
			return silence
		default:
			return echo(one)
		}
	})
	client := clientOf(t, daemon)
	var running sync.WaitGroup
	for number := 0; number < 400; number++ {
		running.Add(1)
		go func(number int) {
			defer running.Done()
			ctx, cancel := context.WithCancel(background)
			time.AfterFunc(time.Duration(number%50)*time.Millisecond, cancel)
			charge(ctx, client, strings.Repeat("x", 1+number%20))
		}(number)
	}
	running.Wait()
	carrier := client.transport.(*exchange)
	carrier.lock.Lock()
	equal(t, []int{len(carrier.calls), carrier.unsent.Len(), carrier.sent.Len(), carrier.suspects.Len()}, []int{0, 0, 0, 0})
	carrier.lock.Unlock()
	fine(t, client.Close())
	nothingRuns(t)
}
