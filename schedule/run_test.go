package schedule

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sample() *Run {
	from := 0
	return &Run{
		Header: Header{
			Version: Version, Build: "b", Dir: "examples/addall", Package: "example.com/p", Target: "FuzzX", Kind: "fuzz",
			Input:     []Input{{Name: "n", Type: "uint8", Width: 8, Value: 255}},
			Visible:   &Visible{Sites: []Place{{Func: "p.F", Instr: 3}}, Objects: []Object{{Goroutine: "0.1", Count: 2}, {Count: 4}}},
			Decisions: []Decision{{Goroutine: "0"}, {Goroutine: "0.1", Alt: 2}, {Goroutine: "timer"}, {Value: true, Goroutine: "0", Alt: 1}},
			Finding:   &Finding{Kind: "race", Message: "m", Goroutine: "0", Pos: "a.go:1:2", Others: []Finding{{Kind: "race", Goroutine: "0.1", Pos: "a.go:3:4"}}},
		},
		Events: []RunEvent{
			{Goroutine: "0", Op: Write, Object: &Object{Goroutine: "0", Count: 1}, Pos: "a.go:1:2", Wrote: "1"},
			{Goroutine: "0.1", Index: 0, Op: Read, Object: &Object{Goroutine: "0", Count: 1}, From: &from, Read: "1"},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	var buf bytes.Buffer
	if err := WriteRun(&buf, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRun(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back\n%+v\nwant\n%+v", got, want)
	}
}

// TestNested reads a run of version 1, in which the goroutines of a finding were nested.
func TestNested(t *testing.T) {
	r, err := ReadRun(strings.NewReader(`{"everyway":1,"finding":{"kind":"deadlock","goroutine":"0",` +
		`"other":{"kind":"deadlock","goroutine":"0.1","other":{"kind":"deadlock","goroutine":"0.2"}}}}` + "\n"))
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
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "empty run file"},
		{"not JSON", "hello\n", "line 1: not a run file"},
		{"other version", `{"everyway":99}` + "\n", "version 99"},
		{"bad event", `{"everyway":2}` + "\n" + `{"op":"dance"}` + "\n", `line 2: event: unknown operation "dance"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadRun(strings.NewReader(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
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

func FuzzRead(f *testing.F) {
	var buf bytes.Buffer
	if err := WriteRun(&buf, sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadRun(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteRun(&out, r); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}
