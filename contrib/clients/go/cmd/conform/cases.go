package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"entitld"
)

type caseFile struct {
	About any        `json:"about"`
	Cases []testCase `json:"cases"`
}

type testCase struct {
	Name  string `json:"name"`
	About any    `json:"about"`
	Steps []step `json:"steps"`
}

type step struct {
	About     any               `json:"about"`
	Call      string            `json:"call"`
	Params    any               `json:"params"`
	Admin     bool              `json:"admin"`
	Result    any               `json:"result"`
	Error     any               `json:"error"`
	Save      map[string]string `json:"save"`
	Transport string            `json:"transport"`
}

// Numbers stay as they are written. A step with a member that nobody knows tests less than it says, so
// that it is an error where strict.
func decoded(text []byte, into any, strict bool) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if strict {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the JSON")
	}
	return nil
}

// How many cases a file has, and what is wrong with those that fail.
func (r *run) file(path string) (count int, failures []string) {
	name := filepath.Base(path)
	text, err := os.ReadFile(path)
	var content caseFile
	if err == nil {
		err = decoded(text, &content, true)
	}
	if err != nil {
		return 1, []string{fmt.Sprintf("%s: cannot be read: %v", name, err)}
	}
	for number, one := range content.Cases {
		scope := &scope{run: r, fresh: fmt.Sprintf("%s-%s-%d", r.prefix, strings.TrimSuffix(name, ".json"), number+1)}
		scope.values = make(map[string]any)
		for number, step := range one.Steps {
			if err := scope.take(step); err != nil {
				failures = append(failures, fmt.Sprintf("%s: %s: step %d: %v", name, one.Name, number+1, err))
				break
			}
		}
	}
	return len(content.Cases), failures
}

// What the steps of one case share.
type scope struct {
	run    *run
	fresh  string         // begins the names that only this case uses
	values map[string]any // by the name in ${NAME}
}

func (s *scope) take(step step) error {
	if step.Transport != "" && step.Transport != s.run.transport {
		return nil
	}
	if step.Call == "" {
		return errors.New("it calls nothing")
	}
	params, err := s.filled(step.Params)
	if err != nil {
		return err
	}
	client := s.run.tested
	if step.Admin {
		client = s.run.admin
	}
	result, err := call(context.Background(), client, step.Call, params)
	if step.Error != nil {
		return s.matchError(step.Error, result, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", step.Call, err)
	}
	wanted, err := s.filled(step.Result)
	if err != nil {
		return err
	}
	if wanted != nil {
		if err := match("result", wanted, result); err != nil {
			return err
		}
	}
	for name, member := range step.Save {
		members, _ := result.(map[string]any)
		value, isThere := members[member]
		if !isThere {
			return fmt.Errorf("the result has no member %s to save", member)
		}
		s.values[name] = value
	}
	return nil
}

func (s *scope) matchError(wanted, result any, err error) error {
	if err == nil {
		text, _ := json.Marshal(result)
		return fmt.Errorf("no error, but %s", text)
	}
	var said *entitld.Error
	if !errors.As(err, &said) {
		return fmt.Errorf("another kind of error: %w", err)
	}
	wanted, fault := s.filled(wanted)
	if fault != nil {
		return fault
	}
	if name, isName := wanted.(string); isName {
		wanted = map[string]any{"name": name}
	}
	actual := map[string]any{"code": json.Number(fmt.Sprint(said.Code)), "name": said.Name, "message": said.Message}
	if said.Data != nil {
		var data any
		if err := decoded(said.Data, &data, false); err != nil {
			return err
		}
		actual["data"] = data
	}
	if fault := match("error", wanted, actual); fault != nil {
		return fmt.Errorf("%w (%v)", fault, err)
	}
	return nil
}

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// A value with its ${NAME}s replaced. Where a string is nothing else, what was saved keeps its type.
func (s *scope) filled(value any) (any, error) {
	switch value := value.(type) {
	case string:
		return s.filledText(value)
	case []any:
		filled := make([]any, len(value))
		for place, element := range value {
			var err error
			if filled[place], err = s.filled(element); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case map[string]any:
		filled := make(map[string]any, len(value))
		for name, member := range value {
			var err error
			if filled[name], err = s.filled(member); err != nil {
				return nil, err
			}
		}
		return filled, nil
	default:
		return value, nil
	}
}

func (s *scope) filledText(text string) (any, error) {
	if whole := placeholder.FindString(text); whole != "" && whole == text {
		return s.value(whole[2 : len(whole)-1])
	}
	var fault error
	filled := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		value, err := s.value(found[2 : len(found)-1])
		if err != nil {
			fault = err
		}
		return fmt.Sprint(value)
	})
	return filled, fault
}

func (s *scope) value(name string) (any, error) {
	if value, isThere := s.values[name]; isThere {
		return value, nil
	}
	if saved, member, isMember := strings.Cut(name, "."); isMember && saved != "signed" {
		members, _ := s.values[saved].(map[string]any)
		value, isThere := members[member]
		if !isThere {
			return nil, fmt.Errorf("no ${%s} was saved", name)
		}
		return value, nil
	}
	var value any = s.fresh + "-" + name
	if kind, isDocument := cutPrefix(name, "signed."); isDocument {
		document, err := s.run.document(kind)
		if err != nil {
			return nil, err
		}
		value = document
	}
	s.values[name] = value
	return value, nil
}

func cutPrefix(text, prefix string) (string, bool) {
	return strings.TrimPrefix(text, prefix), strings.HasPrefix(text, prefix)
}
