package entitld

// A daemon that is played, and clients of it that end with their test.

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// One request that a played daemon has read.
type asked struct {
	method     string
	params     map[string]any
	connection int // the first is 1
	send       func([]byte)
	reply      func(map[string]any)
}

// What a played daemon does about a request.
type act struct {
	members map[string]any // of the reply
	raw     []byte         // sent as it is
	hangUp  bool
}

func result(value any) act               { return act{members: map[string]any{"result": value}} }
func refusal(error map[string]any) act   { return act{members: map[string]any{"error": error}} }
func text(params map[string]any) string  { user, _ := params["userId"].(string); return user }
func users(method string) map[string]any { return map[string]any{"userId": method} }

var silence act

type fake struct {
	path     string
	script   func(asked) act
	listener net.Listener
	running  sync.WaitGroup

	lock        sync.Mutex
	requests    []asked
	connections int
	open        map[net.Conn]bool
}

func play(t testing.TB, script func(asked) act) *fake {
	t.Helper()
	daemon := absent(t, script)
	daemon.listen(t)
	return daemon
}

// A daemon that does not listen yet.
func absent(t testing.TB, script func(asked) act) *fake {
	daemon := &fake{path: filepath.Join(t.TempDir(), "s"), script: script, open: make(map[net.Conn]bool)}
	t.Cleanup(daemon.stop)
	return daemon
}

func (f *fake) listen(t testing.TB) {
	listener, err := net.Listen("unix", f.path)
	if err != nil {
		t.Error(err)
		return
	}
	f.lock.Lock()
	f.listener = listener
	f.lock.Unlock()
	f.running.Add(1)
	go f.accept(listener)
}

func (f *fake) accept(listener net.Listener) {
	defer f.running.Done()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		f.lock.Lock()
		f.connections++
		number := f.connections
		f.open[conn] = true
		f.lock.Unlock()
		f.running.Add(1)
		go f.serve(conn, number)
	}
}

func (f *fake) serve(conn net.Conn, number int) {
	defer f.running.Done()
	defer conn.Close()
	var writing sync.Mutex
	send := func(bytes []byte) {
		writing.Lock()
		defer writing.Unlock()
		conn.Write(bytes)
	}
	for {
		body, err := readFrame(conn, 1<<24)
		if err != nil {
			return
		}
		var request struct {
			ID     json.RawMessage
			Method string
			Params map[string]any
		}
		if err := json.Unmarshal(body, &request); err != nil {
			panic(err)
		}
		reply := func(members map[string]any) {
			whole := map[string]any{"jsonrpc": "2.0", "id": request.ID}
			for name, value := range members {
				whole[name] = value
			}
			send(framed(whole))
		}
		one := asked{request.Method, request.Params, number, send, reply}
		f.lock.Lock()
		f.requests = append(f.requests, one)
		f.lock.Unlock()
		switch said := f.script(one); {
		case said.hangUp:
			return
		case said.raw != nil:
			send(said.raw)
		case said.members != nil:
			reply(said.members)
		}
	}
}

func (f *fake) stop() {
	f.lock.Lock()
	if f.listener != nil {
		f.listener.Close()
	}
	for conn := range f.open {
		conn.Close()
	}
	f.lock.Unlock()
	f.running.Wait()
}

// What was asked, in order.
func (f *fake) heard() []asked {
	f.lock.Lock()
	defer f.lock.Unlock()
	return append([]asked(nil), f.requests...)
}

func (f *fake) methods() []string {
	var all []string
	for _, one := range f.heard() {
		all = append(all, one.method)
	}
	return all
}

func (f *fake) countOf(method string) int {
	count := 0
	for _, one := range f.methods() {
		if one == method {
			count++
		}
	}
	return count
}

func (f *fake) connected() int {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.connections
}

func framed(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	return append(frame, body...)
}

// The bytes of an answer that names no call.
func nameless(code int, name string, retryable bool) []byte {
	return framed(map[string]any{"jsonrpc": "2.0", "id": nil, "error": failed(code, name, retryable)})
}

func failed(code int, name string, retryable bool) map[string]any {
	data := map[string]any{"code": name, "retryable": retryable}
	return map[string]any{"code": code, "message": "one sentence", "data": data}
}

// What the daemon may answer before it looks up the key of a call.
var blindErrors = map[string]int{
	"overloaded": -32029, "storage_full": -32010, "internal_error": -32603, "permission_denied": -32001,
}

// Checks that it is an unknown outcome because of what the daemon answered to a later send.
func wantsDoubt(t *testing.T, err error, code int, name, key string) {
	t.Helper()
	wants(t, err, "unknown", "unknown_outcome")
	var said *Error
	errors.As(err, &said)
	isSaid := strings.Contains(said.Message, name+": one sentence")
	if !said.Retryable || !isSaid || said.IdempotencyKey != key {
		t.Fatalf("%+v", said)
	}
	equal(t, said.Data, map[string]any{"cause": code, "code": name, "retryable": false})
}

var notReady = failed(codeNotReady, "not_ready", true)

// A patient client.
func clientOf(t testing.TB, daemon *fake, change ...func(*Options)) *Client {
	t.Helper()
	options := Options{SocketPath: daemon.path, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	return made(t, options, change...)
}

func made(t testing.TB, options Options, change ...func(*Options)) *Client {
	t.Helper()
	for _, one := range change {
		one(&options)
	}
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func within(t *testing.T, limit time.Duration) context.Context {
	ctx, end := context.WithTimeout(context.Background(), limit)
	t.Cleanup(end)
	return ctx
}

var background = context.Background()

func ping(ctx context.Context, client *Client) error {
	_, err := client.Ping(ctx, PingParams{})
	return err
}

func charge(ctx context.Context, client *Client, user string) error {
	_, err := client.ConsumeCredit(ctx, ConsumeCreditParams{UserID: user})
	return err
}

func revoke(ctx context.Context, client *Client) error {
	_, err := client.RevokeGrant(ctx, RevokeGrantParams{UserID: "alice", Grant: "g"})
	return err
}

// The user that a played daemon names in what it answers to getStatus.
func status(ctx context.Context, client *Client, user string) (string, error) {
	answer, err := client.GetStatus(ctx, GetStatusParams{UserID: user})
	if err != nil {
		return "", err
	}
	return answer.UserID, nil
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Checks what kind of error it is, and its name.
func wants(t *testing.T, err error, kind, name string) {
	t.Helper()
	var plain *Error
	if !errors.As(err, &plain) {
		t.Fatalf("%v is no *Error", err)
	}
	var missing *Unavailable
	var unknown *UnknownOutcome
	actual := "error"
	if errors.As(err, &missing) {
		actual = "unavailable"
	}
	if errors.As(err, &unknown) {
		actual = "unknown"
		if missing == nil {
			t.Fatalf("%v is no *Unavailable", err)
		}
	}
	if actual != kind || plain.Name != name {
		t.Fatalf("%s %s, not %s %s: %v", actual, plain.Name, kind, name, err)
	}
	if kind != "error" && plain.Code != 0 {
		t.Fatalf("code %d", plain.Code)
	}
}

// Calls until the deadline falls between two sends, not while one is under way, and checks the error.
func untilBetweenSends(t *testing.T, call func(context.Context) error, kind, name string) {
	t.Helper()
	for tries := 0; ; tries++ {
		err := call(within(t, 150*time.Millisecond))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if isUnknown(err) && tries < 20 {
			continue
		}
		wants(t, err, kind, name)
		return
	}
}

func equal(t testing.TB, actual, wanted any) {
	t.Helper()
	one, _ := json.Marshal(actual)
	other, _ := json.Marshal(wanted)
	if string(one) != string(other) {
		t.Fatalf("%s, not %s", one, other)
	}
}

// Waits until it holds.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come to hold")
		}
	}
}

// The stacks of what runs in this package, apart from tests and played daemons.
func clientGoroutines() (stacks []string) {
	buffer := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
		isOurs := strings.Contains(stack, "entitld.(*exchange)") || strings.Contains(stack, "entitld.(*door)") ||
			strings.Contains(stack, "entitld.(*follower)") || strings.Contains(stack, "entitld.untilEither") ||
			strings.Contains(stack, "entitld.closing") || strings.Contains(stack, "http.(*persistConn)")
		if isOurs {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

func nothingRuns(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		stacks := clientGoroutines()
		if len(stacks) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d still run:\n%s", len(stacks), strings.Join(stacks, "\n\n"))
		}
	}
}
