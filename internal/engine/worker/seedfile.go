package worker

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
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
