package entitld

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func deep(levels int) any {
	if levels == 0 {
		return 1
	}
	return map[string]any{"deeper": deep(levels - 1)}
}

func wide(members int) map[string]any {
	object := make(map[string]any)
	for number := 0; number < members; number++ {
		object["n"+strings.Repeat("x", number%7)+string(rune(0x4e00+number))] = 1
	}
	return object
}

const broken = "u\xff"

type inner struct {
	Name string `json:"name"`
}

type outer struct {
	inner
	Names [1]*string `json:"names"`
}

func TestWhatCannotBeSentFailsItsOwnCallAlone(t *testing.T) {
	raw := func(text string) any { return json.RawMessage(text) }
	for what, params := range map[string]any{
		"a user that is not UTF-8":    ConsumeCreditParams{UserID: broken},
		"a key that is not UTF-8":     ConsumeCreditParams{UserID: "u", IdempotencyKey: broken},
		"an optional one":             GetStatusParams{UserID: "u", At: pointer(broken)},
		"one in a list":               RestorePurchasesParams{UserID: "u", PurchaseTokens: []string{"a", broken}},
		"a member's name":             map[string]any{broken: 1},
		"one far inside":              map[string]any{"a": []any{map[string]any{"b": []string{"fine \ufffd", broken}}}},
		"one of an embedded struct":   outer{inner: inner{broken}},
		"one behind a pointer":        &outer{Names: [1]*string{pointer(broken)}},
		"one in raw JSON":             raw(`{"a":"` + broken + `"}`),
		"half of a surrogate pair":    raw(`{"a":"\ud83d"}`),
		"the other half":              raw(`{"a":"x\uDE00"}`),
		"two halves that do not meet": raw(`{"a":"\ud83d x\ude00"}`),
		"a member twice":              raw(`{"a":1,"\u0061":2}`),
		"no JSON":                     raw(`{"a":`),
		"an object too deep":          deep(32),
		"a list too deep":             raw(`{"a":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`),
		"an object too wide":          wide(objectMembersMax + 1),
		"a number that there is not":  map[string]any{"a": math.NaN()},
		"parameters without names":    []string{"alice"},
		"a text":                      "alice",
		"a function":                  map[string]any{"a": func() {}},
	} {
		t.Run(what, func(t *testing.T) {
			daemon := play(t, func(one asked) act {
				time.AfterFunc(10*time.Millisecond, func() { one.reply(map[string]any{"result": one.params}) })
				return silence
			})
			client := clientOf(t, daemon)
			fine(t, all(
				func() error { return charge(background, client, "a") },
				func() error { return revoke(background, client) },
				func() error {
					var said *Error
					err := client.Call(background, "x", params, nil)
					if !errors.As(err, &said) || said.Name != "malformed_request" || said.Code != 0 || isUnknown(err) {
						return errors.New("it was sent, or failed in another way")
					}
					return nil
				},
			))
			equal(t, len(daemon.methods()), 2)
		})
	}
}

func pointer[T any](value T) *T { return &value }

func TestAMethodThatIsNotUTF8(t *testing.T) {
	client := clientOf(t, play(t, echo))
	wants(t, client.Call(background, broken, nil, nil), "error", "malformed_request")
}

func TestARequestThatIsTooLong(t *testing.T) {
	daemon := play(t, echo)
	client := clientOf(t, daemon, func(options *Options) { options.FrameBytesMax = 1000 })
	long := map[string]any{"a": strings.Repeat("x", 1000)}
	wants(t, client.Call(background, "x", long, nil), "error", "request_too_large")
	equal(t, len(daemon.methods()), 0)
	usual := clientOf(t, daemon)
	long["a"] = strings.Repeat("x", 1<<20)
	wants(t, usual.Call(background, "x", long, nil), "error", "request_too_large")
}

func TestWhatOnlyLooksLikeThatIsSent(t *testing.T) {
	client := clientOf(t, play(t, echo))
	for _, params := range []any{
		map[string]any{"text": `\ud83d`, `\\ud83d`: "\U0001f600\u0000\"{[:", "list": make([]int, 30_000)},
		map[string]any{"text": "\ufffd", "other": `\ufffd`, "html": "<&>"},
		json.RawMessage(`{"a":"\ud83d\ude00 \ufffd","b":"\\ud83d"}`),
		deep(31),
		wide(objectMembersMax),
	} {
		var answer json.RawMessage
		fine(t, client.Call(background, "echo", params, &answer))
		var sent, got any
		text, _ := json.Marshal(params)
		fine(t, json.Unmarshal(text, &sent))
		fine(t, json.Unmarshal(answer, &got))
		equal(t, got, sent)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	client := clientOf(t, play(t, func(asked) act {
		return act{members: map[string]any{"result": json.RawMessage(`{"value":9007199254740993,"seq":9007199254740993}`)}}
	}))
	row, err := client.Get(background, GetParams{Table: "t", Key: "k"})
	fine(t, err)
	equal(t, row.Value, json.Number("9007199254740993"))
	answer, err := client.CanRender(background, CanRenderParams{UserID: "u"})
	fine(t, err)
	equal(t, answer.Seq, int64(9007199254740993))
}
