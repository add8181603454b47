package accept

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/schedule"
)

// lines is the source that the findings of the tests are in.
const lines = `package m
func f() {
	x = 1
	y = x // a comment
	y = x //everyway:accept data race: because
	//everyway:accept leak
	go h()
	<-c
}
`

// at returns a finding in f on a line of m.go.
func at(kind, line string) *schedule.Finding {
	pos := "m.go:" + line + ":2"
	return &schedule.Finding{Kind: kind, Pos: pos, Stack: []schedule.Frame{{Func: "runtime.g", Pos: "$GOROOT/g.go:1:1"}, {Func: "m.f", Pos: pos}}}
}

// both returns a finding of two places.
func both(a, b *schedule.Finding) *schedule.Finding {
	a.Others = []schedule.Finding{*b}
	return a
}

// source is the source of a program that has them in m.go.
func source(file string, line int) (string, bool) {
	all := strings.Split(lines, "\n")
	if file != "m.go" || line < 1 || line > len(all) {
		return "", false
	}
	return all[line-1], true
}

func list(t *testing.T, text string) *List {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, FileName), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := Read(disk.Dir{System: disk.Host{}, Path: root}, source)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestMatch(t *testing.T) {
	l := list(t, `# known
data race in m.TestX: reason
	m.f: y = x
	m.f: x = 1

panic in m.TestX
	m.f: x = 1
leak in m.TestX
	m.f: <-c
`)
	const none = 0
	for _, test := range []struct {
		name    string
		finding *schedule.Finding
		line    int // of the entry
	}{
		{"the race", both(at("data race", "4"), at("data race", "3")), 2},
		{"the race, the other way round", both(at("data race", "3"), at("data race", "4")), 2},
		{"another race", both(at("data race", "3"), at("data race", "3")), none},
		{"one place of it", at("data race", "3"), none},
		{"another kind", at("test failure", "3"), none},
		{"the panic", at("panic", "3"), 6},
		{"a panic elsewhere", at("panic", "4"), none},
		{"no such line", at("panic", "99"), none},
		{"a comment on the line", both(at("data race", "8"), at("data race", "5")), 5},
		{"a comment for another kind", at("panic", "5"), none},
		{"a comment on the line above that is code's own", both(at("data race", "6"), at("data race", "6")), none},
		{"a comment on the line above", at("leak", "7"), 6},
		{"a leak", at("leak", "8"), 8},
		{"two leaks, each accepted", both(at("leak", "7"), at("leak", "8")), 6},
		{"two leaks, one accepted", both(at("leak", "8"), at("leak", "3")), none},
	} {
		line := none
		if e := l.Match(test.finding); e != nil {
			line = e.Line
		}
		if line != test.line {
			t.Errorf("%s: entry on line %d, want %d", test.name, line, test.line)
		}
	}
	var empty *List
	if e := empty.Match(at("panic", "3")); e != nil {
		t.Errorf("an empty list has %v", e)
	}
}

func TestAdd(t *testing.T) {
	l := list(t, "")
	run := &schedule.Run{Header: schedule.Header{Package: "m", Target: "TestX", Finding: at("panic", "4")}}
	if _, added, err := l.Add(run, "why: so"); !added || err != nil {
		t.Fatalf("added: %t, %v", added, err)
	}
	want := "panic in m.TestX: why: so\n\tm.f: y = x\n"
	if text := l.Text(); !strings.HasSuffix(text, "\n\n"+want) {
		t.Errorf("the file ends with %q, want %q", text, want)
	}
	again, err := Read(l.file.Dir, source)
	if err != nil || len(again.Entries) != 1 || again.Entries[0].String() != want || again.Entries[0].Reason != "why: so" {
		t.Fatalf("read: %v, %v", again, err)
	}
	if e, added, err := again.Add(run, ""); added || err != nil || e.Line != 3 {
		t.Errorf("added again: %t, %v, %v", added, e, err)
	}
	run.Finding = at("panic", "99")
	if _, _, err := again.Add(run, ""); err == nil {
		t.Error("a line that is not there can be accepted")
	}
}

func TestUnused(t *testing.T) {
	l := list(t, "panic in m.TestX\n\tm.f: x = 1\nleak in m.TestY\n\tm.f: <-c\n")
	l.Use(l.Match(at("panic", "3")))
	l.Use(l.Match(at("leak", "7")))
	var got []string
	var comments []*Entry
	for i, line := range strings.Split(lines, "\n") {
		if e := ParseComment("m.go", i+1, line); e != nil {
			comments = append(comments, e)
		}
	}
	for _, e := range l.Unused(comments) {
		got = append(got, e.File+" "+e.Kind)
	}
	if want := FileName + " leak,m.go data race"; strings.Join(got, ",") != want {
		t.Errorf("%s, want %s", strings.Join(got, ","), want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"race in m.TestX\n\tm.f: x", `everyway.accept:1: "race in m.TestX": want a finding`},
		{"panic\n\tm.f: x", "everyway.accept:1: "},
		{"\tm.f: x", "everyway.accept:1: "},
		{"panic in m.TestX\n\tm.f", "everyway.accept:2: "},
		{"# none\n\npanic in m.TestX\n", "everyway.accept:3: the panic has no place"},
	} {
		if _, err := parse([]byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}
