package entitld

import (
	"context"
	"math/rand"
	"os"
	"sync"
	"time"
)

// The longest pause before a call is tried again.
const pauseMax = 50 * time.Millisecond

// The package's own source is the same in every process before Go 1.20, and a source of one's own needs a
// lock.
var (
	jitterLock sync.Mutex
	jitter     = rand.New(rand.NewSource(time.Now().UnixNano() ^ int64(os.Getpid())))
)

// Half of a pause is random, so that a crowd does not come back together.
func jittered(pause time.Duration) time.Duration {
	jitterLock.Lock()
	defer jitterLock.Unlock()
	return pause/2 + time.Duration(jitter.Int63n(int64(pause/2)+1))
}

func longer(pause, least, most time.Duration) time.Duration {
	if pause *= 2; pause < least {
		return least
	}
	if pause > most {
		return most
	}
	return pause
}

// Waits, until ctx ends at the latest.
func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
