package entitld

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Error is the daemon's own error. With code 0 it was found on this side, and nothing was sent. Of an
// Unavailable, too, errors.As gives an Error with code 0.
type Error struct {
	Code int
	// Name is the error's name in proto/errors.json, such as ownership_conflict.
	Name    string
	Message string
	// Retryable says that the same call may succeed later.
	Retryable bool
	// Data is what the daemon says besides: an object, or nil.
	Data json.RawMessage
	// IdempotencyKey is the call's key, given or made up, with which it can be repeated safely; empty where
	// it has none.
	IdempotencyKey string

	cause error
}

// Error names the error and says what the daemon says about it.
func (e *Error) Error() string {
	return describe(e.Name, e.Message)
}

// Unwrap gives context.DeadlineExceeded where the deadline ended the waiting for a daemon that is not
// ready.
func (e *Error) Unwrap() error {
	return e.cause
}

// Unavailable says that no answer came. Unless it is an UnknownOutcome, the daemon has not carried the
// call out.
type Unavailable struct {
	// Name is one of unreachable, permission_denied, timed_out, cancelled, too_many_calls, overloaded,
	// closed; of an UnknownOutcome also connection_lost, malformed_reply and unknown_outcome.
	Name    string
	Message string
	// Retryable says that the same call may succeed later.
	Retryable bool
	// Data is what the daemon said, or nil. Its member cause is the code of what the daemon answered
	// without naming a call, or to a later send alone.
	Data json.RawMessage
	// IdempotencyKey is the call's key, given or made up, with which it can be repeated safely; empty where
	// it has none.
	IdempotencyKey string

	cause error
}

// Error names the error and says what happened.
func (u *Unavailable) Error() string {
	return describe(u.Name, u.Message)
}

// Unwrap gives context.DeadlineExceeded or context.Canceled where one of them ended the call.
func (u *Unavailable) Unwrap() error {
	return u.cause
}

// As lets errors.As find an *Error, with code 0.
func (u *Unavailable) As(target any) bool {
	wanted, isError := target.(**Error)
	if !isError {
		return false
	}
	*wanted = &Error{
		Name: u.Name, Message: u.Message, Retryable: u.Retryable, Data: u.Data, IdempotencyKey: u.IdempotencyKey,
		cause: u.cause,
	}
	return true
}

// UnknownOutcome says that the call was sent, and that nobody can tell what became of it: a write may
// have been kept. It is a kind of Unavailable, which errors.As finds, too.
type UnknownOutcome struct {
	Unavailable
}

// As lets errors.As find an *Unavailable, and an *Error with code 0.
func (u *UnknownOutcome) As(target any) bool {
	if wanted, isUnavailable := target.(**Unavailable); isUnavailable {
		*wanted = &u.Unavailable
		return true
	}
	return u.Unavailable.As(target)
}

func describe(name, message string) string {
	return fmt.Sprintf("entitld: %s: %s", name, message)
}

func unavailable(name, message string, retryable bool) error {
	return &Unavailable{Name: name, Message: message, Retryable: retryable}
}

func unknownOutcome(name, message string, retryable bool) error {
	return &UnknownOutcome{Unavailable{Name: name, Message: message, Retryable: retryable}}
}

// A failure of a call that the daemon may have carried out, or has certainly not.
func failure(isDoubtful bool, name, message string, retryable bool) error {
	if isDoubtful {
		return unknownOutcome(name, message, retryable)
	}
	return unavailable(name, message, retryable)
}

func closed(isDoubtful bool) error {
	return failure(isDoubtful, "closed", "the client was closed", false)
}

// What a call comes to whose context has ended, where nothing more is known.
func ended(isDoubtful bool, cause error) error {
	if cause == context.Canceled {
		return because(failure(isDoubtful, "cancelled", "the caller cancelled the call", false), cause)
	}
	return because(failure(isDoubtful, "timed_out", "the daemon did not answer in time", true), cause)
}

func tooManyCalls() error {
	return unavailable("too_many_calls", "too many calls wait for their reply", true)
}

func malformedReply(message string) error {
	return unknownOutcome("malformed_reply", message, false)
}

func malformedRequest(message string) error {
	return &Error{Name: "malformed_request", Message: "the request cannot be sent: " + message}
}

// The same error, which then wraps cause. A copy, because many calls may share the error.
func because(err, cause error) error {
	switch original := err.(type) {
	case *Error:
		marked := *original
		marked.cause = cause
		return &marked
	case *UnknownOutcome:
		marked := *original
		marked.cause = cause
		return &marked
	case *Unavailable:
		marked := *original
		marked.cause = cause
		return &marked
	default:
		return err
	}
}

// The same error, which then names the key of its call. A copy, too.
func keyed(err error, key string) error {
	switch original := err.(type) {
	case *Error:
		marked := *original
		marked.IdempotencyKey = key
		return &marked
	case *UnknownOutcome:
		marked := *original
		marked.IdempotencyKey = key
		return &marked
	case *Unavailable:
		marked := *original
		marked.IdempotencyKey = key
		return &marked
	default:
		return err
	}
}

// What a call fails with that the daemon answers with said, where an earlier send is in doubt.
func afterDoubt(said *Error) error {
	if !said.isBlind() {
		return said
	}
	return unknownBy(said, fmt.Sprintf(
		"an earlier send of the call may have been carried out; a later one was answered with %s: %s",
		said.Name, said.Message))
}

// An unknown outcome that keeps what the daemon said, and its code as cause.
func unknownBy(said *Error, message string) *UnknownOutcome {
	var members map[string]json.RawMessage
	if json.Unmarshal(said.Data, &members) != nil || members == nil {
		members = make(map[string]json.RawMessage)
	}
	members["cause"] = json.RawMessage(strconv.Itoa(said.Code))
	data, _ := json.Marshal(members) // of what was JSON before
	return &UnknownOutcome{Unavailable{Name: "unknown_outcome", Message: message, Retryable: true, Data: data}}
}

func isUnknown(err error) bool {
	var unknown *UnknownOutcome
	return errors.As(err, &unknown)
}

func isRetryable(err error) bool {
	var known *Error
	return errors.As(err, &known) && known.Retryable
}
