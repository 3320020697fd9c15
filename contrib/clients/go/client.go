// Package entitld asks the daemon entitld what users may do, over its Unix socket or, from another host,
// over HTTPS.
//
// At the socket one client is one connection that all calls share: many are under way at a time, and each
// reply finds its call. The connection is made with the first call, and again after it was lost.
package entitld

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	defaultSocket   = "/run/entitld/entitld.sock"
	frameBytesUsual = 1 << 20
)

// Options says where the daemon is. The zero value is the daemon on this host.
type Options struct {
	// SocketPath is that of the socket; by default ENTITLD_SOCKET, else /run/entitld/entitld.sock.
	SocketPath string
	// URL is https://HOST:PORT of the HTTPS door, in place of a socket; http only to this host.
	URL string
	// Token is the caller's, for the URL.
	Token string
	// RootCAs are the certificates to trust where the door's is not of a public authority.
	RootCAs *x509.CertPool

	// ReadTimeout, WriteTimeout, StoreTimeout (what the store may be asked about, or is as long as what it
	// is given) and PastTimeout (questions about the past, Dump and ExportUser) end calls whose context has
	// no deadline. By default they are 250 ms, 2 s, 30 s and 2 s. A backup has an hour.
	ReadTimeout  time.Duration
	WriteTimeout time.Duration
	StoreTimeout time.Duration
	PastTimeout  time.Duration

	// FrameBytesMax is the longest request that is sent and the longest reply that is taken, by default
	// 1 MiB. It is rpc.maxFrameBytes of the daemon.
	FrameBytesMax int

	// SharedAnswers lets CanRender keep answers in this process, and ask again only when the daemon's
	// file beside the socket says that somebody has changed. It needs rpc.sharedAnswers of the daemon;
	// without it every call asks. It is for a socket alone.
	SharedAnswers bool
}

// Client asks one daemon. Make one for a whole process: many goroutines may use it at once.
type Client struct {
	transport transport
	timeouts  timeouts
	shared    *sharedAnswers // nil without SharedAnswers

	lock     sync.Mutex
	isClosed bool
	watches  map[*Watch]bool
}

type transport interface {
	call(ctx context.Context, method string, params json.RawMessage, repeatable bool) (json.RawMessage, error)
	streamer
	close()
}

// New makes a client. It does not connect: the daemon may start later.
func New(options Options) (*Client, error) {
	for _, timeout := range []time.Duration{
		options.ReadTimeout, options.WriteTimeout, options.StoreTimeout, options.PastTimeout,
	} {
		if timeout < 0 {
			return nil, errors.New("entitld: a timeout is less than nothing")
		}
	}
	if options.FrameBytesMax < 0 {
		return nil, errors.New("entitld: FrameBytesMax is less than nothing")
	}
	if options.FrameBytesMax == 0 {
		options.FrameBytesMax = frameBytesUsual
	}
	carrier, err := newTransport(options)
	if err != nil {
		return nil, err
	}
	var shared *sharedAnswers
	if socket, isSocket := carrier.(*exchange); isSocket && options.SharedAnswers {
		shared = newSharedAnswers(socket.path)
	}
	return &Client{
		transport: carrier,
		shared:    shared,
		timeouts: timeouts{
			read:  orUsual(options.ReadTimeout, 250*time.Millisecond),
			write: orUsual(options.WriteTimeout, 2*time.Second),
			store: orUsual(options.StoreTimeout, 30*time.Second),
			past:  orUsual(options.PastTimeout, 2*time.Second),
		},
		watches: make(map[*Watch]bool),
	}, nil
}

func orUsual(given, usual time.Duration) time.Duration {
	if given == 0 {
		return usual
	}
	return given
}

func newTransport(options Options) (transport, error) {
	if options.URL == "" {
		if options.Token != "" || options.RootCAs != nil {
			return nil, errors.New("entitld: Token and RootCAs need a URL")
		}
		path := options.SocketPath
		if path == "" {
			path = os.Getenv("ENTITLD_SOCKET")
		}
		if path == "" {
			path = defaultSocket
		}
		return newExchange(strings.TrimPrefix(path, "unix://"), options.FrameBytesMax), nil
	}
	if options.SocketPath != "" {
		return nil, errors.New("entitld: SocketPath and URL exclude each other")
	}
	if options.SharedAnswers {
		return nil, errors.New("entitld: SharedAnswers needs a socket")
	}
	if options.Token == "" {
		return nil, errors.New("entitld: URL needs a Token")
	}
	return newDoor(options.URL, options.Token, options.RootCAs, options.FrameBytesMax)
}

// CallOption says something about one call.
type CallOption func(*callOptions)

type callOptions struct {
	repeatable *bool
}

// Repeatable says whether a call is safe to send twice. Without it that is decided by the method: questions
// are, commands with an idempotencyKey, and those that change nothing when they are repeated.
func Repeatable(isSafe bool) CallOption {
	return func(options *callOptions) { options.repeatable = &isSafe }
}

// Call calls any method; params are a struct or map that becomes a JSON object, or nil. The result is
// written to what result points to, unless that is nil; numbers in a place of any kind are json.Number.
// In a struct with an empty IdempotencyKey, or behind a pointer to one, a key is made up.
func (c *Client) Call(ctx context.Context, method string, params any, result any, options ...CallOption) error {
	var given callOptions
	for _, option := range options {
		option(&given)
	}
	return c.carry(ctx, method, params, result, given)
}

// The typed methods call this.
func (c *Client) call(ctx context.Context, method string, params any, result any) error {
	if c.shared != nil {
		if user, into := keepable(method, params, result); into != nil {
			return c.canRender(ctx, user, params, into)
		}
	}
	return c.carry(ctx, method, params, result, callOptions{})
}

func (c *Client) carry(ctx context.Context, method string, params, result any, options callOptions) error {
	whole, err := withKey(params)
	if err != nil {
		return err
	}
	text, err := encodedParams(whole)
	if err != nil {
		return err
	}
	given := hintsIn(method, text)
	err = c.ask(ctx, method, text, given, result, options)
	if key := given.key(); err != nil && key != "" {
		return keyed(err, key)
	}
	return err
}

func (c *Client) ask(
	ctx context.Context, method string, text json.RawMessage, given hints, result any, options callOptions,
) error {
	if err := ctx.Err(); err != nil {
		return ended(false, err)
	}
	repeatable := isRepeatable(method, given)
	if options.repeatable != nil {
		repeatable = *options.repeatable
	}
	if _, hasDeadline := ctx.Deadline(); !hasDeadline {
		limited, end := context.WithTimeout(ctx, c.timeouts.of(method, given))
		defer end()
		ctx = limited
	}
	answered, err := c.transport.call(ctx, method, text, repeatable)
	if err != nil {
		return err
	}
	return decodeResult(answered, result)
}

// Close ends the connection, what waits and what watches. Nothing runs on after it.
func (c *Client) Close() error {
	c.lock.Lock()
	c.isClosed = true
	watches := make([]*Watch, 0, len(c.watches))
	for watch := range c.watches {
		watches = append(watches, watch)
	}
	c.lock.Unlock()
	for _, watch := range watches {
		watch.stop(closed(false))
	}
	if c.shared != nil {
		c.shared.close()
	}
	c.transport.close()
	for _, watch := range watches {
		<-watch.over
	}
	return nil
}

// Remembers a watch until it ends.
func (c *Client) keep(watch *Watch) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.isClosed {
		return closed(false)
	}
	c.watches[watch] = true
	watch.forget = func() {
		c.lock.Lock()
		defer c.lock.Unlock()
		delete(c.watches, watch)
	}
	return nil
}
