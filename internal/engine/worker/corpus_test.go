package worker

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

func TestCorpusEntry(t *testing.T) {
	params := []run.Param{{Name: "n", Type: "int8"}, {Name: "s", Type: "string"}, {Name: "b", Type: "[]uint8"}, {Name: "ok", Type: "bool"}, {Name: "undrawn", Type: "string"}}
	got := string(corpusEntry(params, []schedule.Input{
		{Name: "n", Type: "int8", Width: 8, Value: 0x80},
		{Name: "len(s)", Type: "string", Width: 64, Value: 1},
		{Name: "s[0]", Type: "uint8", Width: 8, Value: '\n'},
		{Name: "len(b)", Type: "[]byte", Width: 64, Value: 1},
		{Name: "b[0]", Type: "uint8", Width: 8, Value: 0xff},
		{Name: "ok", Type: "bool", Width: 1, Value: 1},
	}))
	want := "go test fuzz v1\nint8(-128)\nstring(\"\\n\")\n[]byte(\"\\xff\")\nbool(true)\nstring(\"\")\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCorpusIsReadByGo lets go test read a seed that was written here.
func TestCorpusIsReadByGo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("m_test.go", `package m

import (
	"math"
	"testing"
)

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint16, s string, b []byte, x, y, z float64, w float32) {
		if n == 7 && s == "a\"b" && string(b) == "\x00" && 1/x < -1 && y != y && math.Float64bits(z) == 0x7ff0000000000001 && w == 0.1 {
			t.Fatal("seed was read")
		}
	})
}
`)
	params := []run.Param{
		{Name: "n", Type: "uint16"},
		{Name: "s", Type: "string"},
		{Name: "b", Type: "[]uint8"},
		{Name: "x", Type: "float64"},
		{Name: "y", Type: "float64"},
		{Name: "z", Type: "float64"},
		{Name: "w", Type: "float32"},
	}
	var input []schedule.Input
	input = append(input, schedule.Input{Name: "n", Type: "uint16", Width: 16, Value: 7})
	input = append(input, schedule.Input{Name: "len(s)", Type: "string", Width: 64, Value: 3})
	for i, c := range []byte(`a"b`) {
		input = append(input, schedule.Input{Name: "s[" + string(rune('0'+i)) + "]", Type: "uint8", Width: 8, Value: uint64(c)})
	}
	input = append(input, schedule.Input{Name: "len(b)", Type: "[]byte", Width: 64, Value: 1},
		schedule.Input{Name: "x", Type: "float64", Width: 64, Value: 1 << 63},
		schedule.Input{Name: "y", Type: "float64", Width: 64, Value: 0x7ff8000000000001},
		schedule.Input{Name: "z", Type: "float64", Width: 64, Value: 0x7ff0000000000001},
		schedule.Input{Name: "w", Type: "float32", Width: 32, Value: 0x3dcccccd})
	prog, target := fuzzTarget(dir)
	if _, err := writeCorpus(prog, target, corpusEntry(params, input)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-run", "FuzzX", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "seed was read") {
		t.Errorf("go test did not fail with the seed: %v\n%s", err, out)
	}
}

// fuzzTarget returns a target of a package that is a module of its own.
func fuzzTarget(dir string) (*program.Program, *load.Target) {
	pkg := &load.Package{Dir: dir, Module: &load.Module{Dir: dir, Main: true}}
	return &program.Program{Toolchain: &load.Toolchain{}, Disk: disk.Host{}}, &load.Target{Kind: load.TargetFuzz, Name: "FuzzX", Package: pkg}
}

func TestSeedsReadBack(t *testing.T) {
	params := []run.Param{
		{Name: "n", Type: "int16"},
		{Name: "s", Type: "string"},
		{Name: "ok", Type: "bool"},
	}
	input := []schedule.Input{
		{Name: "n", Type: "int16", Width: 16, Value: 0xfffe},
		{Name: "len(s)", Type: "string", Width: 64, Value: 2},
		{Name: "s[0]", Type: "uint8", Width: 8, Value: 0xff},
		{Name: "s[1]", Type: "uint8", Width: 8, Value: '"'},
		{Name: "ok", Type: "bool", Width: 1, Value: 1},
	}
	for i, bits := range []uint64{0x3fb999999999999a, 1 << 63, 0xfff0000000000000, 0x7ff8000000000001, 0xfff8000000000005} {
		name := fmt.Sprintf("x%d", i)
		params = append(params, run.Param{Name: name, Type: "float64"})
		input = append(input, schedule.Input{Name: name, Type: "float64", Width: 64, Value: bits})
	}
	for i, bits := range []uint64{0x3dcccccd, 1 << 31, 0x7f800000, 0x7fc00000, 0x7f800001} {
		name := fmt.Sprintf("y%d", i)
		params = append(params, run.Param{Name: name, Type: "float32"})
		input = append(input, schedule.Input{Name: name, Type: "float32", Width: 32, Value: bits})
	}
	dir := t.TempDir()
	prog, target := fuzzTarget(dir)
	if _, err := writeCorpus(prog, target, corpusEntry(params, input)); err != nil {
		t.Fatal(err)
	}
	corpus, err := ReadCorpus(prog, target)
	if err != nil {
		t.Fatal(err)
	}
	if len(corpus) != 1 || corpus[0].Err != "" {
		t.Fatalf("the corpus is %v, want one seed", corpus)
	}
	seed := seedOf(&corpus[0], params, 8)
	for _, v := range input {
		if got := seed[v.Name]; got != v.Value {
			t.Errorf("%s = %#x, want %#x", v.Name, got, v.Value)
		}
	}
	if long := seedOf(&corpus[0], params, 1); len(long) != 1 || long[corpus[0].Name] != 1 {
		t.Errorf("a seed that is too long is the input %v", long)
	}
}

// The cases are judged as go test judges them.
func TestParseSeed(t *testing.T) {
	for _, test := range []struct {
		lines string
		want  run.CorpusValue
		err   string
	}{
		{"int(-1)", run.CorpusValue{Type: "int", Bits: math.MaxUint64}, ""},
		{"int8(-0x80)", run.CorpusValue{Type: "int8", Bits: 0x80}, ""},
		{"int8(128)", run.CorpusValue{}, "value out of range"},
		{"uint16(0xffff)", run.CorpusValue{Type: "uint16", Bits: 0xffff}, ""},
		{"uint(-1)", run.CorpusValue{}, "invalid syntax"},
		{"byte('a')", run.CorpusValue{Type: "uint8", Bits: 'a'}, ""},
		{"byte('é')", run.CorpusValue{Type: "uint8", Bits: 'é'}, ""},
		{"byte('世')", run.CorpusValue{}, "can only encode single byte"},
		{`rune('\n')`, run.CorpusValue{Type: "int32", Bits: '\n'}, ""},
		{"rune(-1)", run.CorpusValue{Type: "int32", Bits: 0xffff_ffff}, ""},
		{"bool(true)", run.CorpusValue{Type: "bool", Bits: 1}, ""},
		{"bool(1)", run.CorpusValue{}, "true or false required"},
		{"string(1)", run.CorpusValue{}, "string literal required"},
		{`[]byte("\x00a")`, run.CorpusValue{Type: "[]uint8", Text: "\x00a"}, ""},
		{"string(`a\\`)", run.CorpusValue{Type: "string", Text: `a\`}, ""},
		{"int(1.5)", run.CorpusValue{}, "integer literal required"},
		{"float64(-Inf)", run.CorpusValue{Type: "float64", Bits: math.Float64bits(math.Inf(-1))}, ""},
		{"float32(1)", run.CorpusValue{Type: "float32", Bits: 0x3f800000}, ""},
		{"[]int(1)", run.CorpusValue{}, "expected []byte or primitive type"},
		{"int(1, 2)", run.CorpusValue{}, "got 2"},
		{"7", run.CorpusValue{}, "expected call expression"},
	} {
		got, err := parseSeed("go test fuzz v1\n" + test.lines + "\n")
		switch {
		case test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)):
			t.Errorf("%s: error %v, want one with %q", test.lines, err, test.err)
		case test.err == "" && (err != nil || len(got) != 1 || got[0] != test.want):
			t.Errorf("%s is %v, %v, want %v", test.lines, got, err, test.want)
		}
	}
}

func TestSeedErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "cannot unmarshal empty string"},
		{"go test fuzz v1", "must include version and at least one value"},
		{"go test fuzz v2\nint(1)\n", "unknown encoding version: go test fuzz v2"},
		{"go test fuzz v1\nint(1)\nint(\n", `malformed line "int("`},
	} {
		if _, err := parseSeed(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}
