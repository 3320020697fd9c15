package entitld

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

const (
	codeInternalError    = -32603
	codePermissionDenied = -32001
	codeNotReady         = -32002
	codeShuttingDown     = -32003
	codeStorageFull      = -32010
	codeOverloaded       = -32029
)

// A message of the daemon: a result or an error, or a notification, which has a method.
type reply struct {
	isNameless bool // its id is null
	id         int64
	method     string
	params     json.RawMessage
	result     json.RawMessage
	err        *Error
}

// The message in body; nil where it is none.
func parsedReply(body []byte) *reply {
	var wire struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &wire) != nil || !isObject(body) {
		return nil
	}
	var said reply
	if json.Unmarshal(wire.Method, &said.method) == nil && said.method != "" {
		said.params = wire.Params
		return &said
	}
	said.isNameless = string(wire.ID) == "null"
	if !said.isNameless {
		id, err := strconv.ParseInt(string(wire.ID), 10, 64)
		if err != nil {
			return nil
		}
		said.id = id
	}
	if wire.Error != nil {
		said.err = daemonError(wire.Error)
		if said.err == nil {
			return nil
		}
		return &said
	}
	said.result = wire.Result
	if said.result == nil || said.isNameless {
		return nil
	}
	return &said
}

// The daemon's own error, as a reply has it; nil where it is none.
func daemonError(text json.RawMessage) *Error {
	var wire struct {
		Code    *int            `json:"code"`
		Message *string         `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(text, &wire) != nil || wire.Code == nil || wire.Message == nil {
		return nil
	}
	said := &Error{Code: *wire.Code, Name: "error", Message: *wire.Message, Data: wire.Data}
	var data struct {
		Code      string `json:"code"`
		Retryable bool   `json:"retryable"`
	}
	if json.Unmarshal(wire.Data, &data) == nil {
		said.Retryable = data.Retryable
		if data.Code != "" {
			said.Name = data.Code
		}
	}
	return said
}

// Whether the daemon starts or stops, and so has not carried the call out.
func (e *Error) isPassing() bool {
	return e.Code == codeNotReady || e.Code == codeShuttingDown
}

// Whether the daemon may answer so before it looks up the key of a call: it says nothing about an earlier
// send of the call.
func (e *Error) isBlind() bool {
	switch e.Code {
	case codeOverloaded, codeStorageFull, codeInternalError, codePermissionDenied:
		return true
	default:
		return false
	}
}

func isObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}

// Writes a result to where the caller wants it. In a place of any kind a number is a json.Number, which
// keeps all digits.
func decodeResult(result json.RawMessage, into any) error {
	if into == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(result))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return malformedReply("the result is not what is documented: " + err.Error())
	}
	return nil
}

var errFrameLength = errors.New("a frame of a length that is not allowed")

// The body of the next frame.
func readFrame(from io.Reader, frameBytesMax int) ([]byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(from, header[:]); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length == 0 || int64(length) > int64(frameBytesMax) {
		return nil, fmt.Errorf("%w: %d bytes", errFrameLength, length)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(from, body)
	return body, err
}
