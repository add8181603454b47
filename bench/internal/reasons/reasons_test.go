package reasons

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	got, err := Parse("# a list\n\n= one\na b # not c\n d\n=two\n  e\n")
	want := []Entry{{"a b", "one"}, {"d", "one"}, {"e", "two"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"a\n", "# = one\na\n", "=\na\n"} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), `"a" has no reason`) {
			t.Errorf("Parse(%q) = %v, %v, want an error", text, got, err)
		}
	}
}
