package modules

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text  string
		parse func(string) error
		want  string // in the error
	}{
		{"a v1 # why\n\n# nothing\n", func(s string) error { _, err := Parse(s); return err }, ""},
		{"a\n", func(s string) error { _, err := Parse(s); return err }, `"a" is not a path`},
		{"= why\nm TestX\n", func(s string) error { _, err := parseFailures(s); return err }, ""},
		{"m TestX\n", func(s string) error { _, err := parseFailures(s); return err }, "has no reason"},
		{"= why\nTestX\n", func(s string) error { _, err := parseFailures(s); return err }, "not a module and a target"},
	} {
		err := test.parse(test.text)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestFailures(t *testing.T) {
	if known, err := Failures(); err != nil || len(known) == 0 {
		t.Errorf("%d failures are known: %v", len(known), err)
	}
}
