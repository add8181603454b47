package worker

import (
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/schedule"
)

func TestCorpusEntry(t *testing.T) {
	param := func(name string, typ types.Type) *types.Var {
		return types.NewParam(token.NoPos, nil, name, typ)
	}
	params := []*types.Var{
		param("n", types.Typ[types.Int8]),
		param("s", types.Typ[types.String]),
		param("b", types.NewSlice(types.Typ[types.Uint8])),
		param("ok", types.Typ[types.Bool]),
		param("undrawn", types.Typ[types.String]),
	}
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
	params := []*types.Var{
		types.NewParam(token.NoPos, nil, "n", types.Typ[types.Uint16]),
		types.NewParam(token.NoPos, nil, "s", types.Typ[types.String]),
		types.NewParam(token.NoPos, nil, "b", types.NewSlice(types.Typ[types.Byte])),
		types.NewParam(token.NoPos, nil, "x", types.Typ[types.Float64]),
		types.NewParam(token.NoPos, nil, "y", types.Typ[types.Float64]),
		types.NewParam(token.NoPos, nil, "z", types.Typ[types.Float64]),
		types.NewParam(token.NoPos, nil, "w", types.Typ[types.Float32]),
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
	if _, err := writeCorpus(dir, "FuzzX", corpusEntry(params, input)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-run", "FuzzX", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "seed was read") {
		t.Errorf("go test did not fail with the seed: %v\n%s", err, out)
	}
}

func TestSeedsReadBack(t *testing.T) {
	params := []*types.Var{
		types.NewParam(token.NoPos, nil, "n", types.Typ[types.Int16]),
		types.NewParam(token.NoPos, nil, "s", types.Typ[types.String]),
		types.NewParam(token.NoPos, nil, "ok", types.Typ[types.Bool]),
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
		params = append(params, types.NewParam(token.NoPos, nil, name, types.Typ[types.Float64]))
		input = append(input, schedule.Input{Name: name, Type: "float64", Width: 64, Value: bits})
	}
	for i, bits := range []uint64{0x3dcccccd, 1 << 31, 0x7f800000, 0x7fc00000, 0x7f800001} {
		name := fmt.Sprintf("y%d", i)
		params = append(params, types.NewParam(token.NoPos, nil, name, types.Typ[types.Float32]))
		input = append(input, schedule.Input{Name: name, Type: "float32", Width: 32, Value: bits})
	}
	dir := t.TempDir()
	if _, err := writeCorpus(dir, "FuzzX", corpusEntry(params, input)); err != nil {
		t.Fatal(err)
	}
	seeds, err := readCorpus(dir, "FuzzX", params)
	if err != nil {
		t.Fatal(err)
	}
	if len(seeds) != 1 {
		t.Fatalf("%d seeds, want 1", len(seeds))
	}
	for _, v := range input {
		want := v.Value
		if v.Name == "n" {
			want = 0xffff_ffff_ffff_fffe // as a number, to be cut to the parameter's width
		}
		if got := seeds[0][v.Name]; got != want {
			t.Errorf("%s = %#x, want %#x", v.Name, got, want)
		}
	}
}

func TestSeedErrors(t *testing.T) {
	params := []*types.Var{types.NewParam(token.NoPos, nil, "n", types.Typ[types.Int])}
	for _, test := range []struct{ text, want string }{
		{"", "line 1"},
		{"go test fuzz v1\n", "0 values for 1 parameters"},
		{"go test fuzz v1\nint(1)\nint(2)\n", "2 values for 1 parameters"},
		{"go test fuzz v1\nint(\n", "line 2: malformed value"},
		{"go test fuzz v1\n7\n", "line 2: malformed value"},
	} {
		if _, err := parseSeed(test.text, params); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want one with %q", test.text, err, test.want)
		}
	}
}
