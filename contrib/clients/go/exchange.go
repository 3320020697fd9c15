package entitld

import (
	"bufio"
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	callsInFlightMax = 1024
	// Frames are written together up to this length.
	writeBytes = 64 << 10
	// So many connections a call may lose beside others.
	lossesMax = 3
)

// Carries calls over one connection, which is made with the first call and again after it was lost.
//
// A call is in one of three lists (unsent, sent, suspects), or rests after the daemon said that it is not
// ready. Its context alone ends the waiting: until then the connection is tried again, and what may be
// repeated is repeated. A call that may be why connections end goes on over another one.
type exchange struct {
	path          string
	frameBytesMax int
	lastID        atomic.Int64
	living        context.Context // until it is closed
	end           context.CancelFunc
	running       sync.WaitGroup

	lock         *sync.Mutex // that of side, too
	link         *link       // connected
	hasAnswered  bool        // on this connection
	isEnding     bool        // it: the daemon stops, and nothing more is sent there
	isConnecting bool
	isClosed     bool
	refusal      error         // why the last attempt to connect failed
	pause        time.Duration // before the next attempt
	resting      *time.Timer   // runs during that pause
	calls        map[int64]*pending
	unsent       *list.List
	sent         *list.List
	suspects     *list.List // each to travel alone: see doubt
	isSolo       bool       // a suspect travels
	side         *exchange  // all of whose calls are suspects: see setAside
	isSide       bool
}

// One connection.
type link struct {
	net.Conn
	wake chan struct{} // something may be sent
	gone chan struct{} // closed when the connection is not used any more
}

// One call.
type pending struct {
	id         int64
	frame      []byte
	repeatable bool
	done       chan outcome // takes one
	home       *exchange    // that carries it now
	losses     int
	queue      *list.List // the list that it is in, and its place there
	place      *list.Element
	pause      time.Duration // before it is sent again
	rest       *time.Timer
	doubt      error // the daemon may have carried it out
	refusal    error // the daemon said that it is not ready
}

type outcome struct {
	result json.RawMessage
	err    error
}

func newExchange(path string, frameBytesMax int) *exchange {
	living, end := context.WithCancel(context.Background())
	return &exchange{
		path: path, frameBytesMax: frameBytesMax, living: living, end: end, calls: make(map[int64]*pending),
		lock: new(sync.Mutex), unsent: list.New(), sent: list.New(), suspects: list.New(),
	}
}

func (e *exchange) call(
	ctx context.Context, method string, params json.RawMessage, repeatable bool,
) (json.RawMessage, error) {
	id := e.lastID.Add(1)
	frame, err := requestFrame(id, method, params, e.frameBytesMax)
	if err != nil {
		return nil, err
	}
	call := &pending{id: id, frame: frame, repeatable: repeatable, done: make(chan outcome, 1), home: e}
	if err := e.begin(call); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		e.abandon(call, ctx.Err())
	case said := <-call.done:
		return said.result, said.err
	}
	said := <-call.done
	return said.result, said.err
}

// Ends the connection and what waits, and leaves nothing running.
func (e *exchange) close() {
	e.lock.Lock()
	e.isClosed = true
	if e.resting != nil {
		e.resting.Stop()
	}
	for _, call := range e.calls {
		e.reject(call, closed(e.isDoubtful(call)))
	}
	e.drop()
	side := e.side
	e.lock.Unlock()
	if side != nil {
		side.close()
	}
	e.end()
	e.running.Wait()
}

// All that follows is called with the lock held, unless it says that it takes the lock.

// Takes the lock.
func (e *exchange) begin(call *pending) error {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.isClosed {
		return closed(false)
	}
	if e.waiting() >= callsInFlightMax {
		return tooManyCalls()
	}
	e.calls[call.id] = call
	e.enter(call, e.unsent)
	e.goOn()
	return nil
}

// How many calls there are, those that were set aside included.
func (e *exchange) waiting() int {
	if e.side == nil {
		return len(e.calls)
	}
	return len(e.calls) + len(e.side.calls)
}

// Takes the lock: the call's context has ended.
func (e *exchange) abandon(call *pending, cause error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	home := call.home
	if cause == context.Canceled {
		home.reject(call, ended(home.isDoubtful(call), cause))
	} else {
		home.reject(call, because(home.lateness(call), cause))
	}
	home.goOn()
}

// Whether the daemon may have carried it out.
func (e *exchange) isDoubtful(call *pending) bool {
	return call.queue == e.sent || call.doubt != nil
}

func (e *exchange) lateness(call *pending) error {
	if call.queue != e.sent {
		for _, known := range []error{call.doubt, call.refusal, e.refusal} {
			if known != nil {
				return known
			}
		}
	}
	return ended(call.queue == e.sent, context.DeadlineExceeded)
}

func (e *exchange) enter(call *pending, queue *list.List) {
	e.leave(call)
	call.queue, call.place = queue, queue.PushBack(call)
}

func (e *exchange) leave(call *pending) {
	if call.queue != nil {
		call.queue.Remove(call.place)
	}
	call.queue, call.place = nil, nil
}

// Ends a call, wherever it stands.
func (e *exchange) finish(call *pending, said outcome) {
	if e.calls[call.id] != call {
		return
	}
	delete(e.calls, call.id)
	e.leave(call)
	if call.rest != nil {
		call.rest.Stop()
	}
	call.done <- said
}

func (e *exchange) reject(call *pending, err error) {
	e.finish(call, outcome{err: err})
}

// Has sent what may go now.
func (e *exchange) goOn() {
	if e.suspects.Len() == 0 && e.unsent.Len() == 0 {
		return
	}
	if e.link == nil {
		e.connect()
		return
	}
	if e.isEnding {
		// What is sent over it now may get no answer, and then nobody knows. Those under way get theirs.
		if e.sent.Len() == 0 {
			e.drop()
			e.rest()
		}
		return
	}
	select {
	case e.link.wake <- struct{}{}:
	default: // it is awake already
	}
}

// Takes the lock: the frames that may go now over this connection, or nil. It is all of them, or one
// suspect, on which everything else waits.
func (e *exchange) next(over *link) []byte {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.link != over || e.isEnding {
		return nil
	}
	if e.suspects.Len() > 0 || e.isSolo {
		if e.sent.Len() > 0 {
			return nil
		}
		suspect := e.suspects.Front()
		e.isSolo = suspect != nil
		if e.isSolo {
			return e.send(suspect)
		}
	}
	var frames []byte
	for first := e.unsent.Front(); first != nil && len(frames) < writeBytes; first = e.unsent.Front() {
		frames = append(frames, e.send(first)...)
	}
	return frames
}

func (e *exchange) send(place *list.Element) []byte {
	call := place.Value.(*pending)
	e.enter(call, e.sent)
	return call.frame
}

func (e *exchange) connect() {
	if e.isConnecting || e.resting != nil || e.isClosed || len(e.calls) == 0 {
		return
	}
	e.isConnecting = true
	e.running.Add(1)
	go e.dial()
}

// Takes the lock.
func (e *exchange) dial() {
	defer e.running.Done()
	conn, err := new(net.Dialer).DialContext(e.living, "unix", e.path)
	e.lock.Lock()
	defer e.lock.Unlock()
	e.isConnecting = false
	switch {
	case err != nil:
		e.refuse(err)
	case e.isClosed:
		conn.Close()
	default:
		e.hasAnswered, e.isEnding = false, false
		e.refusal = nil
		e.link = &link{Conn: conn, wake: make(chan struct{}, 1), gone: make(chan struct{})}
		e.running.Add(2)
		go e.write(e.link)
		go e.read(e.link)
	}
}

// The daemon may be about to start, so the calls wait; not where waiting cannot help.
func (e *exchange) refuse(err error) {
	refusal := unreachable(err)
	if isPassingErrno(err) {
		e.refusal = refusal
		e.rest()
		return
	}
	for _, call := range e.calls {
		if call.doubt != nil {
			e.reject(call, call.doubt)
		} else {
			e.reject(call, refusal)
		}
	}
}

func unreachable(err error) error {
	if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) {
		return unavailable("permission_denied", err.Error(), false)
	}
	return unavailable("unreachable", err.Error(), true)
}

// What a daemon that restarts, or whose backlog is full, answers to connect.
func isPassingErrno(err error) bool {
	passing := []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EAGAIN, syscall.ENOENT, syscall.EINTR}
	for _, errno := range passing {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// Connects again after a pause that doubles.
func (e *exchange) rest() {
	if e.resting != nil || e.isClosed || len(e.calls) == 0 {
		return
	}
	pause := jittered(e.pause)
	e.pause = longer(e.pause, time.Millisecond, pauseMax)
	e.resting = time.AfterFunc(pause, func() {
		e.lock.Lock()
		defer e.lock.Unlock()
		e.resting = nil
		e.goOn()
	})
}

func (e *exchange) drop() {
	if e.link != nil {
		close(e.link.gone)
		e.link.Close()
		e.link = nil
	}
}

// The connection has ended, with a word or without: what may be repeated is sent again, before what is new,
// and after a pause of its own from the second time on, since it may be the reason.
func (e *exchange) lost(word error) {
	e.drop()
	err := word
	if err == nil {
		err = unknownOutcome("connection_lost", "the connection ended before the reply", true)
	}
	for last := e.sent.Back(); last != nil; last = e.sent.Back() {
		call := last.Value.(*pending)
		call.doubt = err
		if word == nil {
			call.losses++
		}
		switch {
		case !call.repeatable:
			e.reject(call, err)
		case call.losses >= lossesMax && !e.isSide:
			e.setAside(call)
		case call.pause == 0:
			call.pause = longer(0, time.Millisecond, pauseMax)
			e.leave(call)
			call.queue, call.place = e.unsent, e.unsent.PushFront(call)
		default:
			e.repeatLater(call)
		}
	}
	if e.hasAnswered {
		e.goOn()
	} else {
		e.rest()
	}
}

// Something came that is about one of the calls under way, and does not say about which: nobody knows
// what became of any of them. Each that may be repeated travels alone, so that the one that is guilty is
// found, and no other fails with it.
func (e *exchange) doubt(err error) {
	e.drop()
	isAlone := e.sent.Len() == 1
	for first := e.sent.Front(); first != nil; first = e.sent.Front() {
		call := first.Value.(*pending)
		call.doubt = err
		if call.repeatable && !isAlone {
			e.enter(call, e.suspects)
		} else {
			e.reject(call, err)
		}
	}
	e.goOn()
}

// A call that has lost so many connections may be the reason. It goes on over one on which such calls travel
// one at a time, so that it ends none on which others are under way, and nobody waits for it.
func (e *exchange) setAside(call *pending) {
	if e.side == nil {
		e.side = newExchange(e.path, e.frameBytesMax)
		e.side.lock, e.side.isSide = e.lock, true
	}
	e.leave(call)
	delete(e.calls, call.id)
	call.home = e.side
	e.side.calls[call.id] = call
	e.side.repeatLater(call)
}

// Takes the lock, each time that it looks what to send.
func (e *exchange) write(over *link) {
	defer e.running.Done()
	for {
		frames := e.next(over)
		if frames == nil {
			select {
			case <-over.wake:
				continue
			case <-over.gone:
				return
			}
		}
		if _, err := over.Write(frames); err != nil {
			// The reader hears of it, and of what the daemon said before.
			over.SetReadDeadline(time.Now().Add(time.Second))
			return
		}
	}
}

// Takes the lock for each message.
func (e *exchange) read(over *link) {
	defer e.running.Done()
	from := bufio.NewReaderSize(over, writeBytes)
	for {
		body, err := readFrame(from, e.frameBytesMax)
		var said *reply
		if err == nil {
			said = parsedReply(body)
		}
		if !e.hear(over, said, err) {
			return
		}
	}
}

// Takes the lock. Whether the connection goes on.
func (e *exchange) hear(over *link, said *reply, err error) bool {
	e.lock.Lock()
	defer e.lock.Unlock()
	if e.link != over {
		return false
	}
	switch {
	case errors.Is(err, errFrameLength):
		e.doubt(malformedReply(err.Error()))
	case err != nil:
		e.lost(nil)
	case said == nil:
		e.doubt(malformedReply("a reply is not what is documented"))
	default:
		e.settle(said)
	}
	return e.link == over
}

func (e *exchange) settle(said *reply) {
	if said.method != "" {
		return // a notification
	}
	if said.isNameless {
		e.settleNameless(said.err)
		return
	}
	e.hasAnswered = true
	e.pause = 0
	call := e.calls[said.id]
	switch {
	case call == nil: // it has ended before
		return
	case said.err == nil:
		e.finish(call, outcome{result: said.result})
	case said.err.isPassing():
		call.refusal = said.err // nothing of it was carried out, so that it may come again, whatever it is
		e.isEnding = e.isEnding || said.err.Code == codeShuttingDown
		e.repeatLater(call)
	case call.doubt != nil:
		e.reject(call, afterDoubt(said.err))
	default:
		e.reject(call, said.err)
	}
	e.goOn()
}

func (e *exchange) settleNameless(said *Error) {
	message := fmt.Sprintf("the daemon answered (%d), without saying to which call: %s", said.Code, said.Message)
	unknown := unknownBy(said, message)
	if !said.Retryable {
		e.doubt(unknown)
		return
	}
	// It has no place for the connection, or stops: nothing is wrong with the calls.
	e.hasAnswered = false // so that there is a pause
	e.lost(unknown)
}

// Sends it again after a pause that doubles.
func (e *exchange) repeatLater(call *pending) {
	e.leave(call)
	pause := jittered(call.pause)
	call.pause = longer(call.pause, time.Millisecond, pauseMax)
	call.rest = time.AfterFunc(pause, func() {
		e.lock.Lock()
		defer e.lock.Unlock()
		if e.calls[call.id] != call || call.queue != nil {
			return
		}
		if e.isSide {
			e.enter(call, e.suspects)
		} else {
			e.enter(call, e.unsent)
		}
		e.goOn()
	})
}
