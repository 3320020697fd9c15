package entitld

// The client beside the real daemon, which ENTITLD_BIN names the directory of.

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

type liveDaemon struct {
	t       *testing.T
	home    string
	port    int
	process *exec.Cmd

	sharesAnswers bool
}

func live(t *testing.T, frameBytesMax int) *liveDaemon {
	t.Helper()
	daemon := configured(t, frameBytesMax, false)
	daemon.start()
	t.Cleanup(func() { daemon.stop(syscall.SIGTERM) })
	return daemon
}

// A daemon that does not run yet.
func configured(t *testing.T, frameBytesMax int, sharesAnswers bool) *liveDaemon {
	t.Helper()
	if os.Getenv("ENTITLD_BIN") == "" {
		t.Skip("ENTITLD_BIN is not set")
	}
	home, err := os.MkdirTemp("", "entitld-") // t.TempDir's names are too long for a socket
	fine(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	daemon := &liveDaemon{t: t, home: home, port: freePort(), sharesAnswers: sharesAnswers}
	daemon.configure(frameBytesMax)
	return daemon
}

func (d *liveDaemon) configure(frameBytesMax int) {
	rpc := map[string]any{
		"socket": d.home + "/rpc.sock", "adminSocket": d.home + "/admin.sock", "maxFrameBytes": frameBytesMax,
	}
	if d.sharesAnswers {
		rpc["sharedAnswers"] = true
	}
	configuration, err := json.Marshal(map[string]any{
		"storage": map[string]any{"directory": d.home + "/data", "mapSizeGiB": 1},
		"rpc":     rpc,
		"apple":   map[string]any{"bundleId": "com.example.app", "environments": []string{"Sandbox"}},
		"log":     map[string]any{"level": "error", "format": "json"},
		"api": map[string]any{
			"listen": fmt.Sprintf("127.0.0.1:%d", d.port), "plaintext": true, "tokensFile": d.home + "/tokens",
			"requestsPerSecond": 100_000,
		},
	})
	fine(d.t, err)
	fine(d.t, os.WriteFile(d.home+"/entitld.yaml", configuration, 0o644))
	tokens := fmt.Sprintf("test app %x\n", sha256.Sum256([]byte("secret")))
	fine(d.t, os.WriteFile(d.home+"/tokens", []byte(tokens), 0o644))
}

func (d *liveDaemon) start() {
	program := filepath.Join(os.Getenv("ENTITLD_BIN"), "entitld")
	d.process = exec.Command(program, "serve", "--config", d.home+"/entitld.yaml")
	fine(d.t, d.process.Start())
}

func (d *liveDaemon) stop(signal syscall.Signal) {
	d.process.Process.Signal(signal)
	d.process.Wait()
}

func (d *liveDaemon) socket(name string) *Client {
	return d.made(Options{SocketPath: d.home + "/" + name + ".sock"})
}

func (d *liveDaemon) door(token string) *Client {
	return d.made(Options{URL: fmt.Sprintf("http://127.0.0.1:%d", d.port), Token: token})
}

func (d *liveDaemon) made(options Options) *Client {
	options.ReadTimeout, options.WriteTimeout = time.Minute, time.Minute
	return made(d.t, options)
}

// Both transports.
func (d *liveDaemon) clients() map[string]*Client {
	return map[string]*Client{"socket": d.socket("rpc"), "door": d.door("secret")}
}

// A port that nobody listens on, and that Linux lends to no connection.
func freePort() int {
	random := rand.New(rand.NewSource(time.Now().UnixNano()))
	for {
		port := 20_000 + random.Intn(12_000)
		if listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			listener.Close()
			return port
		}
	}
}

func grant(t *testing.T, admin *Client, user string, amount int64) {
	t.Helper()
	_, err := admin.GrantCredits(background, GrantCreditsParams{UserID: user, Amount: amount})
	fine(t, err)
}

func credits(t *testing.T, client *Client, user string) *GetCreditsResult {
	t.Helper()
	answer, err := client.GetCredits(background, GetCreditsParams{UserID: user})
	fine(t, err)
	return answer
}

func TestLiveBothTransportsAnswerAlike(t *testing.T) {
	daemon := live(t, frameBytesUsual)
	grant(t, daemon.socket("admin"), "alice", 10)
	for name, client := range daemon.clients() {
		answer, err := client.CanRender(background, CanRenderParams{UserID: "alice"})
		fine(t, err)
		charged, err := client.ConsumeCredit(background, ConsumeCreditParams{UserID: "alice", IdempotencyKey: name})
		fine(t, err)
		equal(t, []any{answer.CanRender, charged.Outcome}, []any{true, "consumed"})
		_, err = client.CommitReservation(background, CommitReservationParams{Reservation: "nobody's"})
		wants(t, err, "error", "not_found")
		_, err = client.GrantCredits(background, GrantCreditsParams{UserID: "alice", Amount: 1})
		wants(t, err, "error", "permission_denied")
	}
	clients := daemon.clients()
	here, err := clients["socket"].GetStatus(background, GetStatusParams{UserID: "alice"})
	fine(t, err)
	there, err := clients["door"].GetStatus(background, GetStatusParams{UserID: "alice"})
	fine(t, err)
	equal(t, here, there)
	wants(t, ping(background, daemon.door("another")), "unavailable", "permission_denied")
}

func TestLiveAFrameThatIsTooLongForTheDaemonAloneFailsAlone(t *testing.T) {
	daemon := live(t, 4096)
	client := daemon.socket("rpc")
	grant(t, daemon.socket("admin"), "alice", 1000)
	calls := []func() error{func() error {
		if _, err := status(background, client, strings.Repeat("x", 8000)); !isUnknown(err) {
			return fmt.Errorf("no unknown outcome: %w", err)
		}
		return nil
	}}
	for number := 0; number < 100; number++ {
		calls = append(calls, func() error { return charge(background, client, "alice") })
	}
	fine(t, all(calls...))
	equal(t, credits(t, client, "alice").Balance, 900)
}

func TestLiveWhatTheClientSendsIsWhatTheDaemonCanRead(t *testing.T) {
	client := live(t, frameBytesUsual).socket("rpc")
	// The daemon reads it and finds parameters that it does not know.
	for _, params := range []any{
		deep(31), wide(objectMembersMax), map[string]any{"text": "\U0001f600 \\ud83d \u0000 \u2028 <"},
		json.RawMessage(`{"a":"\ud83d\ude00","\u0061b":1}`),
	} {
		// Nothing is done, so that it may be sent again while the daemon starts.
		failure := client.Call(background, "consumeCredit", params, nil, Repeatable(true))
		wants(t, failure, "error", "invalid_params")
	}
}

func TestLiveAKilledDaemonLosesNoChargeAndDoublesNone(t *testing.T) {
	for _, transport := range []string{"socket", "door"} {
		t.Run(transport, func(t *testing.T) {
			daemon := live(t, frameBytesUsual)
			client := daemon.clients()[transport]
			grant(t, daemon.socket("admin"), "alice", 1_000_000)
			var charged atomic.Int64
			var running sync.WaitGroup
			over := make(chan struct{})
			for number := 0; number < 8; number++ {
				running.Add(1)
				go func() {
					defer running.Done()
					for {
						select {
						case <-over:
							return
						default:
						}
						params := ConsumeCreditParams{UserID: "alice", Amount: pointer(int64(3))}
						answer, err := client.ConsumeCredit(background, params)
						if err != nil || answer.Outcome != "consumed" {
							t.Error(answer, err)
							return
						}
						charged.Add(1)
					}
				}()
			}
			more := func() {
				wanted := charged.Load() + 200
				eventually(t, func() bool { return charged.Load() >= wanted || t.Failed() })
			}
			for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGKILL} {
				more()
				daemon.stop(signal)
				time.Sleep(100 * time.Millisecond)
				daemon.start()
			}
			more()
			close(over)
			running.Wait()
			equal(t, credits(t, client, "alice").Balance, 1_000_000-3*charged.Load())
		})
	}
}

func TestLiveAWatchGoesOnAfterARestart(t *testing.T) {
	for _, transport := range []string{"socket", "door"} {
		t.Run(transport, func(t *testing.T) {
			daemon := live(t, frameBytesUsual)
			client, admin := daemon.clients()[transport], daemon.socket("admin")
			grant(t, admin, "alice", 1)
			fine(t, ping(background, client))
			ctx, cancel := context.WithCancel(background)
			watch, err := client.Watch(ctx, WatchOptions{UserIDs: []string{"alice", "b c+d"}})
			fine(t, err)
			grant(t, admin, "bob", 1)
			grant(t, admin, "b c+d", 1)
			event := next(t, watch)
			equal(t, []any{event.Name, event.UserID, event.Status.CreditsRemaining}, []any{"entitlementChanged", "b c+d", 1})
			for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
				daemon.stop(signal)
				daemon.start()
				grant(t, admin, "alice", 1)
				last := event.Seq
				for event.UserID != "alice" || event.Seq <= last {
					event = next(t, watch)
				}
			}
			cancel()
			_, err = watch.Next(background)
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			watch, err = client.Watch(background, WatchOptions{})
			fine(t, err)
			fine(t, client.Close())
			_, err = watch.Next(background)
			wants(t, err, "unavailable", "closed")
		})
	}
}

func TestLiveAWatchThatIsRefusedSaysWhy(t *testing.T) {
	daemon := live(t, frameBytesUsual)
	fine(t, ping(background, daemon.door("secret")))
	fine(t, ping(background, daemon.socket("rpc")))
	_, err := daemon.door("another").Watch(background, WatchOptions{})
	wants(t, err, "unavailable", "permission_denied")
	for _, client := range daemon.clients() {
		eventually(t, func() bool {
			_, err = client.Watch(background, WatchOptions{UserIDs: []string{"a\a"}})
			var said *Error
			return errors.As(err, &said) && said.Name != "not_ready"
		})
		wants(t, err, "error", "invalid_params")
	}
}

func TestLiveAHoldReturnsWhenItsClientGoes(t *testing.T) {
	daemon := live(t, frameBytesUsual)
	grant(t, daemon.socket("admin"), "alice", 10)
	holder, client := daemon.socket("rpc"), daemon.socket("rpc")
	_, err := holder.ReserveCredits(background, ReserveCreditsParams{
		UserID: "alice", Amount: 4, TtlSeconds: 3600, ReleaseOnDisconnect: pointer(true),
	})
	fine(t, err)
	equal(t, credits(t, client, "alice").Held, 4)
	fine(t, holder.Close())
	eventually(t, func() bool { return credits(t, client, "alice").Held == 0 })
	equal(t, credits(t, client, "alice").Balance, 10)
}
