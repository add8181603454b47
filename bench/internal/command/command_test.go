package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/verdict"
)

func TestReadTargets(t *testing.T) {
	targets, err := readTargets(strings.NewReader(`{"Action":"run","Package":"m/sub","Test":"TestA"}
{"Action":"output","Package":"m/sub","Test":"TestA","Event":"finding","Kind":"data race","Message":"read and write","Pos":"a.go:3:4"}
{"Action":"output","Package":"m/sub","Test":"TestA","Event":"other","Message":"write","Pos":"a.go:5:6"}
{"Action":"fail","Package":"m/sub","Test":"TestA","Elapsed":1.5,"Verdict":"fails","Runs":3}
{"Action":"fail","Package":"m/sub","Elapsed":1.5}
{"Action":"pass","Package":"m","Test":"TestA","Elapsed":2.5,"Verdict":"holds"}
{"Action":"pass","Pack`))
	if err != nil || len(targets) != 2 {
		t.Fatalf("%d targets: %v", len(targets), err)
	}
	a, b := targets[0], targets[1]
	if a.Package != "m/sub" || a.Name != "TestA" || a.Seconds != 1.5 || a.Totals.Verdict != verdict.Fails || len(a.Findings) != 1 || a.Findings[0].Pos != "a.go:3:4" ||
		len(a.Findings[0].Others) != 1 || a.Findings[0].Others[0].Pos != "a.go:5:6" {
		t.Errorf("read %+v", a)
	}
	if b.Package != "m" || b.Totals.Verdict != verdict.Holds || len(b.Findings) != 0 {
		t.Errorf("read %+v", b)
	}
	if _, err := readTargets(strings.NewReader("no JSON\n")); err == nil {
		t.Error("no error for a line that is no JSON")
	}
}

func TestReadRecordings(t *testing.T) {
	got := readRecordings([]byte("recorded example.com/m.TestA\t1,120 events, 3 goroutines\n"+
		"        not to its end: it takes too long\n"+
		"        the run itself fails: a.go:1:2: data race\n"+
		"        .everyway/TestA.schedule\n"+
		"recorded m/sub.TestB\t1 event, 1 goroutine, natively\n        /tmp/b.schedule\nrecorded m.TestC\t5 ev"), "/m")
	want := []Recording{
		{"example.com/m", "TestA", 3, "it takes too long", "/m/.everyway/TestA.schedule"},
		{"m/sub", "TestB", 1, "", "/tmp/b.schedule"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestUntil checks that a search is stopped at the line after the finding that is looked for, with
// its other access and its input, and once.
func TestUntil(t *testing.T) {
	const (
		other   = `{"Event":"finding","Kind":"panic","Pos":"a.go:1:1"}` + "\n" + `{"Event":"progress"}` + "\n"
		finding = `{"Event":"found","Kind":"data race"}` + "\n" + `{"Event":"finding","Kind":"data race","Pos":"a.go:2:1"}` + "\n" +
			`{"Event":"other","Pos":"a.go:3:1"}` + "\n" + `{"Event":"input","Name":"x","Value":"1"}` + "\n"
		rest = `{"Event":"step"}` + "\n" + `{"Event":"step"}` + "\n" + finding
	)
	stops := 0
	var found Finding
	out := lines{stop: func() { stops++ }, enough: findings(func(f *Finding) bool {
		found = *f
		return f.Kind == "data race"
	})}
	text := "no JSON\n" + other + finding
	for i := range len(text) {
		if _, err := out.Write([]byte(text[i : i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if stops > 0 || out.stopped {
		t.Error("the search is stopped before all of the finding is known")
	}
	if _, err := out.Write([]byte(rest)); err != nil {
		t.Fatal(err)
	}
	if stops != 1 || !out.stopped {
		t.Errorf("the search is stopped %d times", stops)
	}
	if found.Pos != "a.go:2:1" || len(found.Others) != 1 || found.Others[0].Pos != "a.go:3:1" || len(found.Input) != 1 || found.Input[0] != (Input{"x", "1"}) {
		t.Errorf("what is found is %+v", found)
	}
	if string(out.text) != text+rest {
		t.Errorf("the text is %q", out.text)
	}
}
