package lexer

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string
		ok   bool
	}{
		{"", nil, true},
		{"a  b\t- \"-\" \"c d\"", []string{"a", "b", "", "-", "c d"}, true},
		{"<a>", []string{"<", "a", ">"}, true},
		{`"a`, nil, false},
	} {
		got, err := Names(test.line, "-")
		if !slices.Equal(got, test.want) || (err == nil) != test.ok {
			t.Errorf("%q: %q, error %v", test.line, got, err)
		}
	}
}

func TestNumbers(t *testing.T) {
	x := New([]byte("-12 x 300"))
	if n, err := x.Number("a number", 64); n != -12 || err != nil {
		t.Errorf("%d, error %v", n, err)
	}
	if _, err := x.Number("a number", 64); err == nil || err.Error() != `"x" in the place of a number` {
		t.Errorf("error %v", err)
	}
	if _, err := x.Number("a number", 8); err == nil {
		t.Error("300 has 8 bits")
	}
	if err := x.End(); err != nil {
		t.Errorf("at the end: %v", err)
	}
	if _, err := x.Want("a word"); err == nil || err.Error() != "the line ends where a word is expected" {
		t.Errorf("behind the end: %v", err)
	}
	for _, test := range []struct {
		word string
		n    int64
		ok   bool
	}{{"v12", 12, true}, {"v", 0, false}, {"o12", 0, false}, {"v1x", 0, false}, {"v101", 101, false}} {
		if n, ok := Numbered([]byte(test.word), 'v', 100); ok != test.ok || ok && n != test.n {
			t.Errorf("%s: %d, %v", test.word, n, ok)
		}
	}
}
