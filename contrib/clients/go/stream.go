package entitld

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// After three heartbeats that did not come, a connection is taken for lost.
const silenceMax = 45 * time.Second

// What a watch's connection tells: the position from which everything is told, or an event.
type told struct {
	joined *int64
	event  string
	params json.RawMessage
}

type watchParams struct {
	UserIDs []string `json:"userIds,omitempty"`
	FromSeq *int64   `json:"fromSeq,omitempty"`
}

func watchLost(message string) error {
	return unknownOutcome("connection_lost", message, true)
}

func malformedEvent() error {
	return malformedReply("a message of the watch is not what is documented")
}

// Tells what one connection of its own says, until it ends; the error says why.
func (e *exchange) stream(ctx context.Context, users []string, fromSeq *int64, tell func(told) error) error {
	params, err := encodedParams(watchParams{users, fromSeq})
	if err != nil {
		return err
	}
	request, err := requestFrame(1, "watch", params, e.frameBytesMax)
	if err != nil {
		return err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", e.path)
	if err != nil {
		return unreachable(err)
	}
	defer closing(ctx, func() { conn.Close() })()
	conn.SetDeadline(time.Now().Add(silenceMax))
	if _, err := conn.Write(request); err != nil {
		return watchLost(err.Error())
	}
	from := bufio.NewReader(conn)
	for {
		conn.SetReadDeadline(time.Now().Add(silenceMax))
		body, err := readFrame(from, e.frameBytesMax)
		if errors.Is(err, errFrameLength) {
			return malformedReply(err.Error())
		}
		if err != nil {
			return watchLost("the daemon ended the watch")
		}
		heard, err := toldIn(parsedReply(body))
		if err != nil {
			return err
		}
		if err := tell(heard); err != nil {
			return err
		}
	}
}

func toldIn(said *reply) (told, error) {
	switch {
	case said == nil:
		return told{}, malformedEvent()
	case said.method != "":
		return told{event: said.method, params: said.params}, nil
	case said.err != nil:
		return told{}, said.err
	}
	var result watchSeq
	if json.Unmarshal(said.result, &result) != nil || result.Seq == nil {
		return told{}, malformedEvent()
	}
	return told{joined: result.Seq}, nil
}

// Where a result or a heartbeat is.
type watchSeq struct {
	Seq *int64 `json:"seq"`
}

// The same over HTTPS, as server-sent events.
func (d *door) stream(ctx context.Context, users []string, fromSeq *int64, tell func(told) error) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	silence := time.AfterFunc(d.silenceMax, end)
	defer silence.Stop()
	response, err := d.openWatch(ctx, users, fromSeq)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	hasJoined := fromSeq != nil
	if hasJoined {
		// The daemon does not say where it stands itself: behind a resync everything is told from `oldest` on.
		if err := tell(told{joined: new(int64)}); err != nil {
			return err
		}
	}
	events := bufio.NewReader(response.Body)
	for {
		silence.Reset(d.silenceMax)
		heard, err := nextServerSent(events, d.frameBytesMax)
		silence.Stop()
		if errors.Is(err, errFrameLength) {
			return malformedReply(err.Error())
		}
		if err != nil {
			return watchLost("the daemon ended the watch")
		}
		if !hasJoined { // without a position it begins with a heartbeat, which names one
			var first watchSeq
			if json.Unmarshal(heard.params, &first) != nil || first.Seq == nil {
				return malformedEvent()
			}
			if err := tell(told{joined: first.Seq}); err != nil {
				return err
			}
			hasJoined = true
		}
		if err := tell(heard); err != nil {
			return err
		}
	}
}

func (d *door) openWatch(ctx context.Context, users []string, fromSeq *int64) (*http.Response, error) {
	query := url.Values{"userId": users}
	if fromSeq != nil {
		query.Set("fromSeq", strconv.FormatInt(*fromSeq, 10))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.origin+"/watch?"+query.Encode(), nil)
	if err != nil {
		return nil, malformedRequest(err.Error())
	}
	request.Header.Set("Authorization", "Bearer "+d.token)
	request.Header.Set("Accept", "text/event-stream")
	request.Close = true
	response, err := d.watcher.Do(request)
	if err != nil {
		// That the silence ended it is no reason to give up: it may be the way to the daemon that is dead.
		return nil, unavailable("unreachable", err.Error(), !isCertificateError(err))
	}
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer response.Body.Close()
	text, _ := readUpTo(response.Body, d.frameBytesMax)
	return nil, refusalIn(response, text)
}

// Why there is no watch: the daemon's own error, or what the status says.
//
// What was asked for, or who asks, may be refused for good. Any other status is of the way to the daemon,
// such as the page of a proxy that has no daemon behind it just now.
func refusalIn(response *http.Response, text []byte) error {
	var wire struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(text, &wire) == nil {
		if said := daemonError(wire.Error); said != nil {
			return said
		}
	}
	message := fmt.Sprintf("HTTP %d is no watch of entitld", response.StatusCode)
	switch said := meaning(response, text); {
	case response.StatusCode == http.StatusBadRequest:
		return malformedReply(message)
	case response.StatusCode == http.StatusForbidden:
		return unavailable("permission_denied", message, false)
	case response.StatusCode == http.StatusRequestURITooLong,
		response.StatusCode == http.StatusRequestHeaderFieldsTooLarge:
		return &Error{Name: "request_too_large", Message: "the daemon takes no list of users of this length"}
	case said.isUntouched || said.isWord:
		return said.err
	default:
		return unknownOutcome("malformed_reply", message, true)
	}
}

func nextServerSent(from *bufio.Reader, frameBytesMax int) (told, error) {
	var heard told
	for {
		line, err := readLine(from, frameBytesMax)
		if err != nil {
			return told{}, err
		}
		name, value, _ := strings.Cut(string(line), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case len(line) == 0 && heard.event != "":
			return heard, nil
		case len(line) == 0:
			heard = told{}
		case name == "event":
			heard.event = value
		case name == "data":
			heard.params = append(heard.params, value...)
		}
	}
}

func readLine(from *bufio.Reader, frameBytesMax int) ([]byte, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > frameBytesMax {
			return nil, fmt.Errorf("%w: a line of more than %d bytes", errFrameLength, frameBytesMax)
		}
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

// Closes when ctx ends, or at the call of what it returns.
func closing(ctx context.Context, end func()) func() {
	over := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-over:
		}
		end()
	}()
	return func() { close(over) }
}
