package entitld

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

func notification(name string, params map[string]any) []byte {
	return framed(map[string]any{"jsonrpc": "2.0", "method": name, "params": params})
}

func changed(seq int, user string) []byte {
	return notification("entitlementChanged", map[string]any{
		"seq": seq, "userId": user, "cause": "granted", "status": map[string]any{"state": "subscribed"},
	})
}

func next(t *testing.T, watch *Watch) Event {
	t.Helper()
	event, err := watch.Next(within(t, 10*time.Second))
	fine(t, err)
	return event
}

// A daemon whose watches tell these messages, one list for each connection, and then end; the last goes on.
func playWatch(t *testing.T, start int, connections ...[][]byte) *fake {
	return play(t, func(one asked) act {
		one.reply(map[string]any{"result": map[string]any{"seq": start}})
		number := one.connection - 1
		if number >= len(connections) {
			return silence
		}
		for _, message := range connections[number] {
			one.send(message)
		}
		return act{hangUp: number < len(connections)-1}
	})
}

func TestAWatchGoesOnWhereItWas(t *testing.T) {
	daemon := playWatch(t, 40,
		[][]byte{changed(42, "alice"), changed(42, "bob"), notification("heartbeat", map[string]any{"seq": 41})},
		[][]byte{changed(42, "bob"), notification("heartbeat", map[string]any{"seq": 50})},
		[][]byte{notification("resync", map[string]any{"oldest": 60})},
		[][]byte{notification("catalogChanged", map[string]any{"seq": 70, "version": 2, "status": 7})},
	)
	watch, err := clientOf(t, daemon).Watch(background, WatchOptions{UserIDs: []string{"alice", "bob"}})
	fine(t, err)
	first := next(t, watch)
	equal(t, []any{first.Name, first.Seq, first.UserID, first.Cause, first.Status.State},
		[]any{"entitlementChanged", 42, "alice", "granted", "subscribed"})
	equal(t, next(t, watch).UserID, "bob")
	equal(t, next(t, watch).UserID, "bob")
	equal(t, next(t, watch).Name, "resync")
	last := next(t, watch)
	equal(t, []any{last.Name, last.Seq}, []any{"catalogChanged", 70})
	equal(t, last.Params, map[string]any{"seq": 70, "status": 7, "version": 2})
	fine(t, watch.Close())
	var positions []any
	for _, one := range daemon.heard() {
		positions = append(positions, one.params["fromSeq"])
	}
	equal(t, positions, []any{nil, 41, 50, 60})
	equal(t, daemon.heard()[3].params["userIds"], []string{"alice", "bob"})
	nothingRuns(t)
}

func TestAWatchThatIsEnded(t *testing.T) {
	daemon := playWatch(t, 1, nil)
	client := clientOf(t, daemon)
	ctx, cancel := context.WithCancel(background)
	first, err := client.Watch(ctx, WatchOptions{})
	fine(t, err)
	second, err := client.Watch(background, WatchOptions{})
	fine(t, err)
	third, err := client.Watch(background, WatchOptions{})
	fine(t, err)

	_, err = first.Next(within(t, 20*time.Millisecond)) // the watch goes on
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	cancel()
	_, err = first.Next(ctx)
	wants(t, err, "unavailable", "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	fine(t, second.Close())
	_, err = second.Next(background)
	wants(t, err, "unavailable", "closed")
	time.AfterFunc(20*time.Millisecond, func() { client.Close() })
	_, err = third.Next(background)
	wants(t, err, "unavailable", "closed")
	_, err = client.Watch(background, WatchOptions{})
	wants(t, err, "unavailable", "closed")
	_, err = client.Watch(ctx, WatchOptions{})
	wants(t, err, "unavailable", "cancelled")
	nothingRuns(t)
}

func TestAnEventThatNobodyTakesKeepsNothingFromEnding(t *testing.T) {
	daemon := playWatch(t, 1, [][]byte{changed(2, "alice"), changed(3, "alice")})
	client := clientOf(t, daemon)
	watch, err := client.Watch(background, WatchOptions{})
	fine(t, err)
	time.Sleep(20 * time.Millisecond)
	fine(t, client.Close())
	_, err = watch.Next(background)
	wants(t, err, "unavailable", "closed")
	nothingRuns(t)
}

func TestTheFirstConnectionOfAWatchMustSucceed(t *testing.T) {
	client := made(t, Options{SocketPath: "/tmp/entitld-nobody-here"})
	_, err := client.Watch(background, WatchOptions{})
	wants(t, err, "unavailable", "unreachable")
	daemon := play(t, func(asked) act { return refusal(notReady) })
	_, err = clientOf(t, daemon).Watch(background, WatchOptions{})
	wants(t, err, "error", "not_ready")
	refused := play(t, func(asked) act { return refusal(failed(-32602, "invalid_params", false)) })
	_, err = clientOf(t, refused).Watch(background, WatchOptions{FromSeq: pointer(int64(7))})
	wants(t, err, "error", "invalid_params")
	_, err = clientOf(t, daemon).Watch(background, WatchOptions{UserIDs: []string{broken}})
	wants(t, err, "error", "malformed_request")
	_, err = client.Watch(within(t, 50*time.Millisecond), WatchOptions{FromSeq: pointer(int64(7))})
	wants(t, err, "unavailable", "timed_out")
	nothingRuns(t)
}

func TestAListOfNobodyIsRefused(t *testing.T) {
	daemon := playWatch(t, 1, nil)
	queries, overHTTPS := playDoorWatch(t, "event: heartbeat\ndata: {\"seq\":1}\n\n")
	for _, client := range []*Client{clientOf(t, daemon), overHTTPS} {
		_, err := client.Watch(background, WatchOptions{UserIDs: []string{}})
		wants(t, err, "error", "invalid_params")
		_, err = client.Watch(background, WatchOptions{UserIDs: nil})
		fine(t, err)
	}
	equal(t, daemon.heard()[0].params, map[string]any{})
	equal(t, queries(), []string{""})
}

func TestAFaultOfTheDaemonEndsNoWatch(t *testing.T) {
	daemon := play(t, func(one asked) act {
		if one.connection < 3 {
			return refusal(failed(codeInternalError, "internal_error", false))
		}
		one.reply(map[string]any{"result": map[string]any{"seq": 9}})
		return act{raw: changed(8, "alice")}
	})
	watch, err := clientOf(t, daemon).Watch(within(t, 10*time.Second), WatchOptions{FromSeq: pointer(int64(7))})
	fine(t, err)
	equal(t, next(t, watch).UserID, "alice")
}

func TestAWatchWithAPositionWaitsForTheDaemon(t *testing.T) {
	daemon := absent(t, nil)
	daemon.script = func(one asked) act {
		one.reply(map[string]any{"result": map[string]any{"seq": 9}})
		return act{raw: changed(8, "alice")}
	}
	time.AfterFunc(100*time.Millisecond, func() { daemon.listen(t) })
	watch, err := clientOf(t, daemon).Watch(within(t, 20*time.Second), WatchOptions{FromSeq: pointer(int64(7))})
	fine(t, err)
	equal(t, next(t, watch).UserID, "alice")
	equal(t, daemon.heard()[0].params, map[string]any{"fromSeq": 7})
}

func TestWhatIsNoMessageEndsAWatch(t *testing.T) {
	for _, message := range [][]byte{{0, 0, 0, 1, ']'}, {0xff, 0, 0, 0}, notification("heartbeat", nil)} {
		if message[0] == 0 && len(message) > 10 { // without params at all
			message = framed(map[string]any{"jsonrpc": "2.0", "method": "heartbeat"})
		}
		daemon := playWatch(t, 1, [][]byte{message})
		watch, err := clientOf(t, daemon).Watch(background, WatchOptions{})
		fine(t, err)
		_, err = watch.Next(within(t, 10*time.Second))
		wants(t, err, "unknown", "malformed_reply")
	}
}

// A door whose watches tell these texts, one for each connection, and then end; the last goes on.
func playDoorWatch(t *testing.T, texts ...string) (queries func() []string, client *Client) {
	var lock sync.Mutex
	var asked []string
	ending := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		lock.Lock()
		asked = append(asked, request.URL.RawQuery)
		number := len(asked) - 1
		lock.Unlock()
		response.Header().Set("Content-Type", "text/event-stream")
		if number < len(texts) {
			for _, character := range []byte(texts[number]) { // cut anywhere
				response.Write([]byte{character})
				response.(http.Flusher).Flush()
			}
		}
		if number >= len(texts)-1 {
			select {
			case <-ending:
			case <-request.Context().Done():
			}
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ending) })
	client = made(t, Options{URL: server.URL, Token: "secret"})
	return func() []string {
		lock.Lock()
		defer lock.Unlock()
		return append([]string(nil), asked...)
	}, client
}

func TestDoorAWatchGoesOnWhereItWas(t *testing.T) {
	change := "event: entitlementChanged\nid: 42\ndata: {\"seq\":42,\ndata: \"userId\":\"%s\"}\n\n"
	queries, client := playDoorWatch(t,
		"event: heartbeat\nid: 40\ndata: {\"seq\":40}\n\n"+fmt.Sprintf(change, "alice")+": nothing\r\n\r\nevent: half",
		"event: heartbeat\r\ndata: {\"seq\":41}\r\n\r\n"+fmt.Sprintf(change, "b c+d"),
	)
	watch, err := client.Watch(background, WatchOptions{UserIDs: []string{"alice", "b c+d"}})
	fine(t, err)
	equal(t, next(t, watch).UserID, "alice")
	equal(t, next(t, watch).UserID, "b c+d")
	equal(t, queries(), []string{"userId=alice&userId=b+c%2Bd", "fromSeq=41&userId=alice&userId=b+c%2Bd"})
	fine(t, client.Close())
	_, err = watch.Next(background)
	wants(t, err, "unavailable", "closed")
	nothingRuns(t)
}

// The store was put back: what it tells begins earlier than where the watch was.
func TestDoorAResyncMayLeadBack(t *testing.T) {
	queries, client := playDoorWatch(t,
		"event: heartbeat\nid: 1000\ndata: {\"seq\":1000}\n\n",
		"event: resync\ndata: {\"oldest\":500}\n\n",
		"event: catalogChanged\nid: 501\ndata: {\"seq\":501}\n\n",
	)
	watch, err := client.Watch(background, WatchOptions{})
	fine(t, err)
	equal(t, next(t, watch).Name, "resync")
	equal(t, next(t, watch).Name, "catalogChanged")
	equal(t, queries(), []string{"", "fromSeq=1000", "fromSeq=500"})
	fine(t, client.Close())
	nothingRuns(t)
}

func TestDoorAWatchThatIsRefusedSaysWhy(t *testing.T) {
	for name, reply := range map[string]respond{
		"permission_denied": statusCode(401, ""),
		"malformed_reply":   statusCode(404, ""),
		"connection_lost":   statusCode(503, "1"),
		"invalid_params": func(response http.ResponseWriter, _ knocked) {
			response.WriteHeader(400)
			io.WriteString(response, `{"error":{"code":-32602,"message":"no","data":{"code":"invalid_params"}}}`)
		},
	} {
		_, client := playDoor(t, reply)
		_, err := client.Watch(background, WatchOptions{})
		var said *Error
		if !errors.As(err, &said) || said.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDoorNothingThatMayPassEndsAWatch(t *testing.T) {
	tells := func(seq int) respond {
		return func(response http.ResponseWriter, _ knocked) {
			fmt.Fprintf(response, "event: entitlementChanged\ndata: {\"seq\":%d,\"userId\":\"u%d\"}\n\n", seq, seq)
			response.(http.Flusher).Flush()
		}
	}
	says := func(text string) respond {
		return func(response http.ResponseWriter, _ knocked) {
			conn, _, err := response.(http.Hijacker).Hijack()
			if err == nil {
				io.WriteString(conn, text)
				conn.Close()
			}
		}
	}
	for name, fault := range map[string]respond{
		"silence before the headers": quiet,
		"silence after the headers": func(response http.ResponseWriter, one knocked) {
			response.(http.Flusher).Flush()
			quiet(response, one)
		},
		"half of the headers":   says("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"),
		"half of a header":      says("HTTP/1.1 200 OK\r\nContent-Ty"),
		"nothing":               hangUp,
		"what is no HTTP":       says("SSH-2.0\r\n\r\n"),
		"a page of a proxy":     statusCode(404, ""),
		"a proxy's fault":       statusCode(500, ""),
		"a proxy without it":    statusCode(502, ""),
		"a proxy that is tired": statusCode(504, ""),
		"a daemon that stops":   statusCode(503, "1"),
		"too many requests":     statusCode(429, "1"),
	} {
		fault := fault
		t.Run(name, func(t *testing.T) {
			_, client := playDoor(t, tells(1), fault, tells(2), quiet)
			client.transport.(*door).silenceMax = 100 * time.Millisecond
			watch, err := client.Watch(background, WatchOptions{FromSeq: pointer(int64(0))})
			fine(t, err)
			equal(t, next(t, watch).UserID, "u1")
			equal(t, next(t, watch).UserID, "u2")
			fine(t, watch.Close())
		})
	}
}

func TestDoorWhatIsRefusedForGoodEndsAWatch(t *testing.T) {
	for status, name := range map[int]string{
		400: "malformed_reply", 401: "permission_denied", 403: "permission_denied", 413: "request_too_large",
		414: "request_too_large", 431: "request_too_large",
	} {
		_, client := playDoor(t, statusCode(status, ""))
		_, err := client.Watch(within(t, 5*time.Second), WatchOptions{FromSeq: pointer(int64(0))})
		var said *Error
		if !errors.As(err, &said) || said.Name != name {
			t.Errorf("%d: %v", status, err)
		}
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it hears of the client that does not trust it
	server.StartTLS()
	t.Cleanup(server.Close)
	client := made(t, Options{URL: server.URL, Token: "t"})
	_, err := client.Watch(within(t, 5*time.Second), WatchOptions{FromSeq: pointer(int64(0))})
	wants(t, err, "unavailable", "unreachable")
}
