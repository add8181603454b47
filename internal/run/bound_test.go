package run

import (
	"bytes"
	"os"
	"testing"
)

// TestBoundNames checks that every bound has a name, and a row in the documentation.
func TestBoundNames(t *testing.T) {
	const path = "../../docs/verdicts.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for b, name := range boundNames {
		if name == "" {
			t.Errorf("bound %d has no name", b)
		}
		if !bytes.Contains(page, []byte("\n| "+name+" |")) {
			t.Errorf("%s does not list the bound %q", path, name)
		}
	}
	for _, name := range []string{OneNumber, OneLater, OneKey, OneHashSeed, OneMapSeed, OneNetNumber} {
		if !bytes.Contains(page, []byte("\n| "+name+", at P |")) {
			t.Errorf("%s does not list the bound %q", path, name)
		}
	}
}
