package report

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

var update = flag.Bool("update", false, "rewrite golden files")

// lost is a run in which 0.2 overwrites what 0.1 wrote between 0.1's read and
// write; 0.3 and an object of 0.1's own have nothing to do with it.
func lost() *verdict.Counterexample {
	x := &schedule.Object{Goroutine: "0", Count: 1}
	own := &schedule.Object{Goroutine: "0.1", Count: 1}
	other := &schedule.Object{Goroutine: "0", Count: 2}
	from := func(i int) *int { return &i }
	return &verdict.Counterexample{
		RunFile: "/m/.everyway/FuzzX-test-failure.run",
		Corpus:  "/m/testdata/fuzz/FuzzX/0123456789abcdef",
		Run: &schedule.Run{
			Header: schedule.Header{
				Input: []schedule.Input{{Name: "n", Type: "int8", Width: 8, Value: 0xfe}},
				Finding: &schedule.Finding{
					Kind: "test failure", Message: "x = 1", Goroutine: "0.1", Pos: "testdata/counter.go.txt:7:2",
				},
			},
			Goroutines: []schedule.Origin{
				{Name: "0", Pos: ""},
				{Name: "0.1", Test: "FuzzX"},
				{Name: "0.2", Func: "example.com/m.FuzzX.func1.1", Literal: true, Pos: "testdata/counter.go.txt:5:2"},
			},
			Events: []schedule.RunEvent{
				{Goroutine: "0", Op: schedule.Spawn, Child: "0.1"},
				{Goroutine: "0.1", Op: schedule.Start},
				{Goroutine: "0.1", Op: schedule.Write, Object: own, Pos: "testdata/counter.go.txt:3:2", Wrote: "5"},
				{Goroutine: "0.1", Op: schedule.AtomicRead, Object: x, Var: "x", Pos: "testdata/counter.go.txt:4:10", Read: "0"},
				{Goroutine: "0.3", Op: schedule.AtomicWrite, Object: other, Pos: "testdata/counter.go.txt:5:2", Wrote: "9"},
				{Goroutine: "0.2", Op: schedule.AtomicUpdate, Object: x, Var: "x", Pos: "testdata/counter.go.txt:5:2", Read: "0", Wrote: "1", From: nil},
				{Goroutine: "0.1", Op: schedule.AtomicRead, Object: x, Var: "x", Pos: "testdata/counter.go.txt:6:5", Read: "1", From: from(5)},
				{Goroutine: "0.1", Op: schedule.Fail, Pos: "testdata/counter.go.txt:7:2"},
			},
		},
	}
}

func result() *verdict.Result {
	return &verdict.Result{
		Package: "example.com/m", Target: "FuzzX",
		Totals: verdict.Totals{
			Verdict: verdict.Fails,
			Runs:    12, Counts: run.Counts{Candidates: 3}, Branches: 8, Covered: 7, Degree: 1, ByDegree: []int{6, 1},
			Solver: solve.Stats{Queries: 4, Slices: 7, Hinted: 5, Blasted: 2, Work: 1234},
		},
		Elapsed: 250 * time.Millisecond,
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -update to accept)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

func TestText(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	source := func(root, file string, line int) (string, bool) {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return "", false
		}
		return strings.Split(string(text), "\n")[line-1], true
	}
	for _, test := range []struct {
		name  string
		width int
		found *verdict.Counterexample
		res   *verdict.Result
	}{
		{"found.txt", 100, lost(), result()},
		{"narrow.txt", 40, lost(), result()},
		{"narrow.txt", 1, lost(), result()},
		{"wide.txt", math.MaxInt, lost(), result()},
		{"found120.txt", -7, lost(), result()},
		{"holds.txt", 0, nil, &verdict.Result{Package: "example.com/m", Target: "TestX", Totals: verdict.Totals{Verdict: verdict.Holds, Runs: 4, Degree: -1, Bounds: []string{"strings and slices of at most 8 elements"}}}},
		{"open.txt", 0, nil, &verdict.Result{Package: "example.com/m", Target: "TestX", Totals: verdict.Totals{Verdict: verdict.Open, Runs: 4, Degree: 2, Open: []string{"the budget of 1s is spent", "m.go:3:4: a float input was made concrete"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			text := newText(Config{Stdout: &b, Dir: root, Source: source, Width: test.width})
			test.res.Root = root
			if test.found != nil {
				text.Found(test.res, test.found)
			}
			text.Ended(test.res)
			golden(t, test.name, b.Bytes())
		})
	}
}

// A finding is written in two parts: what failed at once, and the rest when it is minimised. Only
// if something else was written in between, or it has another message then, does it show.
func TestConfirmed(t *testing.T) {
	for _, test := range []struct {
		name    string
		message string // as it was seen
		between bool
		added   string // to what is written in one part
	}{
		{"same", "x = 1", false, ""},
		{"other message", "x = 7", false, "    minimised:\n    testdata/counter.go.txt:7:2: x = 1\n"},
		{"between", "x = 1", true, "=== NAME  FuzzX\n    testdata/counter.go.txt:7:2: x = 1\n"},
		{"both", "x = 7", true, "=== NAME  FuzzX\n    minimised:\n    testdata/counter.go.txt:7:2: x = 1\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var whole, parts bytes.Buffer
			newText(Config{Stdout: &whole}).Found(result(), lost())
			const head = "--- FAIL: FuzzX (0.25s)\n    testdata/counter.go.txt:7:2: x = 1\n"
			rest, ok := strings.CutPrefix(whole.String(), head)
			if !ok {
				t.Fatalf("in one part:\n%s", whole.String())
			}
			text := newText(Config{Stdout: &parts})
			seen := lost().Run
			seen.Finding.Message = test.message
			text.Confirmed(result(), seen)
			want := strings.Replace(head, "x = 1", test.message, 1)
			if got := parts.String(); got != want {
				t.Errorf("at once:\n%s\nwant:\n%s", got, want)
			}
			if test.between {
				ended := &verdict.Result{Package: "example.com/m", Target: "TestY"}
				text.Ended(ended)
				want = parts.String()
			}
			text.Found(result(), lost())
			if got := parts.String(); got != want+test.added+rest {
				t.Errorf("got:\n%s\nwant:\n%s", got, want+test.added+rest)
			}
		})
	}
}

// Several findings of one run are written at once, and the rest of each below what it is about.
func TestConfirmedTogether(t *testing.T) {
	var b bytes.Buffer
	text := newText(Config{Stdout: &b})
	var runs []*verdict.Counterexample
	for _, message := range []string{"x = 1", "x = 2"} {
		f := lost()
		f.Run.Finding.Message = message
		runs = append(runs, f)
		text.Confirmed(result(), f.Run)
	}
	for _, f := range runs {
		text.Found(result(), f)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "=== ") || strings.Contains(line, ": x = ") || strings.Contains(line, "  replay  ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	const where, replay = "testdata/counter.go.txt:7:2: ", "replay  everyway replay /m/.everyway/FuzzX-test-failure.run"
	want := []string{
		"--- FAIL: FuzzX (0.25s)", where + "x = 1", "--- FAIL: FuzzX (0.25s)", where + "x = 2",
		"=== NAME  FuzzX", where + "x = 1", replay, "=== NAME  FuzzX", where + "x = 2", replay,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWarnings checks that a finding says what of it could not be written.
func TestWarnings(t *testing.T) {
	f := lost()
	f.RunFile, f.Corpus = "", ""
	f.Warn("the run is not saved", fs.ErrPermission)
	for _, format := range Formats() {
		for _, sameAs := range []string{"", "example.com/m.TestY"} {
			var b bytes.Buffer
			f.SameAs = sameAs
			format.New(Config{Stdout: &b}).Found(result(), f)
			if got := b.String(); !strings.Contains(got, "the run is not saved: permission denied") || strings.Contains(got, "everyway replay") {
				t.Errorf("%s: %s", format.Name, got)
			}
		}
	}
}

// TestFaulted has both formats report faults, one of which could not be written to a file.
func TestFaulted(t *testing.T) {
	for _, format := range Formats() {
		var b bytes.Buffer
		r := format.New(Config{Stdout: &b, Dir: "/m"})
		r.Faulted(&verdict.Fault{Package: "example.com/m", Target: "TestX", Message: "everyway itself failed: nil map", Report: "/m/.everyway/TestX-fault.txt"})
		r.Faulted(&verdict.Fault{Package: "example.com/m", Target: "TestY", Message: "everyway itself failed: nil map", Text: "the report\n"})
		r.Faulted(&verdict.Fault{Package: "example.com/m", Target: "TestZ", Message: "the solvers contradict each other"})
		golden(t, "fault."+format.Name, b.Bytes())
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	j := newJSON(Config{Stdout: &b})
	j.Started("example.com/m", "FuzzX")
	j.Output("example.com/m", "FuzzX", []byte("hello\n"))
	j.Progress(result())
	j.Confirmed(result(), lost().Run)
	j.Found(result(), lost())
	j.Ended(result())
	if err := j.Err(); err != nil {
		t.Fatal(err)
	}
	golden(t, "found.json", b.Bytes())
}

// failing is a writer that takes some bytes and then fails.
type failing struct{ left int }

func (f *failing) Write(data []byte) (int, error) {
	if f.left -= len(data); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(data), nil
}

// TestFormats has every format write to a file that fails, which it reports.
func TestFormats(t *testing.T) {
	for _, format := range Formats() {
		if format.Name == "" || format.Doc == "" {
			t.Errorf("a format has the name %q and the description %q", format.Name, format.Doc)
		}
		begin := func(to io.Writer) Report {
			r := format.New(Config{Stdout: to, Stderr: io.Discard, Verbose: true})
			r.Loaded(1, time.Second)
			r.Started("example.com/m", "FuzzX")
			return r
		}
		var start bytes.Buffer
		begin(&start)
		r := begin(&failing{left: start.Len()})
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", format.Name, err)
		}
		r.Found(result(), lost())
		r.Ended(result())
		if err := r.Err(); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: error %v, want that of writing", format.Name, err)
		}
	}
}

func TestClipName(t *testing.T) {
	for _, test := range []struct {
		name string
		want string
	}{
		{"Pool.worker #2", "Pool.worker #2"},
		{"backgroundConnectionPool.worker #2", "…nnectionPool.worker #2"},
		{"func at everyway_fuzztransfer_test.go:28", "func at …fer_test.go:28"},
		{"func at pool.go:15 #2", "func at pool.go:15 #2"},
	} {
		if got := clipName(test.name, 23); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSplitPosition(t *testing.T) {
	for _, test := range []struct{ pos, file, rest string }{
		{"a.go:1:2", "a.go", ":1:2"},
		{"dir/a.go:1", "dir/a.go", ":1"},
		{"C:\\a.go:1:2", "C:\\a.go", ":1:2"},
		{"", "", ""},
	} {
		if file, rest := splitPosition(test.pos); file != test.file || rest != test.rest {
			t.Errorf("splitPosition(%q) = %q, %q", test.pos, file, rest)
		}
	}
}

// TestJSONDocs checks that the documentation lists the fields of the objects that -json
// prints.
func TestJSONDocs(t *testing.T) {
	const path = "../../docs/json.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fields := slices.Concat(
		reflect.VisibleFields(reflect.TypeFor[Line]()),
		reflect.VisibleFields(reflect.TypeFor[verdict.Totals]()),
		reflect.VisibleFields(reflect.TypeFor[Summary]()),
		reflect.VisibleFields(reflect.TypeFor[Cause]()),
		reflect.VisibleFields(reflect.TypeFor[OpenTarget]()))
	for _, f := range fields {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name = cmp.Or(name, f.Name); !bytes.Contains(page, []byte("\n| `"+name+"` |")) {
			t.Errorf("%s does not list the field %s", path, name)
		}
	}
}

// How long initialisers took is said if it was long, or with -v.
func TestInitialised(t *testing.T) {
	for _, test := range []struct {
		verbose bool
		elapsed time.Duration
		want    string
	}{
		{false, 999 * time.Millisecond, ""},
		{false, time.Second, "example.com/m: initialisers took 1.00s\n"},
		{true, 20 * time.Millisecond, "example.com/m: initialisers took 0.02s\n"},
	} {
		var out bytes.Buffer
		newText(Config{Stdout: &out, Stderr: io.Discard, Verbose: test.verbose}).Initialised("example.com/m", test.elapsed)
		if got := out.String(); got != test.want {
			t.Errorf("%v, verbose %v: %q, want %q", test.elapsed, test.verbose, got, test.want)
		}
	}
	var out bytes.Buffer
	newJSON(Config{Stdout: &out}).Initialised("example.com/m", 1500*time.Millisecond)
	if got, want := out.String(), `{"Action":"start","Package":"example.com/m"}`+"\n"+`{"Action":"output","Package":"example.com/m","Elapsed":1.5,"Event":"initialised"}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestInputText has inputs of each kind.
func TestInputText(t *testing.T) {
	got := inputText([]schedule.Input{
		{Name: "n", Type: "int", Width: 64, Value: 3},
		{Name: "clock(0)#2", Type: "int64", Width: 64, Value: 1_000_000},
	})
	if want := "n = 3, clock(0)#2 = 1000000 (read 1ms later than it had to be)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
