package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

const schemaFile = "../../docs/json.schema.json"

// checkLines checks that each line of output is valid by the schema that the documentation has, and short
// enough for readers of lines.
func checkLines(t *testing.T, schema *jsonschema.Schema, name string, output []byte) {
	t.Helper()
	for line := range bytes.Lines(output) {
		if len(line) > maxLine {
			t.Errorf("%s: a line of %d bytes: %.200s…", name, len(line), line)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, line)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v\n%s", name, err, line)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestJSONSchema(t *testing.T) {
	schema := compileSchema(t)
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, schema, file, text)
	}
	var b bytes.Buffer
	j := newJSON(Config{Stdout: &b, Now: time.Now})
	all(j)
	checkLines(t, schema, "all events", b.Bytes())

	// The schema allows no fields that lines do not have, and knows all that they have.
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var known struct{ Properties map[string]any }
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Line]()) {
		if !f.Anonymous {
			if _, ok := known.Properties[f.Name]; !ok {
				t.Errorf("the schema does not have the field %s", f.Name)
			}
			delete(known.Properties, f.Name)
		}
	}
	for name := range known.Properties {
		t.Errorf("the schema has the field %s, which lines do not have", name)
	}
}

// all calls a report with everything that there is.
func all(r Report) {
	r.NotBuilt(&NotBuilt{Package: "example.com/b", Setup: true, Errors: []BuildError{{Package: "example.com/b", Text: "b.go:1:1: no"}}})
	r.Loaded(2, time.Second)
	r.Initialised("example.com/m", 2*time.Second)
	r.Started("example.com/m", "FuzzX")
	r.Restarted("example.com/m", "FuzzX", "/m/x.search", "it is damaged")
	r.Paused("example.com/m", "FuzzX")
	r.Continued("example.com/m", "FuzzX")
	r.Output("example.com/m", "FuzzX", []byte("hello\n"))
	r.Progress(result())
	r.Confirmed(result(), lost().Run)
	r.Found(result(), lost())
	r.Ended(result())
	r.Started("example.com/m", "TestY")
	r.Confirmed(&verdict.Result{Package: "example.com/m", Target: "TestY"}, race().Run)
	r.Found(&verdict.Result{Package: "example.com/m", Target: "TestY"}, race())
	r.Faulted(&verdict.Fault{Package: "example.com/m", Target: "TestY", Message: "nil map", Report: "/m/.everyway/fault.txt"})
	r.Ended(&verdict.Result{Package: "example.com/m", Target: "TestY"})
	r.Unbegun("example.com/m", "TestZ")
	r.Done(time.Second)
}

// Readers of go test -json take a line with a test and an action that they do not know for the end of
// the test, and one after its end for the beginning of another.
func TestJSONOrder(t *testing.T) {
	known := map[string]bool{"start": true, "run": true, "pause": true, "cont": true, "output": true, "pass": true, "fail": true, "skip": true, "build-output": true, "build-fail": true}
	var b bytes.Buffer
	all(newJSON(Config{Stdout: &b, Verbose: true, Stderr: &bytes.Buffer{}}))
	ended := map[string]bool{}
	began := map[string]bool{}
	for text := range bytes.Lines(b.Bytes()) {
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		if !known[l.Action] {
			t.Errorf("unknown action: %s", text)
		}
		key := l.Package + " " + l.Test
		if ended[key] {
			t.Errorf("after the end: %s", text)
		}
		switch {
		case l.Action == "start" || l.Action == "run":
			began[key] = true
		case l.Package != "" && !began[key]:
			t.Errorf("before the beginning: %s", text)
		}
		ended[key] = l.Action == "pass" || l.Action == "fail" || l.Action == "skip"
	}
	for key := range began {
		if !ended[key] {
			t.Errorf("%q has no end", key)
		}
	}
}

// Lines stay below 64 KiB whatever is in them, and say that something is missing.
func TestJSONLong(t *testing.T) {
	long := strings.Repeat("éé<\x01", 1<<17)
	var stack []schedule.Frame
	var others []schedule.Finding
	for range 10_000 {
		stack = append(stack, schedule.Frame{Func: "f", Pos: "f.go:1:2"})
	}
	for range 600 {
		others = append(others, schedule.Finding{Kind: "deadlock", Goroutine: "0.1", Stack: stack[:30]})
	}
	found := &verdict.Counterexample{
		Output: long + "\n" + long,
		Run: &schedule.Run{
			Header: schedule.Header{
				Input:   []schedule.Input{{Name: long, Type: "int", Width: 64}},
				Finding: &schedule.Finding{Kind: "deadlock", Message: long, Goroutine: "0", Stack: stack, Others: others},
			},
			Events: []schedule.RunEvent{{Goroutine: "0", Op: schedule.Fail, Read: long, Wrote: long}},
		},
		Warnings: []string{long, long},
	}
	open := &verdict.Result{Package: "example.com/m", Target: "TestX", Totals: verdict.Totals{Verdict: verdict.Open, Degree: -1}}
	for range 5000 {
		open.Open = append(open.Open, long[:1200])
		open.Saved = append(open.Saved, verdict.Saved{RunFile: "x.run", Finding: "panic", Status: verdict.Fixed})
	}
	var b bytes.Buffer
	j := newJSON(Config{Stdout: &b})
	j.Started("example.com/m", "TestX")
	j.Found(open, found)
	j.Ended(open)
	j.NotBuilt(&NotBuilt{Package: "example.com/b", Errors: []BuildError{{Package: "example.com/b", Text: long}}})
	j.Loaded(2, 0)
	j.Done(0)
	if err := j.Err(); err != nil {
		t.Fatal(err)
	}
	checkLines(t, compileSchema(t), "long", b.Bytes())
	var printed strings.Builder
	cuts := map[Event]bool{}
	for text := range bytes.Lines(b.Bytes()) {
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		cuts[l.Event] = cuts[l.Event] || l.Cut
		if l.Action == "output" && l.Event == "" {
			printed.WriteString(l.Output)
		}
	}
	for _, event := range []Event{EventFinding, EventInput, EventStep, ""} {
		if !cuts[event] {
			t.Errorf("no line of event %q says that it was cut", event)
		}
	}
	if !strings.HasPrefix(printed.String(), found.Output) {
		t.Error("the output of the run is not whole")
	}
}
