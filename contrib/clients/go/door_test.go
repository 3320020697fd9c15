package entitld

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// A request that a played door has read.
type knocked struct {
	path, method, authorization string
	call                        struct {
		ID     int64
		Method string
		Params map[string]any
	}
}

type respond func(http.ResponseWriter, knocked)

type fakeDoor struct {
	server      *httptest.Server
	lock        sync.Mutex
	asked       []knocked
	connections int
}

// A door that answers with the next of replies, the last one again and again.
func playDoor(t *testing.T, replies ...respond) (*fakeDoor, *Client) {
	t.Helper()
	door := new(fakeDoor)
	door.server = httptest.NewUnstartedServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		one := knocked{path: request.URL.Path, method: request.Method, authorization: request.Header.Get("Authorization")}
		body, _ := io.ReadAll(request.Body)
		json.Unmarshal(body, &one.call)
		door.lock.Lock()
		door.asked = append(door.asked, one)
		reply := replies[0]
		if len(replies) > 1 {
			replies = replies[1:]
		}
		door.lock.Unlock()
		reply(response, one)
	}))
	door.server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		door.lock.Lock()
		defer door.lock.Unlock()
		if state == http.StateNew {
			door.connections++
		}
	}
	door.server.Start()
	t.Cleanup(door.server.Close)
	patient := Options{URL: door.server.URL, Token: "secret", ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second}
	return door, made(t, patient)
}

func (f *fakeDoor) heard() []knocked {
	f.lock.Lock()
	defer f.lock.Unlock()
	return append([]knocked(nil), f.asked...)
}

func (f *fakeDoor) count() int {
	return len(f.heard())
}

func says(members string) respond {
	return func(response http.ResponseWriter, one knocked) {
		fmt.Fprintf(response, `{"jsonrpc":"2.0","id":%d,%s}`, one.call.ID, members)
	}
}

func errs(code int, name string, retryable bool) respond {
	text, _ := json.Marshal(failed(code, name, retryable))
	return says(`"error":` + string(text))
}

func statusCode(code int, retryAfter string) respond {
	return func(response http.ResponseWriter, _ knocked) {
		if retryAfter != "" {
			response.Header().Set("Retry-After", retryAfter)
		}
		response.WriteHeader(code)
		io.WriteString(response, `{"error":"x"}`)
	}
}

func hangUp(response http.ResponseWriter, _ knocked) {
	conn, _, err := response.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

func quiet(_ http.ResponseWriter, _ knocked) { time.Sleep(300 * time.Millisecond) }

func TestDoorACallIsOneRequestWithItsToken(t *testing.T) {
	door, client := playDoor(t, says(`"result":{"canRender":true}`))
	answer, err := client.CanRender(background, CanRenderParams{UserID: "alice"})
	fine(t, err)
	if !answer.CanRender {
		t.Fatal("not what was said")
	}
	one := door.heard()[0]
	equal(t, []string{one.path, one.method, one.authorization}, []string{"/rpc", "POST", "Bearer secret"})
	equal(t, one.call.Params, users("alice"))
}

func TestDoorManyCallsShareKeptConnections(t *testing.T) {
	door, client := playDoor(t, says(`"result":{}`))
	var calls []func() error
	for number := 0; number < 500; number++ {
		calls = append(calls, func() error { return ping(background, client) })
	}
	fine(t, all(calls...))
	fine(t, client.Close())
	nothingRuns(t)
	equal(t, door.count(), 500)
	door.lock.Lock()
	defer door.lock.Unlock()
	// The HTTP package gives up a connection now and then, under load.
	if door.connections > 2*connectionsMax {
		t.Fatal(door.connections)
	}
}

func TestDoorAnErrorOfTheDaemonIsItsError(t *testing.T) {
	door, client := playDoor(t, errs(-32021, "ownership_conflict", false))
	_, err := client.VerifyPurchase(background, VerifyPurchaseParams{UserID: "bob"})
	wants(t, err, "error", "ownership_conflict")
	equal(t, door.count(), 1)
	_, busy := playDoor(t, errs(-32029, "overloaded", true))
	wants(t, ping(background, busy), "error", "overloaded")
}

func TestDoorWhatMayBeRepeatedIs(t *testing.T) {
	door, client := playDoor(t, hangUp, says(`"result":{"outcome":"consumed"}`))
	fine(t, charge(background, client, "alice"))
	equal(t, door.count(), 2)
	equal(t, door.heard()[0].call.Params, door.heard()[1].call.Params)
	once, client := playDoor(t, hangUp, says(`"result":{}`))
	wants(t, revoke(background, client), "unknown", "connection_lost")
	equal(t, once.count(), 1)
	never, client := playDoor(t, hangUp)
	err := ping(within(t, 500*time.Millisecond), client)
	if !isUnknown(err) || never.count() < 7 || never.count() > 30 {
		t.Fatal(err, never.count())
	}
}

func TestDoorAWriteStaysUnknownWhereALaterSendIsAnsweredBeforeItsKeyIsLookedUp(t *testing.T) {
	for name, code := range blindErrors {
		for _, early := range []respond{hangUp, statusCode(502, "")} {
			door, client := playDoor(t, early, errs(code, name, false))
			err := charge(background, client, "alice")
			wantsDoubt(t, err, code, name, door.heard()[0].call.Params["idempotencyKey"].(string))
			wants(t, charge(background, client, "alice"), "error", name)
		}
	}
	_, client := playDoor(t, hangUp, errs(-32023, "idempotency_mismatch", false))
	wants(t, charge(background, client, "alice"), "error", "idempotency_mismatch")
}

func TestDoorWhatPassesIsWaitedFor(t *testing.T) {
	for _, early := range []respond{
		errs(codeNotReady, "not_ready", true), statusCode(429, "0"), statusCode(502, ""), statusCode(503, ""),
		statusCode(504, ""),
	} {
		door, client := playDoor(t, early, early, says(`"result":{"outcome":"consumed"}`))
		fine(t, charge(background, client, "alice"))
		equal(t, door.count(), 3)
	}
	// A proxy may have no daemon for a while.
	long := make([]respond, 20)
	for place := range long {
		long[place] = statusCode(502, "")
	}
	_, patient := playDoor(t, append(long, says(`"result":{}`))...)
	fine(t, ping(background, patient))
	// The daemon may have got it from the proxy.
	for _, code := range []int{502, 503, 504} {
		once, client := playDoor(t, statusCode(code, ""))
		wants(t, revoke(background, client), "unknown", "connection_lost")
		equal(t, once.count(), 1)
	}
	// Nothing was carried out: it is sent again even where a repeat could do it twice.
	for _, early := range []respond{
		statusCode(429, "0"), errs(codeNotReady, "not_ready", true), errs(codeShuttingDown, "shutting_down", true),
	} {
		door, client := playDoor(t, early, says(`"result":{}`))
		fine(t, revoke(background, client))
		equal(t, door.count(), 2)
	}
	_, client := playDoor(t, errs(codeNotReady, "not_ready", true))
	untilBetweenSends(t, func(ctx context.Context) error { return revoke(ctx, client) }, "error", "not_ready")
	untilBetweenSends(t, func(ctx context.Context) error { return ping(ctx, client) }, "error", "not_ready")
	_, client = playDoor(t, statusCode(429, "30"))
	err := ping(within(t, 100*time.Millisecond), client)
	wants(t, err, "unavailable", "overloaded")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

func TestDoorATokenThatIsNotKnownIsToldAtOnce(t *testing.T) {
	door, client := playDoor(t, statusCode(401, ""))
	wants(t, ping(background, client), "unavailable", "permission_denied")
	equal(t, door.count(), 1)
	_, client = playDoor(t, statusCode(413, ""))
	wants(t, ping(background, client), "error", "request_too_large")
}

func TestDoorTheDeadlineEndsTheWaiting(t *testing.T) {
	_, client := playDoor(t, quiet)
	err := ping(within(t, 50*time.Millisecond), client)
	wants(t, err, "unknown", "timed_out")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	time.AfterFunc(30*time.Millisecond, cancel)
	begin := time.Now()
	err = ping(ctx, client)
	wants(t, err, "unknown", "cancelled")
	if !errors.Is(err, context.Canceled) || time.Since(begin) > 200*time.Millisecond {
		t.Fatal(err)
	}
	ends := make(chan error, 1)
	go func() { ends <- ping(background, client) }()
	time.Sleep(30 * time.Millisecond)
	fine(t, client.Close())
	wants(t, <-ends, "unknown", "closed")
	wants(t, ping(background, client), "unavailable", "closed")
	nothingRuns(t)
}

func TestDoorConnectionsThatEndedWhileTheyWereIdleFailNoCall(t *testing.T) {
	var together sync.WaitGroup
	together.Add(connectionsMax)
	door, client := playDoor(t, func(response http.ResponseWriter, one knocked) {
		if one.call.Method == "slow" {
			together.Done()
			together.Wait()
		}
		says(`"result":{}`)(response, one)
	})
	var calls []func() error
	for number := 0; number < connectionsMax; number++ {
		calls = append(calls, func() error {
			return client.Call(within(t, 20*time.Second), "slow", nil, nil, Repeatable(true))
		})
	}
	fine(t, all(calls...))
	door.server.CloseClientConnections()
	fine(t, ping(within(t, 250*time.Millisecond), client))
}

func TestDoorADaemonThatIsNotThereYetIsWaitedFor(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fine(t, err)
	address := listener.Addr().String()
	fine(t, listener.Close())
	client := made(t, Options{URL: "http://" + address, Token: "secret", ReadTimeout: 5 * time.Second})
	wants(t, ping(within(t, 50*time.Millisecond), client), "unavailable", "unreachable")
	time.AfterFunc(100*time.Millisecond, func() {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Error(err)
			return
		}
		go http.Serve(listener, http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
			io.WriteString(response, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		}))
		t.Cleanup(func() { listener.Close() })
	})
	fine(t, ping(background, client))
}

func TestDoorWhatIsNoReplyIsMalformed(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", "<html>", "null", `{"jsonrpc":"2.0","id":1,"error":{}}`} {
		_, client := playDoor(t, func(response http.ResponseWriter, _ knocked) { io.WriteString(response, body) })
		wants(t, ping(background, client), "unknown", "malformed_reply")
	}
	_, client := playDoor(t, statusCode(404, ""))
	wants(t, ping(background, client), "unknown", "malformed_reply")
	_, client = playDoor(t, func(response http.ResponseWriter, _ knocked) {
		response.Write(make([]byte, frameBytesUsual+1))
	})
	wants(t, ping(background, client), "unknown", "malformed_reply")
}

func TestDoorATokenIsForNobodyElse(t *testing.T) {
	other, _ := playDoor(t, says(`"result":{}`))
	_, client := playDoor(t, func(response http.ResponseWriter, _ knocked) {
		response.Header().Set("Location", other.server.URL+"/rpc")
		response.WriteHeader(http.StatusTemporaryRedirect)
	})
	wants(t, ping(background, client), "unknown", "malformed_reply")
	equal(t, other.count(), 0)
}

func TestDoorACertificateIsTrustedOrNot(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		io.WriteString(response, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it hears of the client that does not trust it
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	fine(t, ping(within(t, 5*time.Second), made(t, Options{URL: server.URL, Token: "t", RootCAs: roots})))
	stranger := made(t, Options{URL: server.URL, Token: "t", ReadTimeout: 5 * time.Second})
	begin := time.Now()
	err := ping(background, stranger)
	wants(t, err, "unavailable", "unreachable")
	if isRetryable(err) || time.Since(begin) > 2*time.Second {
		t.Fatal(err)
	}
}

func TestDoorChecksDoNotWaitForStores(t *testing.T) {
	over := make(chan bool)
	door, client := playDoor(t, func(response http.ResponseWriter, one knocked) {
		if one.call.Method == "verifyPurchase" {
			<-over
		}
		says(`"result":{}`)(response, one)
	})
	t.Cleanup(func() { close(over) })
	ctx, cancel := context.WithCancel(background)
	for number := 0; number < connectionsMax; number++ {
		go client.VerifyPurchase(ctx, VerifyPurchaseParams{UserID: "alice"})
	}
	eventually(t, func() bool { return door.count() == connectionsMax })
	fine(t, ping(within(t, 5*time.Second), client))
	cancel()
	fine(t, client.Close())
	nothingRuns(t)
}

// Takes connections, and never says anything on them.
func playMute(t *testing.T) (address string, connected func() int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fine(t, err)
	var lock sync.Mutex
	var open []net.Conn
	t.Cleanup(func() {
		listener.Close()
		lock.Lock()
		defer lock.Unlock()
		for _, conn := range open {
			conn.Close()
		}
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			lock.Lock()
			open = append(open, conn)
			lock.Unlock()
		}
	}()
	return listener.Addr().String(), func() int {
		lock.Lock()
		defer lock.Unlock()
		return len(open)
	}
}

func TestDoorAHandshakeThatIsNeverAnsweredIsGivenUp(t *testing.T) {
	address, connected := playMute(t)
	client := made(t, Options{URL: "https://" + address, Token: "t"})
	carrier := client.transport.(*door)
	for _, one := range []*http.Client{carrier.client, carrier.slow, carrier.watcher} {
		equal(t, one.Transport.(*http.Transport).TLSHandshakeTimeout, dialMax)
	}
	carrier.client.Transport.(*http.Transport).TLSHandshakeTimeout = 20 * time.Millisecond
	wants(t, ping(within(t, 300*time.Millisecond), client), "unavailable", "unreachable")
	if connected() < 3 {
		t.Fatalf("%d connections in 300 ms", connected())
	}
	fine(t, client.Close())
	nothingRuns(t)
}

func TestDoorThereMayBeMoreWatchesThanConnectionsOfCalls(t *testing.T) {
	over := make(chan bool)
	_, client := playDoor(t, func(response http.ResponseWriter, _ knocked) {
		response.(http.Flusher).Flush()
		<-over
	})
	t.Cleanup(func() { close(over) })
	for number := 0; number < connectionsMax; number++ {
		_, err := client.Watch(background, WatchOptions{FromSeq: pointer(int64(1))})
		fine(t, err)
	}
	_, err := client.Watch(within(t, 5*time.Second), WatchOptions{FromSeq: pointer(int64(1))})
	fine(t, err)
	fine(t, client.Close())
	nothingRuns(t)
}

func TestDoorMoreCallsThanMayWaitAreRefused(t *testing.T) {
	over := make(chan bool)
	_, client := playDoor(t, func(http.ResponseWriter, knocked) { <-over })
	t.Cleanup(func() { close(over) })
	ends := make(chan error, callsInFlightMax)
	for number := 0; number < callsInFlightMax; number++ {
		go func() { ends <- ping(background, client) }()
	}
	carrier := client.transport.(*door)
	eventually(t, func() bool {
		carrier.lock.Lock()
		defer carrier.lock.Unlock()
		return carrier.inFlight == callsInFlightMax
	})
	wants(t, ping(background, client), "unavailable", "too_many_calls")
	fine(t, client.Close())
	for number := 0; number < callsInFlightMax; number++ {
		var missing *Unavailable
		if err := <-ends; !errors.As(err, &missing) || missing.Name != "closed" {
			t.Fatal(err)
		}
	}
	nothingRuns(t)
}
