package entitld

// Kept answers beside the real daemon: never one that is older than a write that was answered.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Counts what goes over the line.
type counting struct {
	transport
	count atomic.Int64
}

func (c *counting) call(
	ctx context.Context, method string, params json.RawMessage, repeatable bool,
) (json.RawMessage, error) {
	c.count.Add(1)
	return c.transport.call(ctx, method, params, repeatable)
}

func liveSharing(t *testing.T) *liveDaemon {
	t.Helper()
	daemon := configured(t, frameBytesUsual, true)
	program := filepath.Join(os.Getenv("ENTITLD_BIN"), "entitld")
	said, err := exec.Command(program, "check-config", "--config", daemon.home+"/entitld.yaml").CombinedOutput()
	if strings.Contains(string(said), "sharedAnswers is no known key") {
		skipWhereCopied(t, "this daemon does not know rpc.sharedAnswers")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	daemon.start()
	t.Cleanup(func() { daemon.stop(syscall.SIGTERM) })
	return daemon
}

func TestLiveAKeptAnswerIsNeverOlderThanAWrite(t *testing.T) {
	const rounds, users, checks = 2_000, 20, 5
	daemon := liveSharing(t)
	admin := daemon.socket("admin")
	fine(t, ping(background, daemon.socket("rpc")))
	client := daemon.made(Options{SocketPath: daemon.home + "/rpc.sock", SharedAnswers: true})
	line := &counting{transport: client.transport}
	client.transport = line

	// Gives to a user, or takes, and compares what is answered from then on.
	write := func(round int) error {
		user, gives := fmt.Sprint("user ", round%users), round/users%2 == 0
		var err error
		if gives {
			_, err = admin.GrantCredits(background, GrantCreditsParams{UserID: user, Amount: 1})
		} else {
			_, err = admin.AdjustCredits(background, AdjustCreditsParams{UserID: user, Amount: -1})
		}
		for times := 0; err == nil && times < checks; times++ {
			var answer *RenderAnswer
			answer, err = client.CanRender(background, CanRenderParams{UserID: user})
			if err == nil && answer.CanRender != gives {
				err = fmt.Errorf("round %d, check %d: an old answer, %+v", round, times, *answer)
			}
		}
		return err
	}
	var done atomic.Int64
	over := make(chan error, 1)
	go func() {
		for round := 0; round < rounds; round++ {
			if err := write(round); err != nil {
				over <- err
				return
			}
			done.Add(1)
		}
		over <- nil
	}()
	// Between the kills, and while the daemon starts, the writer goes on.
	for kills := 1; kills <= 3; kills++ {
		eventually(t, func() bool { return done.Load() >= int64(kills*rounds/4) || len(over) > 0 })
		daemon.stop(syscall.SIGKILL)
		time.Sleep(50 * time.Millisecond)
		daemon.start()
	}
	fine(t, <-over)
	asked := line.count.Load()
	t.Logf("%d checks, %d of them asked", rounds*checks, asked)
	if asked >= rounds*checks/2 {
		t.Fatalf("%d of %d checks were asked for: nothing is kept", asked, rounds*checks)
	}
}

// A client that only reads, while the daemon is killed, and comes back with other answers.
func TestLiveAKilledDaemonsAnswersEndWithItsLife(t *testing.T) {
	daemon := liveSharing(t)
	admin := daemon.socket("admin")
	grant(t, admin, "alice", 1)
	client := daemon.made(Options{SocketPath: daemon.home + "/rpc.sock", SharedAnswers: true})
	line := &counting{transport: client.transport}
	client.transport = line
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		for times := 0; times < 3; times++ {
			_, err := client.CanRender(background, CanRenderParams{UserID: "alice"})
			fine(t, err)
		}
		daemon.stop(signal)
		daemon.start()
		fine(t, ping(background, admin)) // a life's first answer
		before := line.count.Load()
		_, err := client.CanRender(background, CanRenderParams{UserID: "alice"})
		fine(t, err)
		equal(t, line.count.Load(), before+1)
	}
}
