package block

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Blocks of real files are those of cmd/cover, and the marked files are valid Go.
func TestMark(t *testing.T) {
	for _, name := range []string{
		"sort/search.go", "strings/strings.go", "text/template/exec.go", "net/http/transport.go", "go/printer/nodes.go",
		"encoding/json/decode.go", "context/context.go", "testing/testing.go", "cmd/cover/cover.go",
	} {
		path := filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		const first = 7
		blocks := Mark(f, fset.File(f.Package), text, "p/f.go", make([]Block, first))[first:]
		var got []string
		for _, b := range blocks {
			got = append(got, fmt.Sprintf("%d.%d,%d.%d %d", b.Start.Line, b.Start.Column, b.End.Line, b.End.Column, b.Statements))
		}
		want := coverBlocks(t, path)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the blocks are\n%s\nof cmd/cover\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		marks := 0
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.AssignStmt)
			if !ok || !IsMark(s) {
				return true
			}
			marks++
			if n, ok := Number(s.Lhs[0].(*ast.Ident).Name); !ok || n < first || n >= first+len(blocks) {
				t.Errorf("%s: a mark has the number %d", name, n)
			}
			return false
		})
		if marks != len(blocks) || marks == 0 {
			t.Errorf("%s: %d marks of %d blocks", name, marks, len(blocks))
		}
		f.Comments = nil // which the printer would put anywhere
		var printed bytes.Buffer
		if err := printer.Fprint(&printed, fset, f); err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, printed.Bytes(), 0); err != nil {
			t.Errorf("%s: what is marked is no valid file: %v", name, err)
		}
	}
}

// coverBlocks returns the blocks that cmd/cover makes of a file.
func coverBlocks(t *testing.T, path string) []string {
	t.Helper()
	out, err := exec.Command("go", "tool", "cover", "-mode=set", "-var=Cover", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(out), "Pos: [3 * ")
	if !ok {
		t.Fatalf("%s: no table of positions", path)
	}
	// Rows are startLine, endLine, endCol<<16|startCol, and behind them are the numbers of statements.
	var blocks []string
	var counts []int
	for _, m := range regexp.MustCompile(`(?m)^\s*(\d+), (\d+), (0x[0-9a-f]+), // \[\d+\]$|^\s*(\d+), // \d+$`).FindAllStringSubmatch(table, -1) {
		var from, to, columns, n int
		if m[4] != "" {
			fmt.Sscan(m[4], &n)
			counts = append(counts, n)
			continue
		}
		fmt.Sscan(m[1], &from)
		fmt.Sscan(m[2], &to)
		fmt.Sscan(m[3], &columns)
		blocks = append(blocks, fmt.Sprintf("%d.%d,%d.%d", from, columns&0xffff, to, columns>>16))
	}
	if len(blocks) != len(counts) {
		t.Fatalf("%s: %d blocks, %d numbers of statements", path, len(blocks), len(counts))
	}
	for i, n := range counts {
		blocks[i] += fmt.Sprintf(" %d", n)
	}
	return blocks
}

// What is declared is what marks refer to.
func TestDeclare(t *testing.T) {
	fset := token.NewFileSet()
	const text = "package p\n\nfunc f(true bool) int {\n\tif true {\n\t} else if !true {\n\t\treturn 1\n\t}\n\tswitch {\n\t}\n\tfor {\n\t}\n}\n"
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	blocks := Mark(f, fset.File(f.Package), []byte(text), "p/p.go", nil)
	marks, err := Declare(fset, "marks.go", "p", 0, len(blocks))
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f, marks}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range blocks {
		if pkg.Scope().Lookup(fmt.Sprint(prefix, n)) == nil {
			t.Errorf("block %d has no variable", n)
		}
	}
	if _, err := Declare(fset, "marks.go", "1", 0, 1); err == nil {
		t.Error("a package that cannot be named so")
	}
}
