package sequential

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// A compiler tells whether programs compile.
type compiler struct {
	fset     *token.FileSet
	importer types.Importer
}

// newCompiler returns a compiler.
func newCompiler() *compiler {
	fset := token.NewFileSet()
	return &compiler{fset, importer.ForCompiler(fset, "source", nil)}
}

// check returns an error if a program does not compile.
func (c *compiler) check(p *Program) error {
	var b strings.Builder
	b.WriteString("package p\n")
	fmt.Fprintf(&b, imports, "")
	b.WriteString(prelude)
	p.source(&b, "program")
	file, err := parser.ParseFile(c.fset, "p.go", b.String(), 0)
	if err == nil {
		cfg := types.Config{Importer: c.importer}
		_, err = cfg.Check("p", c.fset, []*ast.File{file}, nil)
	}
	if err != nil {
		return fmt.Errorf("compiling the program of seed %d: %w", p.Seed, err)
	}
	return nil
}
