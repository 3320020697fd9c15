package entitld

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Whatever the daemon could not read is refused here, for its own call: the daemon's answer to it would
// name no call, and so be about all that are under way.

const headerBytes = 4

// The parameters as JSON; none are an empty object.
func encodedParams(params any) (json.RawMessage, error) {
	if params == nil {
		return json.RawMessage("{}"), nil
	}
	text, err := marshalled(params)
	if err != nil {
		return nil, malformedRequest(err.Error())
	}
	// The JSON package puts U+FFFD where a string is not UTF-8, and says nothing: that would be another
	// user, or another key.
	mayBeReplaced := bytes.Contains(text, []byte(`\ufffd`)) || bytes.ContainsRune(text, utf8.RuneError)
	if mayBeReplaced && !isUTF8(reflect.ValueOf(params)) {
		return nil, malformedRequest("a string is not UTF-8")
	}
	if text[0] != '{' {
		return nil, malformedRequest("the parameters must be an object with names")
	}
	return text, nil
}

// The bytes that ask for method, with their length in front.
func requestFrame(id int64, method string, params json.RawMessage, frameBytesMax int) ([]byte, error) {
	if !utf8.ValidString(method) {
		return nil, malformedRequest("the method is not UTF-8")
	}
	name, err := marshalled(method)
	if err != nil {
		return nil, malformedRequest(err.Error())
	}
	frame := make([]byte, headerBytes, headerBytes+64+len(name)+len(params))
	frame = append(frame, `{"jsonrpc":"2.0","id":`...)
	frame = strconv.AppendInt(frame, id, 10)
	frame = append(frame, `,"method":`...)
	frame = append(frame, name...)
	frame = append(frame, `,"params":`...)
	frame = append(frame, params...)
	frame = append(frame, '}')
	body := frame[headerBytes:]
	if len(body) > frameBytesMax {
		return nil, &Error{Name: "request_too_large", Message: fmt.Sprintf("a request of %d bytes", len(body))}
	}
	if fault := faultOf(body); fault != "" {
		return nil, malformedRequest(fault)
	}
	binary.BigEndian.PutUint32(frame, uint32(len(body)))
	return frame, nil
}

func marshalled(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // three bytes in place of one, for nothing
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Whether all strings in a value that the JSON package has taken are UTF-8. What writes its JSON itself
// is looked at in the text.
func isUTF8(value reflect.Value) bool {
	if !value.IsValid() {
		return true
	}
	switch value.Kind() {
	case reflect.String:
		return utf8.ValidString(value.String())
	case reflect.Interface, reflect.Pointer:
		return isUTF8(value.Elem())
	case reflect.Struct:
		for number := 0; number < value.NumField(); number++ {
			field := value.Type().Field(number)
			if (field.IsExported() || field.Anonymous) && !isUTF8(value.Field(number)) {
				return false
			}
		}
	case reflect.Map:
		for members := value.MapRange(); members.Next(); {
			if !isUTF8(members.Key()) || !isUTF8(members.Value()) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return true // base64, or JSON
		}
		for number := 0; number < value.Len(); number++ {
			if !isUTF8(value.Index(number)) {
				return false
			}
		}
	}
	return true
}

// The parameters, with a key made up where a keyed method's is empty: with it the call can be repeated. The
// caller's own struct stays as it is.
func withKey(params any) (any, error) {
	given := reflect.ValueOf(params)
	isPointer := given.Kind() == reflect.Pointer
	if isPointer {
		given = given.Elem()
	}
	if given.Kind() != reflect.Struct {
		return params, nil
	}
	field, isKeyed := given.Type().FieldByName("IdempotencyKey")
	if !isKeyed || field.Type.Kind() != reflect.String || given.FieldByIndex(field.Index).String() != "" {
		return params, nil
	}
	key, err := newKey()
	if err != nil {
		return nil, malformedRequest("no key can be made up: " + err.Error())
	}
	keyed := reflect.New(given.Type())
	keyed.Elem().Set(given)
	keyed.Elem().FieldByIndex(field.Index).SetString(key)
	if isPointer { // it may write its JSON itself
		return keyed.Interface(), nil
	}
	return keyed.Elem().Interface(), nil
}
