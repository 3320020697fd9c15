package entitld

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

const (
	watchPauseMin = 50 * time.Millisecond
	watchPauseMax = 5 * time.Second
)

// WatchOptions says of whom to hear, and from when on.
type WatchOptions struct {
	// UserIDs are the users to hear of; everybody where it is nil. A list that is empty but not nil is
	// refused: whoever computed it wants to hear of nobody.
	UserIDs []string
	// FromSeq is the journal position behind which to begin; from now on where it is nil.
	FromSeq *int64
}

// Event is one change, or word of a store, as the method watch describes them in proto/openrpc.json.
type Event struct {
	// Name is entitlementChanged, storeEvent, catalogChanged, resync, or one of a newer daemon. After a
	// resync or a catalogChanged, ask anew for what you keep.
	Name string `json:"-"`
	// Seq is the event's position in the journal.
	Seq int64 `json:"seq"`
	// UserID is whom it is about; empty where it is about nobody alone.
	UserID string `json:"userId"`
	// Cause says why the status changed.
	Cause string `json:"cause"`
	// Status is the whole answer of getStatus, of an entitlementChanged; else nil.
	Status *Status `json:"status"`
	// Coalesced says that it takes the place of older events.
	Coalesced bool `json:"coalesced"`
	// Params is all that the daemon said, with the members that have no place here: an EntitlementChange,
	// a StoreEvent, a CatalogChange or a Resync.
	Params json.RawMessage `json:"-"`
}

// Watch hears of each change as it happens, on a connection of its own that is made again when it was
// lost, and goes on where it was: it may give the changes of its last position twice.
type Watch struct {
	events chan Event
	ending context.Context // of the watch
	end    context.CancelFunc
	caller context.Context
	over   chan struct{} // closed when nothing runs any more
	forget func()

	lock sync.Mutex
	why  error // set before over is closed
}

// A transport's connection of its own: see stream in the exchange and the door.
type streamer interface {
	stream(ctx context.Context, users []string, fromSeq *int64, tell func(told) error) error
}

// Watch begins to hear of changes, and returns when the daemon tells them. The first connection must
// succeed, unless FromSeq says where to begin: then it is waited for. The watch lasts until ctx ends, or
// Close of it or of the client. Read it with Next: the daemon ends a connection that is not read.
func (c *Client) Watch(ctx context.Context, options WatchOptions) (*Watch, error) {
	if err := ctx.Err(); err != nil {
		return nil, ended(false, err)
	}
	if options.UserIDs != nil && len(options.UserIDs) == 0 {
		return nil, &Error{Name: "invalid_params", Message: "UserIDs is empty; nil means everybody"}
	}
	if _, err := encodedParams(watchParams{options.UserIDs, options.FromSeq}); err != nil {
		return nil, err
	}
	ending, end := context.WithCancel(ctx)
	watch := &Watch{events: make(chan Event), ending: ending, end: end, caller: ctx, over: make(chan struct{})}
	if err := c.keep(watch); err != nil {
		end()
		return nil, err
	}
	joined := make(chan struct{})
	follower := &follower{watch: watch, users: append([]string(nil), options.UserIDs...), joined: joined}
	if options.FromSeq != nil {
		position := *options.FromSeq
		follower.position = &position
	}
	go follower.run(c.transport)
	select {
	case <-joined:
		return watch, nil
	case <-watch.over:
	}
	select {
	case <-joined: // and ended since: Next says why
		return watch, nil
	default:
		return nil, watch.why
	}
}

// Next gives the next event. It returns ctx's error when that ends first, and the watch goes on; any other
// error is the end of the watch.
func (w *Watch) Next(ctx context.Context) (Event, error) {
	select {
	case event := <-w.events:
		return event, nil
	case <-w.over:
		return Event{}, w.why
	case <-ctx.Done():
		if w.caller.Err() != nil { // it is the same context, or one made from it
			<-w.over
			return Event{}, w.why
		}
		return Event{}, ctx.Err()
	}
}

// Close ends the watch, and leaves nothing running.
func (w *Watch) Close() error {
	w.stop(closed(false))
	<-w.over
	return nil
}

func (w *Watch) stop(why error) {
	w.lock.Lock()
	if w.why == nil {
		w.why = why
	}
	w.lock.Unlock()
	w.end()
}

// Keeps a watch where it was: everything up to position has been told.
type follower struct {
	watch    *Watch
	users    []string
	position *int64
	start    int64 // from which the connection tells everything
	pause    time.Duration
	joined   chan struct{} // closed at the first joining
}

func (f *follower) run(from streamer) {
	watch := f.watch
	defer close(watch.over)
	defer watch.forget()
	defer watch.end()
	for {
		err := from.stream(watch.ending, f.users, f.position, f.hear)
		if watch.ending.Err() == nil && f.position != nil && !endsWatch(err) {
			f.pause = longer(f.pause, watchPauseMin, watchPauseMax)
			wait(watch.ending, jittered(f.pause))
			if watch.ending.Err() == nil {
				continue
			}
		}
		if cause := watch.caller.Err(); cause != nil {
			err = ended(false, cause)
		}
		watch.stop(err)
		return
	}
}

// Whether no later connection can do better: what was asked for, or who asks, was refused, the other side's
// certificate is not trusted, or nobody can read what the daemon says. A fault of the daemon may pass.
func endsWatch(err error) bool {
	var said *Error
	return !errors.As(err, &said) || !said.Retryable && said.Code != codeInternalError
}

func (f *follower) hear(heard told) error {
	f.pause = 0
	if heard.joined != nil {
		f.join(*heard.joined)
		return nil
	}
	var params struct {
		Seq    *int64 `json:"seq"`
		Oldest *int64 `json:"oldest"`
	}
	if json.Unmarshal(heard.params, &params) != nil {
		return malformedEvent()
	}
	switch {
	case heard.event == "heartbeat":
		if params.Seq != nil {
			f.advance(*params.Seq)
		}
		return nil
	case heard.event == "resync":
		position := f.start
		if params.Oldest != nil && *params.Oldest > position {
			position = *params.Oldest
		}
		f.position = &position
	case params.Seq != nil:
		f.advance(*params.Seq - 1) // one position may change many users, and more of them may still come
	}
	event := Event{Name: heard.event, Params: heard.params}
	// What a newer daemon says in another way stays in Params.
	json.Unmarshal(heard.params, &event)
	select {
	case f.watch.events <- event:
		return nil
	case <-f.watch.ending.Done():
		return f.watch.ending.Err()
	}
}

func (f *follower) join(start int64) {
	f.start = start
	if f.position == nil {
		f.position = &start
	}
	if f.joined != nil {
		close(f.joined)
		f.joined = nil
	}
}

func (f *follower) advance(to int64) {
	if f.position == nil || to > *f.position {
		f.position = &to
	}
}
