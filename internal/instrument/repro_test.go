package instrument

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

func TestRepro(t *testing.T) {
	root := t.TempDir()
	const source = `package m

import (
	"strings"
	"testing"
	"time"
)

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int, s string, b []byte) {
		if strings.Contains(s, "x") && n == len(b) {
			t.Error(n)
		}
	})
}

func TestX(t *testing.T) { time.Sleep(1) }
`
	if err := os.WriteFile(filepath.Join(root, "x_test.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	finding := &schedule.Finding{Kind: "test failure", Message: "1", Pos: "x_test.go:12:11"}
	for _, test := range []struct {
		name   string
		header schedule.Header
		events []schedule.RunEvent
		want   []string // that are in it
		never  string   // that is not
	}{
		{
			"fuzz test", schedule.Header{Target: "FuzzX", Kind: "fuzz test", Finding: finding, Input: []schedule.Input{
				{Name: "n", Type: "int", Width: 64, Value: 1}, {Name: "len(s)", Type: "string", Width: 64, Value: 1}, {Name: "s[0]", Type: "uint8", Width: 8, Value: 'x'},
			}}, nil,
			[]string{`"strings"`, "func TestEverywayX(t *testing.T) {", "var n int = 1", `var s string = "x"`, `var b []byte = []byte("")`, "// TestEverywayX shows a finding of everyway in FuzzX:", "test failure at x_test.go:12:11: 1"},
			`"time"`,
		},
		{
			"test with inputs", schedule.Header{Target: "TestX", Kind: "test", Finding: finding, Input: []schedule.Input{{Name: "k", Type: "int", Width: 64, Value: 3}, {Name: "c", Value: 1, Choice: true}}},
			[]schedule.RunEvent{{Goroutine: "0.1"}},
			[]string{"func TestEverywayX(t *testing.T) {", `t.Setenv("EVERYWAY_INPUT", "k=3")`, "TestX(t)", "It needs a schedule", "\t" + "everyway confirm x.run"},
			`"time"`,
		},
		{
			"leak", schedule.Header{Target: "TestX", Kind: "test", Finding: &schedule.Finding{Kind: "leak", Pos: "$GOROOT/src/sync/x.go:1:2", Stack: []schedule.Frame{{Pos: "$GOROOT/src/sync/x.go:1:2"}, {Pos: "p/y.go:17:3"}}}}, nil,
			[]string{"\"runtime\"\n\t\"strings\"", `strings.Contains(calls, "/y.go:17 ")`, `t.Error("a goroutine is still blocked at", "y.go:17")`},
			"-race",
		},
		{
			"race", schedule.Header{Target: "FuzzX", Kind: "fuzz test", Finding: &schedule.Finding{Kind: "data race", Pos: "x_test.go:12:11"}}, nil,
			[]string{"with go test -race"}, "runtime",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := Repro(&schedule.Run{Header: test.header, Events: test.events}, root, "everyway confirm x.run")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "x", text, 0); err != nil {
				t.Error(err)
			}
			for _, want := range test.want {
				if !strings.Contains(string(text), want) {
					t.Errorf("it has no %q:\n%s", want, text)
				}
			}
			if strings.Contains(string(text), test.never) {
				t.Errorf("it has %q:\n%s", test.never, text)
			}
		})
	}
	for _, test := range []struct {
		name   string
		header schedule.Header
		want   string
	}{
		{"no finding", schedule.Header{Target: "TestX", Kind: "test"}, "no finding"},
		{"example", schedule.Header{Target: "ExampleX", Kind: "example", Finding: finding}, "only tests, fuzz tests and functions"},
		{"gone", schedule.Header{Target: "TestGone", Kind: "test", Finding: finding}, "TestGone"},
	} {
		if _, err := Repro(&schedule.Run{Header: test.header}, root, ""); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
