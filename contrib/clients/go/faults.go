package entitld

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Limits of the daemon's JSON (proto/framing.md).
const (
	depthMax         = 32
	objectMembersMax = 20_000
)

// Fewer members than this are compared one by one, without a map.
const fewMembers = 16

// An object or list that is open.
type nest struct {
	isObject  bool
	expectKey bool
	keys      [][]byte
	seen      map[string]bool
}

// What the daemon would refuse in text, which is JSON; or nothing.
func faultOf(text []byte) string {
	if !utf8.Valid(text) {
		return "it is not UTF-8"
	}
	var open []nest
	for place := 0; place < len(text); place++ {
		switch character := text[place]; character {
		case '"':
			end := stringEnd(text, place)
			content := text[place+1 : end]
			if hasHalfPair(content) {
				return "a string has half of a surrogate pair"
			}
			if inner := len(open) - 1; inner >= 0 && open[inner].expectKey {
				open[inner].expectKey = false
				if fault := open[inner].add(content); fault != "" {
					return fault
				}
			}
			place = end
		case '{', '[':
			if len(open) == depthMax {
				return fmt.Sprintf("it is more than %d deep", depthMax)
			}
			isObject := character == '{'
			open = append(open, nest{isObject: isObject, expectKey: isObject})
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			inner := &open[len(open)-1]
			inner.expectKey = inner.isObject
		}
	}
	return ""
}

// Where the string that begins at place ends: its closing quotation mark.
func stringEnd(text []byte, place int) int {
	for place++; text[place] != '"'; place++ {
		if text[place] == '\\' {
			place++
		}
	}
	return place
}

func (n *nest) add(key []byte) string {
	if bytes.IndexByte(key, '\\') >= 0 {
		key = unescaped(key)
	}
	if len(n.keys) == objectMembersMax {
		return fmt.Sprintf("an object has more than %d members", objectMembersMax)
	}
	if n.has(key) {
		return "an object has the same member twice"
	}
	n.keys = append(n.keys, key)
	if n.seen != nil {
		n.seen[string(key)] = true
	}
	return ""
}

func (n *nest) has(key []byte) bool {
	if n.seen == nil && len(n.keys) == fewMembers {
		n.seen = make(map[string]bool)
		for _, earlier := range n.keys {
			n.seen[string(earlier)] = true
		}
	}
	if n.seen != nil {
		return n.seen[string(key)]
	}
	for _, earlier := range n.keys {
		if bytes.Equal(earlier, key) {
			return true
		}
	}
	return false
}

func unescaped(content []byte) []byte {
	var text string
	quoted := append(append([]byte{'"'}, content...), '"')
	if json.Unmarshal(quoted, &text) != nil {
		return content
	}
	return []byte(text)
}

// Whether an escape in a string's content is one half of a surrogate pair without the other. Only JSON
// that the caller has written has such escapes.
func hasHalfPair(content []byte) bool {
	if bytes.IndexByte(content, '\\') < 0 {
		return false
	}
	for place := 0; place < len(content); place++ {
		if content[place] != '\\' {
			continue
		}
		switch half(content[place:]) {
		case highHalf:
			if half(content[place+6:]) != lowHalf {
				return true
			}
			place += 11
		case lowHalf:
			return true
		default:
			place++ // what is escaped
		}
	}
	return false
}

const (
	noHalf = iota
	highHalf
	lowHalf
)

// Which half of a pair text begins with: \uD800 to \uDBFF is the high one, \uDC00 to \uDFFF the low one.
func half(text []byte) int {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' || text[2]|0x20 != 'd' {
		return noHalf
	}
	switch text[3] | 0x20 {
	case '8', '9', 'a', 'b':
		return highHalf
	case 'c', 'd', 'e', 'f':
		return lowHalf
	default:
		return noHalf
	}
}
