package main

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"entitld"
)

// Calls a method by the client's own typed one, where there is one that can say these parameters; else by
// the generic Call. The result is written as JSON again, so that the generated types are tested, too.
func call(ctx context.Context, client *entitld.Client, method string, params any) (any, error) {
	if params == nil {
		params = map[string]any{}
	}
	result, err, isTyped := callTyped(ctx, client, method, params)
	if !isTyped {
		var raw json.RawMessage
		err = client.Call(ctx, method, params, &raw)
		result = raw
	}
	if err != nil {
		return nil, err
	}
	return rewritten(result)
}

func callTyped(
	ctx context.Context, client *entitld.Client, method string, params any,
) (result any, err error, isTyped bool) {
	function := reflect.ValueOf(client).MethodByName(strings.ToUpper(method[:1]) + method[1:])
	if !function.IsValid() {
		return nil, nil, false
	}
	kind := function.Type()
	if kind.NumIn() != 2 || kind.NumOut() != 2 || !strings.HasSuffix(kind.In(1).Name(), "Params") {
		return nil, nil, false
	}
	given := reflect.New(kind.In(1))
	if !fits(params, given.Interface()) {
		return nil, nil, false
	}
	said := function.Call([]reflect.Value{reflect.ValueOf(ctx), given.Elem()})
	if err, isError := said[1].Interface().(error); isError {
		return nil, err, true
	}
	return said[0].Interface(), nil, true
}

// Whether the struct says the same as the parameters, once they are in it, and the client leaves it so: it
// would replace a key that is empty or missing.
func fits(params any, into any) bool {
	text, err := json.Marshal(params)
	if err != nil || decoded(text, into, true) != nil {
		return false
	}
	again, err := rewritten(into)
	if err != nil {
		return false
	}
	wanted, err := rewritten(params)
	return err == nil && reflect.DeepEqual(wanted, again) && !hasEmptyKey(again)
}

func hasEmptyKey(params any) bool {
	members, _ := params.(map[string]any)
	return members["idempotencyKey"] == ""
}

func rewritten(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var again any
	err = decoded(text, &again, false)
	return again, err
}
