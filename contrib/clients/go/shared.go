package entitld

// Answers of canRender that are kept for as long as the daemon's marks say that they hold:
// docs/shared-answers.md has the rule.

import (
	"context"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	keptUsersMax = 10_000
	keptFor      = 10 * time.Second
	// How often the file is looked for, and whether it still is the one that is mapped.
	lookEvery = time.Second
	// So that goroutines seldom wait for each other.
	shardCount = 32
)

// A moment by two clocks: that on the wall, which somebody may set, and one that is never set back.
type moment struct {
	wall   int64 // microseconds, since a nanosecond's count ends in 2262
	steady time.Duration
}

func usualClock() func() moment {
	start := time.Now()
	return func() moment {
		now := time.Now()
		return moment{now.UnixMicro(), now.Sub(start)}
	}
}

// What a client with SharedAnswers knows.
type sharedAnswers struct {
	path    string
	clock   func() moment
	lookAt  atomic.Int64 // by the steady clock
	current atomic.Pointer[keptAnswers]

	lock     sync.Mutex
	isClosed bool
}

func newSharedAnswers(socket string) *sharedAnswers {
	return &sharedAnswers{path: socket + ".marks", clock: usualClock()}
}

// Answers from what is kept, else asks and keeps.
func (c *Client) canRender(ctx context.Context, user string, params any, into *RenderAnswer) error {
	if err := ctx.Err(); err != nil {
		return ended(false, err)
	}
	now := c.shared.clock()
	kept := c.shared.at(now)
	if kept == nil {
		return c.carry(ctx, "canRender", params, into, callOptions{})
	}
	group := kept.marks.groupOf(user)
	if kept.find(user, group, now, into) {
		return nil
	}
	generation := kept.marks.generation()
	if err := c.carry(ctx, "canRender", params, into, callOptions{}); err != nil {
		return err
	}
	kept.keep(user, group, generation, now, into)
	return nil
}

// Whether the answer to this call is one that may be kept.
func keepable(method string, params, result any) (user string, into *RenderAnswer) {
	if method != "canRender" {
		return "", nil
	}
	given, isTyped := params.(CanRenderParams)
	if !isTyped || given.MinSeq != nil || given.Cost != nil && *given.Cost != 1 {
		return "", nil
	}
	into, _ = result.(*RenderAnswer)
	return given.UserID, into
}

// What is kept by the file that is there; nil where there is none. One caller in a second looks.
func (s *sharedAnswers) at(now moment) *keptAnswers {
	due := s.lookAt.Load()
	if int64(now.steady) >= due && s.lookAt.CompareAndSwap(due, int64(now.steady+lookEvery)) {
		s.look()
	}
	return s.current.Load()
}

func (s *sharedAnswers) look() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if kept := s.current.Load(); s.isClosed || kept != nil && kept.marks.isAt(s.path) {
		return
	}
	// Nobody tells of changes in a file that has gone: what was kept by it goes with it.
	found, err := openMarks(s.path)
	if err != nil {
		s.current.Store(nil) // it may come
		return
	}
	s.current.Store(newKeptAnswers(found))
}

func (s *sharedAnswers) close() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.isClosed = true
	s.current.Store(nil)
}

// Answers that one mapped file tells the age of.
type keptAnswers struct {
	marks  *marks
	count  atomic.Int64
	shards [shardCount]shard
}

type shard struct {
	lock  sync.RWMutex
	users map[string]*keptAnswer
	_     [64]byte // the next one's lock is another cache line
}

// Nobody changes it after it was made.
type keptAnswer struct {
	answer     RenderAnswer
	generation uint64
	askedAt    int64 // by the clock on the wall
	changesAt  int64
	endsAt     time.Duration
}

func newKeptAnswers(marks *marks) *keptAnswers {
	made := &keptAnswers{marks: marks}
	for index := range made.shards {
		made.shards[index].users = make(map[string]*keptAnswer)
	}
	return made
}

// Writes the user's answer to into where it still holds.
func (k *keptAnswers) find(user string, group uint64, now moment, into *RenderAnswer) bool {
	home := &k.shards[group%shardCount]
	home.lock.RLock()
	one := home.users[user]
	home.lock.RUnlock()
	if one == nil || !k.marks.hold(group, uint64(one.answer.Seq), one.generation) ||
		now.wall < one.askedAt || now.wall >= one.changesAt || now.steady >= one.endsAt {
		return false
	}
	*into = ownCopy(&one.answer)
	return true
}

// Keeps an answer that was asked for at asked, when the generation was this.
func (k *keptAnswers) keep(user string, group, generation uint64, asked moment, answer *RenderAnswer) {
	one := &keptAnswer{
		answer: ownCopy(answer), generation: generation,
		askedAt: asked.wall, changesAt: math.MaxInt64, endsAt: asked.steady + keptFor,
	}
	if answer.NextChangeAt != nil {
		changes, err := time.Parse(time.RFC3339, *answer.NextChangeAt)
		if err != nil {
			return
		}
		one.changesAt = changes.UnixMicro()
		// Also where the clock on the wall is set back meanwhile.
		if left := one.changesAt - asked.wall; left < keptFor.Microseconds() {
			one.endsAt = asked.steady + time.Duration(left)*time.Microsecond
		}
	}
	// What does not hold now would only take the place of another; as would a seq that is none.
	if answer.Seq > 0 && one.endsAt > asked.steady && k.marks.hold(group, uint64(answer.Seq), generation) {
		k.put(user, group, one)
	}
}

func (k *keptAnswers) put(user string, group uint64, one *keptAnswer) {
	home := &k.shards[group%shardCount]
	home.lock.Lock()
	defer home.lock.Unlock()
	if _, isKnown := home.users[user]; !isKnown && k.count.Add(1) > keptUsersMax {
		k.count.Add(-1)
		// Any other makes room. Where everybody is in turn, the oldest would be the worst choice.
		if len(home.users) == 0 {
			return
		}
		for other := range home.users {
			delete(home.users, other)
			break
		}
	}
	// A copy, since the caller's may be a piece of something long.
	home.users[strings.Clone(user)] = one
}

// Callers may write through the pointers in an answer, so that each has its own. The strings themselves
// never change, and are shared.
func ownCopy(answer *RenderAnswer) RenderAnswer {
	own := *answer
	own.Via, own.Reason, own.NextChangeAt = again(own.Via), again(own.Reason), again(own.NextChangeAt)
	return own
}

func again(text *string) *string {
	if text == nil {
		return nil
	}
	own := *text
	return &own
}
