package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample returns a run with each part of a header, and the events of everyOperation.
func sample(t testing.TB) *Run {
	t.Helper()
	from, err := NewReader(strings.NewReader(everyOperation), "every.schedule.txt")
	if err != nil {
		t.Fatal(err)
	}
	h := Header{
		Tool: "everyway (devel)", Build: "b", Dir: "examples/a b", Package: "example.com/p", Binary: "example.com/q", Target: "FuzzX", Kind: "fuzz test",
		Files: []string{"a.go", "a \"b\".go"},
		Options: Options{
			MaxLen: 8, Instructions: 1<<64 - 1, Memory: 1 << 30, Stall: time.Duration(1<<63 - 1), Signals: 2, Network: "pieces", Short: true,
			Run: "^X$", Skip: "-", Tags: []string{"a", "b"}, Args: []string{"", "-", "two words\n", "é"}, Flags: []string{"-mod=mod"},
			MaxObjects: 5, MaxChain: 6,
			Generated: []File{
				{Name: "a dir/x_test.go", Text: strings.Repeat("// long é\n", 10_000), Driver: true}, {Name: "$GOROOT/src/sync/empty.go"}, {Name: "driver", Text: "package p"},
			},
		},
		Input: []Input{
			{Name: "n", Type: "uint8", Width: 8, Value: 255}, {Name: "cap(b) > 8", Type: "bool", Width: 1, Value: 1, Choice: true},
			{Name: "m", Type: "int", Width: 64, Any: true}, {Name: "cap(c) > 8", Type: "bool", Width: 1, Choice: true, Any: true},
			{Name: `m["a b"]`, Type: "map[string]struct{ x int }", Width: 64, Value: 1 << 63}, {Name: "choice", Type: "", Width: 0, Value: 0},
		},
		Visible:   &Visible{Sites: []Place{{Func: "p.F[struct { x int }]", Instr: 3}}, Objects: []Object{{Goroutine: "0.1", Count: 2}, {Count: 4}}, Stops: []Place{{Func: "p.(*T).G", Instr: 7}}},
		Goal:      []GoalSite{{Place: Place{Func: "p.F", Instr: 1}}, {Place: Place{Func: "p.F", Instr: 2}, Of: 1}},
		Decisions: []Decision{{Goroutine: "0"}, {Goroutine: "0"}, {Goroutine: "0.1", Alt: 2}, {Goroutine: Timer}, {Goroutine: Timer, Alt: -1}, {Value: true, Goroutine: "0"}, {Value: true, Goroutine: "0", Alt: 1}},
		Finding: &Finding{
			Why:  &Why{WhyStep{3, "0.1", AtomicRead, "", "a.go:1:2", "", ""}, WhyStep{-1, "0 x", Lock, "Pool.mu", "", "b.go:2:3", "sync.(*Mutex).Lock"}},
			Kind: "data race", Message: "a \"message\"\n\twith lines  and blanks ", Test: "TestX/sub test", Goroutine: "0", Pos: "a b.go:1:2", Stall: 1500 * time.Microsecond, Always: true,
			Stack:  []Frame{{"p.F[struct { x int }]", "a.go:1:2"}, {"p.G", ""}},
			Others: []Finding{{Kind: "data race", Message: strings.Repeat("long é ", 10_000), Goroutine: "0.1", Pos: "a.go:3:4", Stack: []Frame{{"p.H", "a.go:3:4"}}}, {Kind: "data race"}},
		},
		Read:         map[string]string{"testdata/": "h1", "a file": "h2"},
		Initialisers: 2,
		Tests:        []Test{{Package: "p", Name: "TestA", Goroutine: "0.3"}, {Package: "p", Name: "TestB"}},
	}
	r := NewRun(h, from.Table(), func(to *Writer) error {
		for e, err := range from.Events() {
			if err == nil {
				err = to.Write(e)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if r.Incomplete != "" {
		t.Fatal(r.Incomplete)
	}
	return r
}

// written returns the run file of a run.
func written(t testing.TB, r *Run) string {
	t.Helper()
	var b strings.Builder
	if err := WriteRun(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shortened is the sample without the texts that are long.
func shortened(t testing.TB) string {
	text := strings.ReplaceAll(written(t, sample(t)), strings.Repeat("long é ", 100), "")
	return strings.ReplaceAll(text, strings.Repeat(`// long é\n`, 100), "")
}

func TestRoundTrip(t *testing.T) {
	want := sample(t)
	text := written(t, want)
	got, err := ReadRun(strings.NewReader(text), "a.run")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Header, want.Header) {
		t.Errorf("read back\n%+v\nwant\n%+v", got.Header, want.Header)
	}
	if !reflect.DeepEqual(got.Events, want.Events) {
		t.Errorf("read back\n%+v\nwant\n%+v", got.Events, want.Events)
	}
	if again := written(t, got); again != text {
		t.Errorf("written again\n%s\nwant\n%s", again, text)
	}
	// A run file is a schedule, also in the other encoding.
	var binary bytes.Buffer
	if err := convert(&binary, []byte(text), BinaryEncoding, true); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadRun(&binary, "a.run"); err != nil {
		t.Fatal(err)
	}
	if again := written(t, got); again != text {
		t.Errorf("by the binary encoding\n%s\nwant\n%s", again, text)
	}
}

// steps shows the steps of the run of events, which has a goroutine and three objects.
func steps(t *testing.T, events string) string {
	t.Helper()
	r, err := ReadRun(strings.NewReader("everyway schedule 3\n%decisions -\n"+events+"%end\n"), "a.run")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range r.Events {
		fmt.Fprintf(&b, "%s.%d %v", e.Goroutine, e.Index, e.Op)
		if e.Object != nil {
			fmt.Fprintf(&b, " (%s %d)+%d", e.Object.Goroutine, e.Object.Count, e.Offset)
		}
		if e.From != nil {
			fmt.Fprintf(&b, " from %d", *e.From)
		}
		for _, text := range []string{e.Pos, e.Func, e.Child, e.Waits, e.Cond} {
			if text != "" {
				b.WriteString(" " + text)
			}
		}
		if e.Alt != 0 {
			fmt.Fprintf(&b, " alt %d", e.Alt)
		}
		fmt.Fprintf(&b, " %q %q\n", e.Read, e.Wrote)
	}
	return b.String()
}

func TestSteps(t *testing.T) {
	for _, test := range []struct{ name, events, want string }{
		{
			"definitions are no steps",
			"g0.0 begin\ng0.1 new o1 memory 0 - 5 x\ng0.2 symbol v1 i64:7 n\ng0.3 let v2 i64:-3\ng0.4 binopr slt v1 v2 v3\n@location a.go 3 4 m.F\ng0.5 branch v3 false\n",
			"0.0 start \"\" \"\"\n0.1 branch a.go:3:4 m.F \"\" \"\"\n",
		},
		{
			"names of objects",
			"g0.0 begin\ng0.1 new o1 memory 0 - 5 x\ng0.2 new o2 memory 0 g0 6 -\n@allocator 0.9\ng0.3 new o3 memory 0 - 7 -\ng0.4 new o4 memory 0 - 0 -\ng0.5 new o5 environment -2 - 0 clock\n" +
				"g0.6 write o1.1 i8:1 -\ng0.7 write o2.0 bool:true -\ng0.8 write o3.0 f32:1.5 -\ng0.9 write o4.0 ref:255 -\ng0.10 read o5.0 ref:0 -\n",
			"0.0 start \"\" \"\"\n0.1 write ( 4)+1 \"\" \"1\"\n0.2 write (0 6)+0 \"\" \"true\"\n0.3 write (0.9 7)+0 \"\" \"1.5\"\n0.4 write (- 4)+0 \"\" \"0xff\"\n0.5 read ( -2)+0 \"nil\" \"\"\n",
		},
		{
			"an access to several cells",
			"g0.0 begin\ng0.1 new o1 memory 0 - 1 -\ng0.2 write o1.0 i8:1 -\ng0.3 let v1 i8:2\n@implied\ng0.4 write o1.1 i8:2 v1\ng0.5 write o1.1 i8:3 -\ng0.6 read o1.0 i8:1 -\n@implied\ng0.7 read o1.1 i8:3 -\n",
			"0.0 start \"\" \"\"\n0.1 write ( 0)+0 \"\" \"1\"\n0.2 write ( 0)+1 \"\" \"3\"\n0.3 read ( 0)+0 from 2 \"1\" \"\"\n",
		},
		{
			"what was there before is no step",
			"g0.0 begin\ng0.1 new o1 chan 1 - 1 -\n@implied\ng0.2 send o1 - - -\ng0.3 receive o1 i8:1 - -\n",
			"0.0 start \"\" \"\"\n0.1 receive ( 0)+0 \"1\" \"\"\n",
		},
		{
			"values that are not explained",
			"g0.0 begin\ng0.1 new o1 memory 0 - 1 -\ng0.2 write o1.0 i8:1 -\n@values i8:2 -\n@from 2\ng0.3 read o1.0 - -\n@from -\ng0.4 read o1.0 i8:2 -\n@values i8:3 i8:4\ng0.5 atomicupdate o1.0 - - - -\n",
			"0.0 start \"\" \"\"\n0.1 write ( 0)+0 \"\" \"1\"\n0.2 read ( 0)+0 from 1 \"2\" \"\"\n0.3 read ( 0)+0 \"2\" \"\"\n0.4 atomic update ( 0)+0 \"3\" \"4\"\n",
		},
		{
			"timers",
			"g0.0 begin\ng0.1 new o1 timer 0 - 1 -\ng0.2 new o2 environment -2 - 0 clock\n@cell o2.0\n@name 0.3\ntimer.0 pass 50\n@name 0.4\ntimer.1 fire o1 g1 50\ng1.0 begin\n@cell o2.0\ng1.1 sleep 5\n",
			"0.0 start \"\" \"\"\ntimer.0 time passes ( -2)+0 0.3 \"\" \"50\"\ntimer.1 timer fires ( 0)+0 0.4 \"\" \"50\"\n0.4.0 start \"\" \"\"\n0.4.1 sleep ( -2)+0 \"\" \"\"\n",
		},
		{
			"selects, choices and signals",
			"g0.0 begin\ng0.1 new o1 chan 1 - 1 -\ng0.2 new o2 memory 0 - 2 -\ng0.3 send o1 i8:1 - 2\ng0.4 receive o1 i8:1 - 0\ng0.5 default -\ng0.6 choice 3\ng0.7 signal o2.0 *\ng0.8 fork g1 0.1\ng0.9 pending <receive o1>\n",
			"0.0 start \"\" \"\"\n0.1 send ( 0)+0 alt 2 \"\" \"1\"\n0.2 receive ( 0)+0 from 1 \"1\" \"\"\n0.3 select default alt -1 \"\" \"\"\n0.4 choice alt 3 \"3\" \"\"\n0.5 cond signal ( 1)+0 alt -1 \"\" \"\"\n0.6 go 0.1 \"\" \"\"\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := steps(t, test.events); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// A run whose events are not possible can still be made again.
func TestIncomplete(t *testing.T) {
	r := NewRun(Header{Target: "TestX", Decisions: []Decision{{Goroutine: "0"}}}, NewTable(), func(w *Writer) error {
		for i, op := range []Op{Start, Yield, Start, Yield} {
			if err := w.Write(&Event{Op: op, Index: int64(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	if want := `event 2 of g0: the first event of g0, and only that, is "begin"`; r.Incomplete != want || len(r.Events) != 2 {
		t.Errorf("%d events, then: %s; want 2, then: %s", len(r.Events), r.Incomplete, want)
	}
	back, err := ReadRun(strings.NewReader(written(t, r)), "a.run")
	if err != nil || back.Incomplete != r.Incomplete || len(back.Decisions) != 1 || len(back.Events) != 2 {
		t.Errorf("read back %+v, %v", back, err)
	}
	failed := NewRun(Header{}, NewTable(), func(*Writer) error { return errors.New("no events") })
	if failed.Incomplete != "no events" {
		t.Errorf("incomplete since %q", failed.Incomplete)
	}
}

// TestOldRuns reads run files of versions 1 and 2, which the versions of everyway wrote that had them.
func TestOldRuns(t *testing.T) {
	for version := 1; version <= 2; version++ {
		name := fmt.Sprintf("testdata/version%d.run", version)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadRun(bytes.NewReader(data), name)
		if err != nil {
			t.Fatal(err)
		}
		var goroutines []string
		for f := range r.Finding.All() {
			goroutines = append(goroutines, f.Goroutine)
		}
		if r.Version != version || r.Target != "TestLocks" || !slices.Equal(goroutines, []string{"0", "0.1", "0.2"}) || len(r.Decisions) < 3 || len(r.Events) < 10 {
			t.Errorf("%s: version %d of %s, goroutines %v, %d decisions, %d events", name, r.Version, r.Target, goroutines, len(r.Decisions), len(r.Events))
		}
		if err := WriteRun(new(bytes.Buffer), r); err == nil {
			t.Errorf("%s: it is written without a schedule", name)
		}
	}
}

// TestNested reads a run of version 1, in which the goroutines of a finding were nested.
func TestNested(t *testing.T) {
	r, err := ReadRun(strings.NewReader(`{"everyway":1,"finding":{"kind":"deadlock","goroutine":"0",`+
		`"other":{"kind":"deadlock","goroutine":"0.1","other":{"kind":"deadlock","goroutine":"0.2"}}}}`+"\n"), "a.run")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range r.Finding.All() {
		got = append(got, f.Kind+" "+f.Goroutine)
	}
	if want := []string{"deadlock 0", "deadlock 0.1", "deadlock 0.2"}; !slices.Equal(got, want) {
		t.Errorf("the finding is of %v, want %v", got, want)
	}
}

func TestReadErrors(t *testing.T) {
	const head = "everyway schedule 3\n"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "a.run:1: an empty file is no run file"},
		{"neither", "hello\n", `a.run:1: this is no run file: it does not begin with "everyway schedule"`},
		{"newer", "everyway schedule 4\n%end\n", "a.run:1: a schedule of version 4; this program reads versions up to 3, so use a newer one"},
		{"newer, as it was", `{"everyway":4}` + "\n", "a.run:1: a run file of version 4 that is no schedule; this program reads versions up to 3, so use a newer one"},
		{"JSON without a version", `{"a":4}` + "\n", "a.run:1: not a run file: it has no version"},
		{"no JSON", "{hello\n", "a.run:1: not a run file: invalid character 'h' looking for beginning of object key string"},
		{"old event", `{"everyway":2}` + "\n" + `{"op":"dance"}` + "\n", `a.run:2: event: unknown operation "dance"`},
		{"old event of a later one", `{"everyway":2}` + "\n" + `{"op":"read","from":0}` + "\n", "a.run:2: event 0 has a value of event 0, which is not before it"},
		{"old lock of nothing", `{"everyway":2}` + "\n" + `{"op":"lock"}` + "\n", `a.run:2: event: "lock" of no object`},
		{"no run file", head + "%target T\ng0.0 begin\n%end\n", `a.run:2: this is a schedule and no run file: it has no property "decisions", which says how to make its run again`},
		{"cut short", head + "%decisions 0\n", "a.run:3: the file is cut short: its last line, %end, is missing"},
		{"no goroutine", head + "%target T\n%decisions 0 x:1\n%end\n", `a.run:3: the property "decisions": "x:1" names no goroutine, such as 0.1`},
		{"no way", head + "%decisions 0:a\n%end\n", `a.run:2: the property "decisions": "0:a": "a" is no number of a way or value`},
		{"no times", head + "%decisions 0*0\n%end\n", `a.run:2: the property "decisions": "0*0": "0" is no number of decisions`},
		{"too many", head + "%decisions 0*4000000 0*4000000\n%end\n", `a.run:2: the property "decisions": more than 4194304 decisions`},
		{"an input", head + "%input n int8 8\n%end\n", `a.run:2: the property "input": 3 words in the place of a name, a type, a width and a value`},
		{"a width", head + "%input n int8 900 1\n%end\n", `a.run:2: the property "input": "900" is no number that is expected here`},
		{"an option", head + "%option speed 9\n%end\n", `a.run:2: the property "option": there is no option "speed"`},
		{"of no finding", head + "%message m\n%end\n", `a.run:2: the property "message": there is no "finding" before it`},
		{"no event", head + "%decisions 0\ng0.0 begin\ng0.1 dance\n%end\n", `a.run:4: there is no operation "dance"`},
		{"not possible", head + "%decisions 0\ng0.0 begin\ng1.0 begin\n%end\n", "a.run:4: an event of g1, which has not been started"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadRun(strings.NewReader(test.text), "a.run")
			var wrong *SyntaxError
			if !errors.As(err, &wrong) || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// What is left of a run file that was cut or changed is refused, or read.
func TestMutations(t *testing.T) {
	text := shortened(t)
	check := func(data string) {
		_, err := ReadRun(strings.NewReader(data), "a.run")
		if wrong := (*SyntaxError)(nil); err != nil && !errors.As(err, &wrong) {
			t.Fatalf("%v\n%s", err, data)
		}
	}
	for n := range len(text) - 1 {
		if _, err := ReadRun(strings.NewReader(text[:n]), "a.run"); err == nil {
			t.Fatalf("what was cut after %d bytes is read", n)
		}
	}
	changes := []string{"", "\n", " ", "9", "-", "\"", "<", "*", "\xff"}
	for n := range len(text) {
		check(text[:n] + changes[n%len(changes)] + text[n+1:])
	}
}

func TestDecisions(t *testing.T) {
	var want []Decision
	for i := range 100_000 {
		want = append(want, Decision{Goroutine: []string{"0", "0.1", "0.1.2", Timer}[i%7%4], Alt: int32(i % 5 / 4), Value: i%11 == 0})
	}
	lines := writeDecisions(want)
	size := 0
	var got []Decision
	for _, line := range lines {
		var err error
		if got, err = readDecisions(got, line); err != nil {
			t.Fatal(err)
		}
		if size += len(line) + 1; len(line) > decisionsLine+30 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Error("other decisions are read than were written")
	}
	t.Logf("%d decisions in %d lines, %d bytes", len(want), len(lines), size)
	if got, err := readDecisions(nil, writeDecisions(nil)[0]); err != nil || len(got) != 0 {
		t.Errorf("no decisions: %v, %v", got, err)
	}
}

func TestOpNames(t *testing.T) {
	seen := map[string]Op{}
	for op := NoOp; op < NumOps; op++ {
		text, err := op.MarshalText()
		if err != nil {
			t.Fatalf("op %d: %v", op, err)
		}
		if old, dup := seen[string(text)]; dup {
			t.Errorf("ops %d and %d are both %q", old, op, text)
		}
		seen[string(text)] = op
		var back Op
		if err := back.UnmarshalText(text); err != nil || back != op {
			t.Errorf("%q reads back as %v, %v; want %v", text, back, err, op)
		}
	}
}

// FuzzReadRun reads any bytes as a run file. What is read is the same when it has been written, if it is of
// the present version.
func FuzzReadRun(f *testing.F) {
	f.Add([]byte(shortened(f)))
	for _, name := range []string{"testdata/version1.run", "testdata/version2.run"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadRun(bytes.NewReader(data), "a.run")
		if wrong := (*SyntaxError)(nil); errors.As(err, &wrong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Schedule(); err != nil {
			return // of an old version
		}
		text := written(t, r)
		back, err := ReadRun(strings.NewReader(text), "b.run")
		if err != nil {
			t.Fatalf("what was read cannot be read when it has been written: %v\n%s", err, text)
		}
		r.Version = Version
		if !reflect.DeepEqual(back.Header, r.Header) || !reflect.DeepEqual(back.Events, r.Events) {
			t.Errorf("read back\n%+v\nwant\n%+v", back, r)
		}
	})
}
