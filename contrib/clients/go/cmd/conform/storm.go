package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"entitld"
)

const (
	askers        = 31
	askTimeout    = 300 * time.Millisecond
	chargeTimeout = 2 * time.Second
	lateBy        = 250 * time.Millisecond
)

// What a storm came to; Tests/Conformance/storm.py says what each means.
type storm struct {
	lock   sync.Mutex
	counts map[string]int
	other  []string
}

// Asks and charges until the standard input ends.
func (r *run) storm() error {
	var balances map[string]int64
	if err := json.Unmarshal([]byte(os.Getenv("ENTITLD_STORM_USERS")), &balances); err != nil {
		return err
	}
	names := make([]string, 0, len(balances))
	for name := range balances {
		names = append(names, name)
	}
	said := &storm{counts: map[string]int{}}
	var isOver atomic.Bool
	var working sync.WaitGroup
	work := func(timeout time.Duration, call func(context.Context) string) {
		defer working.Done()
		for !isOver.Load() {
			begin := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			said.count(call(ctx))
			cancel()
			if time.Since(begin) > timeout+lateBy {
				said.count("late")
			}
		}
	}
	working.Add(askers + 1)
	go work(chargeTimeout, func(ctx context.Context) string {
		_, err := r.tested.ConsumeCredit(ctx, entitld.ConsumeCreditParams{UserID: "spender"})
		return said.meaning(err, "consumed", "doubtful", "failed")
	})
	for number := 0; number < askers; number++ {
		go work(askTimeout, func(ctx context.Context) string {
			user := names[rand.Intn(len(names))]
			credits, err := r.tested.GetCredits(ctx, entitld.GetCreditsParams{UserID: user})
			if err == nil && credits.Balance != balances[user] {
				return "crossed"
			}
			return said.meaning(err, "answered", "unanswered", "unanswered")
		})
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	isOver.Store(true)
	working.Wait()
	report := map[string]any{"other": said.other}
	for _, name := range []string{"answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed"} {
		report[name] = said.counts[name]
	}
	text, err := json.Marshal(report)
	fmt.Println(string(text))
	return err
}

func (s *storm) count(name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.counts[name]++
}

func (s *storm) meaning(err error, good, doubtful, failed string) string {
	var unknown *entitld.UnknownOutcome
	var unavailable *entitld.Unavailable
	switch {
	case err == nil:
		return good
	case errors.As(err, &unknown):
		return doubtful
	case errors.As(err, &unavailable):
		return failed
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.other = append(s.other, err.Error())
	return "unexpected"
}
