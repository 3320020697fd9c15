package entitld

import (
	"os"
	"regexp"
	"testing"
)

// Skips the test where this folder was copied out of the repository; inside it nothing may be missing.
func skipWhereCopied(t *testing.T, missing string) {
	t.Helper()
	if _, err := os.Stat("../../../Package.swift"); os.IsNotExist(err) {
		t.Skip(missing)
	}
}

// The list of that name in a file of another client; where this folder was copied alone there is none.
func listIn(t *testing.T, file, name string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		skipWhereCopied(t, "the other clients are not here")
	}
	fine(t, err)
	list := regexp.MustCompile(`(?s)` + name + ` = [^"]*("[^)\]]*)[)\]]`).FindSubmatch(text)
	if list == nil {
		t.Fatalf("%s has no %s", file, name)
	}
	found := make(map[string]bool)
	for _, one := range regexp.MustCompile(`"(.*?)"`).FindAllSubmatch(list[1], -1) {
		found[string(one[1])] = true
	}
	return found
}

func TestEachClientGivesAMethodTheSameTime(t *testing.T) {
	slow := names("backup")
	for method := range storeMethods {
		slow[method] = true
	}
	for _, file := range []string{"../node/methods.js", "../python/entitld/methods.py"} {
		equal(t, listIn(t, file, "STORE_METHODS"), slow)
		equal(t, listIn(t, file, "PAST_METHODS"), pastMethods)
	}
}
