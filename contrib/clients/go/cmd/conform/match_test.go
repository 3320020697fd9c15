package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entitld"
)

func value(t *testing.T, text string) any {
	t.Helper()
	var into any
	if err := decoded([]byte(text), &into, false); err != nil {
		t.Fatal(err)
	}
	return into
}

func TestWhatMatches(t *testing.T) {
	for _, pair := range [][2]string{
		{`1`, `1.0`}, {`9007199254740993`, `9007199254740993`}, {`null`, `null`}, {`{}`, `{"a":1}`},
		{`{"a":{"b":"x"}}`, `{"a":{"b":"x","c":1},"d":2}`}, {`[1,{"a":true}]`, `[1,{"a":true,"b":1}]`},
		{`{"$is":"string"}`, `"x"`}, {`{"$is":"integer"}`, `-7`}, {`{"$is":"boolean"}`, `false`},
		{`{"$is":"time"}`, `"2027-01-01T00:00:00.000Z"`}, {`{"$is":"null"}`, `null`}, {`{"$is":"list"}`, `[]`},
		{`{"$is":"uuid"}`, `"6f1c2c0e-52c9-4c3b-9d4e-0a1b2c3d4e5f"`}, {`{"$is":"object"}`, `{}`},
	} {
		if err := match("result", value(t, pair[0]), value(t, pair[1])); err != nil {
			t.Error(pair, err)
		}
	}
}

func TestWhatDoesNotMatch(t *testing.T) {
	for _, pair := range [][2]string{
		{`1`, `2`}, {`1`, `"1"`}, {`9007199254740993`, `9007199254740992`}, {`null`, `0`}, {`{"a":null}`, `{}`},
		{`[1]`, `[1,2]`}, {`[]`, `{}`}, {`{}`, `[]`}, {`{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`},
		{`{"$is":"string"}`, `1`}, {`{"$is":"integer"}`, `1.5`}, {`{"$is":"time"}`, `"2027-01-01T00:00:00Z"`},
		{`{"$is":"null"}`, `false`}, {`{"$is":"uuid"}`, `"x"`}, {`{"$is":"colour"}`, `"red"`},
	} {
		if match("result", value(t, pair[0]), value(t, pair[1])) == nil {
			t.Error(pair)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	scope := &scope{
		run: &run{documents: map[string][]string{"pack": {"first", "second"}}}, fresh: "p-1",
		values: map[string]any{"seq": json.Number("7"), "owned": map[string]any{"id": "x"}},
	}
	filled, err := scope.filled(value(t, `["${seq}","at ${seq}","${user}","${user}é","${owned.id}","${signed.pack}","${signed.pack}"]`))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(filled)
	if wanted := `[7,"at 7","p-1-user","p-1-useré","x","first","first"]`; string(text) != wanted {
		t.Fatal(string(text))
	}
	for _, missing := range []string{"${signed.trial}", "${owned.name}"} {
		if _, err := scope.filled(missing); err == nil {
			t.Error(missing)
		}
	}
}

func TestWhichParametersFitTheTypes(t *testing.T) {
	for text, wanted := range map[string]bool{
		`{"userId":"a","idempotencyKey":"k"}`:            true,
		`{"userId":"a","idempotencyKey":"k","amount":2}`: true,
		`{"userId":"a"}`:                                    false,
		`{"userId":"a","idempotencyKey":""}`:                false,
		`{"userId":7,"idempotencyKey":"k"}`:                 false,
		`{"userId":"a","idempotencyKey":"k","amount":1.5}`:  false,
		`{"userId":"a","idempotencyKey":"k","colour":"r"}`:  false,
		`{"userId":"a","idempotencyKey":"k","amount":null}`: false,
	} {
		if fits(value(t, text), new(entitld.ConsumeCreditParams)) != wanted {
			t.Error(text)
		}
	}
}

func TestAFileThatCannotBeReadFails(t *testing.T) {
	t.Setenv("ENTITLD_SOCKET", "/tmp/entitld-nobody-here")
	for name, content := range map[string]string{
		"no JSON": `{`, "a step that says more than is known": `{"cases":[{"name":"a","steps":[{"call":"ping","expect":1}]}]}`,
	} {
		directory := t.TempDir()
		if err := os.WriteFile(filepath.Join(directory, "a.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		count, failed, err := conform(directory)
		if got := fmt.Sprint(count, failed, err); !strings.HasPrefix(got, "1 1 <nil>") {
			t.Error(name, got)
		}
	}
}
