package search

import (
	"bytes"
	"os"
	"testing"
)

// Every word of -reduce has a row in the documentation, and is one that ParseReductions takes.
func TestReductionWords(t *testing.T) {
	const path = "../../../docs/strategies.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range ReductionWords() {
		if !bytes.Contains(page, []byte("\n| `"+word+"` | ")) {
			t.Errorf("%s does not list %s", path, word)
		}
		if r, err := ParseReductions(word); err != nil || r.String() != word {
			t.Errorf("ParseReductions(%q) = %v, %v", word, r, err)
		}
	}
}
