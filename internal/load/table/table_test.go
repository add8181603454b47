package table

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// literals has tables of every kind, and what looks like one.
const literals = `package main

const (
	big      = 0x10FFFF
	more     = big + 1
	counting = iota
)

type (
	small    int8
	pair     struct{ a, b uint16 }
	nested   struct {
		p    pair
		more [4]small
		r    rune
	}
	named    [3]int64
	generic[T any] struct{ x, y T }
	wide     struct{ Hi, Lo uint64 }
	lists    struct {
		x, y [2]uint8
	}
	holder   struct {
		pairs []pair
		bytes [30]byte
		n     int
	}
	pointed  *pair
)

var (
	packedBytes   = [...]byte{NUMBERS}
	packedSlice   = []uint8{NUMBERS}
	packedLonger  = [40]int16{NUMBERS}
	packedSmall   = []small{-128, -1, 127, 0, -2, -3, 4, NUMBERS}
	packedInts    = []int64{-9223372036854775808, 9223372036854775807, NUMBERS}
	packedRunes   = []rune{'a', '\u20ac', -1, more, big - 1, NUMBERS}
	packedWide    = []wide{WIDE}
	packedNested  = []nested{{pair{1, 0xffff}, [4]small{-1, 2}, 'x'}, {pair{3, 4}, [4]small{5, -6}, -7}, NESTED}
	packedArrays  = [...][2]uint32{{1, 4294967295}, ARRAYS}
	packedNamed   = []named{{1, -1, 0}, {2, -2, 0}, NAMED}
	packedPointer = &holder{pairs: []pair{PAIRS}, n: 1, bytes: [30]byte{NUMBERS}}
	packedMap     = map[string][]pair{"a": {{1, 2}}, "b": []pair{PAIRS}}

	plainKeys     = [...]byte{NUMBERS, 100: 1}
	plainLong     = [100]int16{NUMBERS}
	plainShort    = []uint8{1, 2, 3}
	plainFields   = []pair{{a: 1, b: 2}, PAIRS}
	plainDiffer   = []lists{{[2]uint8{1, 2}, [2]uint8{3, 4}}, {[2]uint8{1, 2}, [2]uint8{3}}, {[2]uint8{1}, [2]uint8{2, 3}}, LISTS}
	plainGeneric  = []generic[int8]{GENERIC}
	plainAddress  = &[]uint16{NUMBERS}
	plainCalls    = []int64{int64(len("abc")), NUMBERS}
	plainIota     = []int64{counting, NUMBERS}
	plainFloats   = []float64{NUMBERS}
	plainSized    = [big - 0x10FFD0]uint8{NUMBERS}
	plainText     = []string{TEXTS}
	plainInts     = []int{NUMBERS}
	plainPointers = []*pair{PAIRS}
)
`

// TestPack builds a program with tables, the packed ones beside those that the compiler makes, and has it compare
// them.
func TestPack(t *testing.T) {
	repeat := func(text string) string { return strings.TrimSuffix(strings.Repeat(text+", ", 12), ", ") }
	source := strings.NewReplacer(
		"NUMBERS", repeat("0x7f, 0b1"), "WIDE", repeat("{0xfa8fd5a0081c0288, 1}"), "NESTED", repeat("{pair{1, 2}, [4]small{3, 4}, 5}"),
		"ARRAYS", repeat("{2, 3}"), "NAMED", repeat("{1, 2, 3}"), "PAIRS", repeat("{1, 65535}"), "LISTS", repeat("{[2]uint8{1, 2}, [2]uint8{3}}"),
		"GENERIC", repeat("{1, 2}"), "TEXTS", repeat(`"a", "b"`),
	).Replace(literals)
	texts := map[string]string{"literals.go": source}
	for _, name := range []string{"tables.go", "letter.go", "digit.go", "graphic.go", "casetables.go"} {
		text, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src", "unicode", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = strings.Replace(string(text), "package unicode", "package main", 1)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range texts {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p := NewPacker(files)
	texts["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	compare := "package main\n\nimport (\n\t\"fmt\"\n\t\"reflect\"\n)\n\nfunc main() {\n"
	var packed strings.Builder
	packed.WriteString("package main\n\n")
	number := 0
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.ValueSpec)
				name := s.Names[0].Name
				if len(s.Names) != 1 || len(s.Values) != 1 || name == "_" {
					continue
				}
				changed := pack(t, p, fset, &packed, name, s.Values[0])
				if want := !strings.HasPrefix(name, "plain"); changed != want && (!want || strings.HasPrefix(name, "packed")) {
					t.Errorf("%s is packed: %v, want %v", name, changed, want)
				}
				if changed {
					number++
					compare += fmt.Sprintf("\tif !reflect.DeepEqual(%s, as_%s) {\n\t\tfmt.Println(%q)\n\t}\n", name, name, name)
				}
			}
		}
	}
	if number < 70 { // most of package unicode
		t.Errorf("%d tables are packed", number)
	}
	texts["main.go"], texts["packed.go"] = compare+"}\n", packed.String()
	declared, err := p.Declare(fset, "decode.go", "main")
	if err != nil {
		t.Fatal(err)
	}
	texts["decode.go"] = print(t, fset, declared)
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, other values:\n%s", err, out)
	}
}

// pack declares the packed value of a variable, and reports whether it is another expression than before.
func pack(t *testing.T, p *Packer, fset *token.FileSet, to *strings.Builder, name string, x ast.Expr) bool {
	before := print(t, fset, x)
	copied, err := parser.ParseExpr(before) // since literals are changed in their places
	if err != nil {
		t.Fatal(err)
	}
	after := print(t, token.NewFileSet(), p.Pack(copied))
	if !strings.Contains(after, Prefix) {
		return false
	}
	fmt.Fprintf(to, "var as_%s = %s\n", name, after)
	return true
}

func print(t *testing.T, fset *token.FileSet, node any) string {
	t.Helper()
	var text strings.Builder
	if err := format.Node(&text, fset, node); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestDeclareNone checks that a package without tables gets no file.
func TestDeclareNone(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n\nvar x = []int{1, 2}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPacker([]*ast.File{f})
	spec := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	if p.Pack(spec.Values[0]) != spec.Values[0] {
		t.Error("it was packed")
	}
	if declared, err := p.Declare(token.NewFileSet(), "q.go", "p"); declared != nil || err != nil {
		t.Error(declared, err)
	}
}
