package entitld

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	connectionsMax = 64
	// Less than the 60 s after which the daemon closes, so that no call goes to a connection just then.
	idleMax = 45 * time.Second
	// How long a connection, and then its handshake, may take. A dial may outlive its call (from Go 1.23 on
	// it does): without a limit, hosts that take connections and say nothing would use up connectionsMax.
	dialMax = 10 * time.Second
)

// Carries calls over HTTPS, for callers that are not on the daemon's host: a request each, on connections
// that are kept. What may take as long as a store has connections of its own, so that checks never wait for
// a store that is slow.
//
// A call's context alone ends the waiting: until then, what the daemon has certainly not carried out is
// sent again, and so is what may be repeated.
type door struct {
	origin        string
	token         string
	frameBytesMax int
	lastID        atomic.Int64
	silenceMax    time.Duration
	client        *http.Client
	slow          *http.Client // for what may take as long as a store
	watcher       *http.Client // a connection for each watch
	living        context.Context
	end           context.CancelFunc

	lock     sync.Mutex
	running  sync.WaitGroup
	inFlight int
	isClosed bool
}

func newDoor(address, token string, roots *x509.CertPool, frameBytesMax int) (*door, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("entitld: URL: %w", err)
	}
	host := parsed.Hostname()
	isHere := host == "127.0.0.1" || host == "localhost" || host == "::1"
	if host == "" || parsed.Scheme != "https" && !(parsed.Scheme == "http" && isHere) {
		return nil, errors.New("entitld: URL must be https://HOST:PORT; http only to this host")
	}
	for _, character := range []byte(token) {
		if character <= ' ' || character > '~' {
			return nil, errors.New("entitld: Token has a character that no token has")
		}
	}
	living, end := context.WithCancel(context.Background())
	return &door{
		origin: parsed.Scheme + "://" + parsed.Host, token: token, frameBytesMax: frameBytesMax,
		silenceMax: silenceMax,
		client:     httpClient(roots, connectionsMax), slow: httpClient(roots, connectionsMax),
		watcher: httpClient(roots, 0), living: living, end: end,
	}, nil
}

// With at most so many connections; without a limit where that is 0.
func httpClient(roots *x509.CertPool, connectionsMax int) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialMax}).DialContext,
			TLSHandshakeTimeout: dialMax,
			TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			MaxConnsPerHost:     connectionsMax,
			MaxIdleConns:        connectionsMax,
			MaxIdleConnsPerHost: connectionsMax,
			IdleConnTimeout:     idleMax,
			DisableCompression:  true,
		},
		// The token is for nobody else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (d *door) call(
	ctx context.Context, method string, params json.RawMessage, repeatable bool,
) (json.RawMessage, error) {
	frame, err := requestFrame(d.lastID.Add(1), method, params, d.frameBytesMax)
	if err != nil {
		return nil, err
	}
	if err := d.begin(); err != nil {
		return nil, err
	}
	defer d.finish()
	until, end := untilEither(ctx, d.living)
	defer end()
	over := d.client
	if isSlow(method) {
		over = d.slow
	}
	return d.carry(until, ctx, over, frame[headerBytes:], repeatable)
}

func (d *door) begin() error {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.isClosed {
		return closed(false)
	}
	if d.inFlight >= callsInFlightMax {
		return tooManyCalls()
	}
	d.inFlight++
	d.running.Add(1)
	return nil
}

func (d *door) finish() {
	d.lock.Lock()
	defer d.lock.Unlock()
	d.inFlight--
	d.running.Done()
}

// Ends what waits, then the connections.
func (d *door) close() {
	d.lock.Lock()
	d.isClosed = true
	d.lock.Unlock()
	d.end()
	d.running.Wait()
	d.client.CloseIdleConnections()
	d.slow.CloseIdleConnections()
	d.watcher.CloseIdleConnections()
}

// What one send comes to.
type answer struct {
	result json.RawMessage
	err    error
	// The daemon has not carried it out.
	isUntouched bool
	// Somebody answered that the call is to come again.
	isWord bool
	// It is the daemon's last word.
	isFinal bool
	// How long the daemon wants to be left alone, or 0.
	wait time.Duration
}

// Sends it until there is a word about it, or no time is left. until ends with caller, or with the client.
func (d *door) carry(
	until, caller context.Context, over *http.Client, body []byte, repeatable bool,
) (json.RawMessage, error) {
	var last error // what is known of the sends so far
	for pause := time.Millisecond; ; pause = longer(pause, time.Millisecond, pauseMax) {
		said := d.send(until, over, body)
		if said.err == nil {
			return said.result, nil
		}
		if said.isFinal {
			if word, isWord := said.err.(*Error); isWord && isUnknown(last) {
				return nil, afterDoubt(word)
			}
			return nil, said.err
		}
		// A doubt stays one, whatever becomes of later sends. Why it could not be sent says more than that the
		// time ran out.
		ranOut := until.Err() != nil && said.isUntouched
		if last == nil || !isUnknown(last) && !ranOut {
			last = said.err
		}
		if until.Err() != nil {
			return nil, d.ending(last, caller)
		}
		if !isRetryable(said.err) {
			return nil, last
		}
		if !said.isUntouched && !repeatable {
			return nil, said.err
		}
		if said.wait == 0 {
			said.wait = jittered(pause)
		}
		wait(until, said.wait)
		if until.Err() != nil {
			return nil, d.ending(last, caller)
		}
	}
}

// What a call comes to that the caller, its deadline or close has ended.
func (d *door) ending(last error, caller context.Context) error {
	switch caller.Err() {
	case nil:
		return closed(isUnknown(last))
	case context.Canceled:
		return ended(isUnknown(last), context.Canceled)
	default:
		return because(last, context.DeadlineExceeded)
	}
}

func (d *door) send(until context.Context, over *http.Client, body []byte) answer {
	var isConnected atomic.Bool
	tracing := httptrace.WithClientTrace(until, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { isConnected.Store(true) },
	})
	request, err := http.NewRequestWithContext(tracing, http.MethodPost, d.origin+"/rpc", bytes.NewReader(body))
	if err != nil {
		return answer{err: malformedRequest(err.Error()), isFinal: true}
	}
	request.Header.Set("Authorization", "Bearer "+d.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := over.Do(request)
	if err != nil {
		return failedSend(err, isConnected.Load(), until)
	}
	defer response.Body.Close()
	text, err := readUpTo(response.Body, d.frameBytesMax)
	if err != nil {
		return failedSend(err, true, until)
	}
	return meaning(response, text)
}

func failedSend(err error, isConnected bool, until context.Context) answer {
	said := answer{isUntouched: !isConnected}
	switch {
	case until.Err() != nil:
		said.err = ended(isConnected, context.DeadlineExceeded)
	case errors.Is(err, errFrameLength):
		said.err = malformedReply(err.Error())
	case isConnected:
		said.err = unknownOutcome("connection_lost", "the connection ended before the reply", true)
	default:
		said.err = unavailable("unreachable", err.Error(), !isCertificateError(err))
	}
	return said
}

// Whether a connection was not made because the other side's certificate is not trusted. Asking again
// changes nothing about that; anything else may pass.
func isCertificateError(err error) bool {
	return errors.As(err, new(x509.UnknownAuthorityError)) || errors.As(err, new(x509.HostnameError)) ||
		errors.As(err, new(x509.CertificateInvalidError)) || errors.As(err, new(x509.SystemRootsError)) ||
		errors.As(err, new(x509.ConstraintViolationError)) || errors.As(err, new(x509.InsecureAlgorithmError)) ||
		errors.As(err, new(x509.UnhandledCriticalExtension))
}

func readUpTo(from io.Reader, frameBytesMax int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, int64(frameBytesMax)+1))
	if err == nil && len(text) > frameBytesMax {
		return nil, fmt.Errorf("%w: more than %d bytes", errFrameLength, frameBytesMax)
	}
	return text, err
}

// What a whole HTTP response says.
func meaning(response *http.Response, text []byte) answer {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > 3600 {
		seconds = 0
	}
	pause := time.Duration(seconds) * time.Second
	switch response.StatusCode {
	case http.StatusOK:
		return replyIn(text)
	case http.StatusUnauthorized:
		return answer{
			err:         unavailable("permission_denied", "the daemon does not know this token", false),
			isUntouched: true,
		}
	case http.StatusRequestEntityTooLarge:
		return answer{
			err:         &Error{Name: "request_too_large", Message: "the daemon takes no request of this length"},
			isUntouched: true,
		}
	case http.StatusTooManyRequests:
		return answer{
			err:         unavailable("overloaded", "too many requests of this token", true),
			isUntouched: true, wait: pause,
		}
	case http.StatusServiceUnavailable: // also where an answer came too late
		return answer{
			err:    unknownOutcome("connection_lost", "the daemon takes no more for now", true),
			isWord: true, wait: pause,
		}
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		// A proxy's: it has lost the daemon, maybe with the request, or has no answer of it yet.
		message := fmt.Sprintf("HTTP %d: a proxy has no answer of the daemon", response.StatusCode)
		return answer{err: unknownOutcome("connection_lost", message, true), isWord: true, wait: pause}
	default:
		return answer{err: malformedReply(fmt.Sprintf("HTTP %d is no reply of entitld", response.StatusCode))}
	}
}

func replyIn(text []byte) answer {
	said := parsedReply(text)
	switch {
	case said == nil || said.method != "":
		return answer{err: malformedReply("a reply is not what is documented")}
	case said.err != nil:
		// Only what starts or stops is waited for, of which nothing was carried out; any other error is the
		// caller's to see.
		isPassing := said.err.isPassing()
		return answer{err: said.err, isWord: true, isFinal: !isPassing, isUntouched: isPassing}
	default:
		return answer{result: said.result}
	}
}

// A context that ends with either, and with end.
func untilEither(caller, living context.Context) (until context.Context, end context.CancelFunc) {
	until, cancel := context.WithCancel(caller)
	over := make(chan struct{})
	go func() {
		select {
		case <-living.Done():
			cancel()
		case <-over:
		}
	}()
	return until, func() {
		close(over)
		cancel()
	}
}
