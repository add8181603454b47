package worker

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
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
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// corpusVersion is the first line of a seed file of go test's fuzzing.
const corpusVersion = "go test fuzz v1"

// corpusEntry returns a seed file in the format of go test -fuzz: a line for
// each argument of the fuzz callback after the *testing.T. Arguments that the
// run did not draw are zero.
func corpusEntry(params []run.Param, input []schedule.Input) []byte {
	vars := map[string]schedule.Variable{}
	for _, v := range schedule.Variables(input) {
		vars[v.Name] = v
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, corpusVersion)
	for _, p := range params {
		typ := program.CorpusType(p.Type)
		if i := slices.IndexFunc(input, func(v schedule.Input) bool { return v.Name == p.Name }); i >= 0 && strings.HasPrefix(typ, "float") {
			fmt.Fprintln(&b, corpusFloat(input[i]))
			continue
		}
		text := zeroLiteral(typ)
		if v, ok := vars[p.Name]; ok {
			text = v.Text
		}
		if v, ok := vars[p.Name]; ok && v.Type == typ && typ == "[]byte" {
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

// ReadCorpus returns the seeds of a fuzz test that lie in testdata/fuzz below the package's
// directory. A file that is no seed is in the list, with what is wrong with it.
func ReadCorpus(t *load.Target) ([]run.CorpusEntry, error) {
	if t.Kind != load.TargetFuzz {
		return nil, nil
	}
	dir := filepath.Join("testdata", "fuzz", t.Name)
	files, err := os.ReadDir(filepath.Join(t.Package.Dir, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	var entries []run.CorpusEntry
	for _, file := range files {
		if file.IsDir() {
			continue
		}
		name := filepath.Join(dir, file.Name())
		data, err := os.ReadFile(filepath.Join(t.Package.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading the corpus: %w", err)
		}
		e := run.CorpusEntry{Name: filepath.ToSlash(name)}
		if e.Values, err = parseSeed(string(data)); err != nil {
			e.Err = "unmarshal: " + err.Error()
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// parseSeed reads a seed file. It takes what go test takes.
func parseSeed(text string) ([]run.CorpusValue, error) {
	if text == "" {
		return nil, errors.New("cannot unmarshal empty string")
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 2 {
		return nil, errors.New("must include version and at least one value")
	}
	if version := strings.TrimSuffix(lines[0], "\r"); version != corpusVersion {
		return nil, fmt.Errorf("unknown encoding version: %s", version)
	}
	var values []run.CorpusValue
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		v, err := parseValue(line)
		if err != nil {
			return nil, fmt.Errorf("malformed line %q: %w", line, err)
		}
		values = append(values, v)
	}
	return values, nil
}

// parseValue reads a line of a seed file, the conversion of a literal.
func parseValue(line string) (v run.CorpusValue, err error) {
	parsed, err := parser.ParseExpr(line)
	if err != nil {
		return v, err
	}
	call, ok := parsed.(*ast.CallExpr)
	if !ok {
		return v, errors.New("expected call expression")
	}
	if len(call.Args) != 1 {
		return v, fmt.Errorf("expected call expression with 1 argument; got %d", len(call.Args))
	}
	kind, text, err := literal(call.Args[0])
	if err != nil {
		return v, err
	}
	wants := func(want string, kinds ...token.Token) error {
		if !slices.Contains(kinds, kind) {
			return fmt.Errorf("%s literal required for type %s", want, v.Type)
		}
		return nil
	}
	switch v.Type = types.ExprString(call.Fun); v.Type {
	case "[]byte", "string":
		if err = wants("string", token.STRING); err == nil {
			v.Text, err = strconv.Unquote(text)
		}
	case "bool":
		if text != "true" && text != "false" {
			err = errors.New("true or false required for type bool")
		}
		if text == "true" {
			v.Bits = 1
		}
	case "byte", "rune":
		if kind == token.INT {
			return parseInteger(v, text)
		}
		if err = wants("character", token.CHAR); err == nil {
			var r rune
			r, _, _, err = strconv.UnquoteChar(strings.Trim(text, "'"), '\'')
			if v.Bits = uint64(uint32(r)); err == nil && v.Type == "byte" && r >= 256 {
				err = errors.New("can only encode single byte to a byte type")
			}
		}
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
		if err = wants("integer", token.INT); err == nil {
			return parseInteger(v, text)
		}
	case "float32", "float64":
		bits, _ := strconv.Atoi(strings.TrimPrefix(v.Type, "float"))
		if err = wants("float or integer", token.FLOAT, token.INT); err == nil {
			var f float64
			f, err = strconv.ParseFloat(text, bits)
			if v.Bits = expr.Float64Bits(f); bits == 32 {
				v.Bits = expr.Float32Bits(float32(f))
			}
			if errors.Is(err, strconv.ErrRange) {
				err = nil // go test takes it for infinite
			}
		}
	case "math.Float32frombits", "math.Float64frombits":
		width := strings.TrimSuffix(strings.TrimPrefix(v.Type, "math.Float"), "frombits")
		bits, _ := strconv.Atoi(width)
		if err = wants("integer", token.INT); err == nil {
			v.Type = "float" + width
			v.Bits, err = strconv.ParseUint(text, 0, bits)
		}
	default:
		err = errors.New("expected []byte or primitive type")
	}
	v.Type = program.ReflectType(v.Type)
	return v, err
}

// parseInteger returns v with the value of an integer literal.
func parseInteger(v run.CorpusValue, text string) (run.CorpusValue, error) {
	v.Type = program.ReflectType(v.Type)
	unsigned := strings.HasPrefix(v.Type, "uint")
	bits := 64
	if _, digits, ok := strings.Cut(v.Type, "int"); ok && digits != "" {
		bits, _ = strconv.Atoi(digits)
	}
	if unsigned {
		n, err := strconv.ParseUint(text, 0, bits)
		v.Bits = n
		return v, err
	}
	n, err := strconv.ParseInt(text, 0, bits)
	v.Bits = uint64(n) << (64 - bits) >> (64 - bits)
	return v, err
}

// literal returns the kind and the text of a literal, which may have a sign, or of one of
// the names true, false, Inf and NaN.
func literal(e ast.Expr) (token.Token, string, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind, e.Value, nil
	case *ast.Ident:
		if e.Name == "NaN" {
			return token.FLOAT, e.Name, nil
		}
		return token.IDENT, e.Name, nil
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.BasicLit); ok && e.Op == token.SUB {
			return lit.Kind, "-" + lit.Value, nil
		}
		if name, ok := e.X.(*ast.Ident); ok && name.Name == "Inf" {
			return token.FLOAT, e.Op.String() + "Inf", nil
		}
	}
	return token.ILLEGAL, "", errors.New("literal value required for primitive type")
}

// seedOf returns a seed as an input: the values of the parameters, to begin with, or, if
// it is too long to be drawn, the choice to run it as it is.
func seedOf(e *run.CorpusEntry, params []run.Param, maxLen int) run.Input {
	in := run.Input{}
	for i, p := range params {
		v := &e.Values[i]
		if len(v.Text) > maxLen {
			return run.Input{e.Name: 1}
		}
		if p.Type != "string" && p.Type != "[]uint8" {
			in[p.Name] = v.Bits
			continue
		}
		in["len("+p.Name+")"] = uint64(len(v.Text))
		for k := range len(v.Text) {
			in[fmt.Sprintf("%s[%d]", p.Name, k)] = uint64(v.Text[k])
		}
	}
	return in
}
