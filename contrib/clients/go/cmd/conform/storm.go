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
	settleTimeout = 10 * time.Second
	lateBy        = 250 * time.Millisecond
)

// What a storm came to; Tests/Conformance/storm.py says what each means.
type storm struct {
	lock     sync.Mutex
	counts   map[string]int
	early    []string
	other    []string
	doubtful []string // the keys of charges
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
	said := &storm{counts: map[string]int{}, early: []string{}, other: []string{}}
	var isOver atomic.Bool
	var working sync.WaitGroup
	work := func(timeout time.Duration, call func(context.Context) (string, error)) {
		defer working.Done()
		for !isOver.Load() {
			begin := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			meaning, err := call(ctx)
			cancel()
			said.count(meaning)
			said.judge(err, time.Since(begin), timeout)
		}
	}
	working.Add(askers + 1)
	charges := 0
	go work(chargeTimeout, func(ctx context.Context) (string, error) {
		charges++
		key := fmt.Sprintf("%s-%d", r.prefix, charges)
		err := r.charge(ctx, key)
		meaning := said.meaning(err, "consumed", "doubtful", "failed")
		if meaning == "doubtful" {
			said.doubtful = append(said.doubtful, key)
		}
		return meaning, err
	})
	for number := 0; number < askers; number++ {
		go work(askTimeout, func(ctx context.Context) (string, error) {
			user := names[rand.Intn(len(names))]
			credits, err := r.tested.GetCredits(ctx, entitld.GetCreditsParams{UserID: user})
			if err == nil && credits.Balance != balances[user] {
				return "crossed", nil
			}
			return said.meaning(err, "answered", "unanswered", "unanswered"), err
		})
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	isOver.Store(true)
	working.Wait()
	for _, key := range said.doubtful {
		ctx, cancel := context.WithTimeout(context.Background(), settleTimeout)
		err := r.charge(ctx, key)
		cancel()
		if err != nil {
			said.other = append(said.other, "still doubtful: "+err.Error())
		}
	}
	report := map[string]any{"early": said.early, "other": said.other}
	for _, name := range []string{"answered", "unanswered", "crossed", "late", "consumed", "doubtful", "failed"} {
		report[name] = said.counts[name]
	}
	text, err := json.Marshal(report)
	fmt.Println(string(text))
	return err
}

func (r *run) charge(ctx context.Context, key string) error {
	charged, err := r.tested.ConsumeCredit(ctx, entitld.ConsumeCreditParams{UserID: "spender", IdempotencyKey: key})
	if err == nil && charged.Outcome != "consumed" {
		return fmt.Errorf("the charge was %s", charged.Outcome)
	}
	return err
}

// Whether a call took more time than it had, or failed with much of it left.
func (s *storm) judge(err error, spent, timeout time.Duration) {
	if spent > timeout+lateBy {
		s.count("late")
	}
	if err != nil && spent < timeout*8/10 {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.early = append(s.early, fmt.Sprintf("after %d ms: %v", spent.Milliseconds(), err))
	}
}

func (s *storm) count(name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.counts[name]++
}

func (s *storm) meaning(err error, good, doubtful, failed string) string {
	var unknown *entitld.UnknownOutcome
	var unavailable *entitld.Unavailable
	var refused *entitld.Error
	switch {
	case err == nil:
		return good
	case errors.As(err, &unknown):
		return doubtful
	case errors.As(err, &unavailable):
		return failed
	case errors.As(err, &refused) && (refused.Name == "not_ready" || refused.Name == "shutting_down"):
		return failed // the daemon's last word before the deadline
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.other = append(s.other, err.Error())
	return "unexpected"
}
