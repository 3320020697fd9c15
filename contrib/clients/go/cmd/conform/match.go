package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
)

var (
	timeForm    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	uuidForm    = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	integerForm = regexp.MustCompile(`^-?\d+$`)
)

// Why a value does not match, or nil; where names its place.
func match(where string, wanted, actual any) error {
	switch wanted := wanted.(type) {
	case map[string]any:
		if kind, isKind := wanted["$is"]; isKind {
			return matchKind(where, kind, actual)
		}
		members, isObject := actual.(map[string]any)
		if !isObject {
			return mismatch(where, wanted, actual)
		}
		for name, member := range wanted {
			found, isThere := members[name]
			if !isThere {
				return fmt.Errorf("%s has no member %s", where, name)
			}
			if err := match(where+"."+name, member, found); err != nil {
				return err
			}
		}
		return nil
	case []any:
		elements, isList := actual.([]any)
		if !isList || len(elements) != len(wanted) {
			return mismatch(where, wanted, actual)
		}
		for place, element := range wanted {
			if err := match(fmt.Sprintf("%s[%d]", where, place), element, elements[place]); err != nil {
				return err
			}
		}
		return nil
	case json.Number:
		number, isNumber := actual.(json.Number)
		if !isNumber || !equalNumbers(wanted, number) {
			return mismatch(where, wanted, actual)
		}
		return nil
	default:
		if !reflect.DeepEqual(wanted, actual) {
			return mismatch(where, wanted, actual)
		}
		return nil
	}
}

func matchKind(where string, kind, actual any) error {
	text, isText := actual.(string)
	number, isNumber := actual.(json.Number)
	var isKind bool
	switch kind {
	case "string":
		isKind = isText
	case "integer":
		isKind = isNumber && integerForm.MatchString(string(number))
	case "boolean":
		_, isKind = actual.(bool)
	case "time":
		isKind = isText && timeForm.MatchString(text)
	case "uuid":
		isKind = isText && uuidForm.MatchString(text)
	case "null":
		isKind = actual == nil
	case "list":
		_, isKind = actual.([]any)
	case "object":
		_, isKind = actual.(map[string]any)
	default:
		return fmt.Errorf("%s: there is no kind %v", where, kind)
	}
	if !isKind {
		return mismatch(where, kind, actual)
	}
	return nil
}

func equalNumbers(one, other json.Number) bool {
	first, isFirst := new(big.Rat).SetString(string(one))
	second, isSecond := new(big.Rat).SetString(string(other))
	return isFirst && isSecond && first.Cmp(second) == 0
}

func mismatch(where string, wanted, actual any) error {
	expected, _ := json.Marshal(wanted)
	found, _ := json.Marshal(actual)
	return fmt.Errorf("%s is %s, not %s", where, found, expected)
}
