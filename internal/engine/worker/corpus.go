package worker

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// corpusVersion is the first line of a seed file of go test's fuzzing.
const corpusVersion = "go test fuzz v1"

// corpusEntry returns a seed file in the format of go test -fuzz: a line for
// each argument of the fuzz callback after the *testing.T. Arguments that the
// run did not draw are zero.
func corpusEntry(params []*types.Var, input []schedule.Input) []byte {
	vars := map[string]schedule.Variable{}
	for _, v := range schedule.Variables(input) {
		vars[v.Name] = v
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, corpusVersion)
	for _, p := range params {
		typ := program.TypeName(p.Type())
		if i := slices.IndexFunc(input, func(v schedule.Input) bool { return v.Name == p.Name() }); i >= 0 && isFloat(p.Type()) {
			fmt.Fprintln(&b, corpusFloat(input[i]))
			continue
		}
		text := zeroLiteral(typ)
		if v, ok := vars[p.Name()]; ok {
			text = v.Text
		}
		if v, ok := vars[p.Name()]; ok && v.Type == typ && typ == "[]byte" {
			fmt.Fprintln(&b, text)
			continue
		}
		fmt.Fprintf(&b, "%s(%s)\n", typ, text)
	}
	return b.Bytes()
}

// corpusFloat returns a float as a seed file has it: a conversion of what
// fmt prints, so that a NaN that is not that of math.NaN is given by its bits.
func corpusFloat(v schedule.Input) string {
	if v.Width == 32 {
		f := math.Float32frombits(uint32(v.Value))
		if f != f && uint32(v.Value) != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(%#x)", v.Value)
		}
		return fmt.Sprintf("float32(%v)", f)
	}
	f := math.Float64frombits(v.Value)
	if f != f && v.Value != math.Float64bits(math.NaN()) {
		return fmt.Sprintf("math.Float64frombits(%#x)", v.Value)
	}
	return fmt.Sprintf("float64(%v)", f)
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func zeroLiteral(typ string) string {
	switch typ {
	case "string", "[]byte":
		return `""`
	case "bool":
		return "false"
	}
	return "0"
}

// writeCorpus writes a seed to testdata/fuzz/target below the package's
// directory, where go test and go test -fuzz look for it, and returns its path.
// The name is a hash of the contents, as theirs are.
func writeCorpus(dir, target string, entry []byte) (string, error) {
	dir = filepath.Join(dir, "testdata", "fuzz", target)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("saving the input: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(entry))[:16])
	if err := os.WriteFile(path, entry, 0o666); err != nil {
		return "", fmt.Errorf("saving the input: %w", err)
	}
	return path, nil
}

// readCorpus returns the seeds of a fuzz target that lie in testdata/fuzz, those
// that go test or a search before this one has found among them. Files that
// are not seeds for these parameters are errors, as they are for go test.
func readCorpus(dir, target string, params []*types.Var) ([]run.Input, error) {
	dir = filepath.Join(dir, "testdata", "fuzz", target)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	var seeds []run.Input
	for _, file := range files {
		if file.IsDir() {
			continue
		}
		path := filepath.Join(dir, file.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading the corpus: %w", err)
		}
		seed, err := parseSeed(string(data), params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		seeds = append(seeds, seed)
	}
	return seeds, nil
}

// parseSeed reads a seed file.
func parseSeed(text string, params []*types.Var) (run.Input, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if strings.TrimSpace(lines[0]) != corpusVersion {
		return nil, fmt.Errorf("line 1: want %q", corpusVersion)
	}
	lines = lines[1:]
	if len(lines) != len(params) {
		return nil, fmt.Errorf("%d values for %d parameters", len(lines), len(params))
	}
	in := run.Input{}
	for i, line := range lines {
		if err := parseValue(in, params[i], line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return in, nil
}

// parseValue reads one line of a seed file, a conversion of a literal, and sets
// the input variables of the parameter.
func parseValue(in run.Input, param *types.Var, line string) error {
	parsed, err := parser.ParseExpr(line)
	if err != nil {
		return fmt.Errorf("malformed value %q", line)
	}
	call, ok := parsed.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return fmt.Errorf("malformed value %q", line)
	}
	if isFloat(param.Type()) {
		return parseFloat(in, param, call)
	}
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(call.Args[0]))
	if err != nil || value.Value == nil {
		return fmt.Errorf("malformed value %q", line)
	}
	switch name := param.Name(); value.Value.Kind() {
	case constant.Bool:
		if constant.BoolVal(value.Value) {
			in[name] = 1
		}
	case constant.String:
		text := constant.StringVal(value.Value)
		in["len("+name+")"] = uint64(len(text))
		for i := range len(text) {
			in[fmt.Sprintf("%s[%d]", name, i)] = uint64(text[i])
		}
	case constant.Int:
		if v, ok := constant.Int64Val(value.Value); ok {
			in[name] = uint64(v)
		} else if v, ok := constant.Uint64Val(value.Value); ok {
			in[name] = v
		}
	}
	return nil
}

// parseFloat is parseValue for a parameter that is a float: it reads what
// corpusFloat writes.
func parseFloat(in run.Input, param *types.Var, call *ast.CallExpr) error {
	arg := types.ExprString(call.Args[0])
	bits := 64
	if types.Identical(param.Type().Underlying(), types.Typ[types.Float32]) {
		bits = 32
	}
	var v uint64
	var err error
	if fun := types.ExprString(call.Fun); fun == fmt.Sprintf("math.Float%dfrombits", bits) {
		v, err = strconv.ParseUint(arg, 0, bits)
	} else {
		var f float64
		if f, err = strconv.ParseFloat(arg, bits); errors.Is(err, strconv.ErrRange) {
			err = nil // go test takes it for infinite, too
		}
		if v = expr.Float64Bits(f); bits == 32 {
			v = expr.Float32Bits(float32(f))
		}
	}
	if err != nil {
		return fmt.Errorf("malformed value %q", types.ExprString(call))
	}
	in[param.Name()] = v
	return nil
}
