package place

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/callgraph"
)

// An Index has the lines of a program.
type Index struct {
	fset  *token.FileSet
	nodes map[string][]*callgraph.Node // by file
	files map[string]*ast.File         // all of the program
	lines map[string][]Line            // by file; made when asked for
}

// A Line is one that has code which can be reached.
type Line struct {
	Line int
	Code []Code // one for each function, or instance of a generic function, in the order of the call graph
}

// Code is what a function has on a line.
type Code struct {
	Node   *callgraph.Node
	Instrs []ssa.Instruction // in the order of the blocks
	// Columns are the different ones at which statements begin on the line, in order.
	Columns []int
}

// New returns the lines of the functions of a graph. Files are those of the program.
func New(fset *token.FileSet, g *callgraph.Graph, files []*ast.File) *Index {
	x := &Index{fset: fset, nodes: make(map[string][]*callgraph.Node), files: make(map[string]*ast.File), lines: make(map[string][]Line)}
	for _, f := range files {
		x.files[fset.Position(f.Package).Filename] = f
	}
	for _, n := range g.Nodes {
		if n.Body == nil {
			continue
		}
		if file := x.fileOf(n.Body); file != "" {
			x.nodes[file] = append(x.nodes[file], n)
		}
	}
	return x
}

// fileOf returns the file in which a function is declared, empty if it has no source.
func (x *Index) fileOf(fn *ssa.Function) string {
	if fn.Syntax() == nil {
		return ""
	}
	return x.fset.Position(fn.Syntax().Pos()).Filename
}

// Files returns the files of the program that a name stands for: a path, or the end of one.
func (x *Index) Files(name string) []string {
	if x.files[name] != nil {
		return []string{name}
	}
	var list []string
	for file := range x.files {
		if strings.HasSuffix(file, "/"+strings.TrimPrefix(name, "./")) {
			list = append(list, file)
		}
	}
	slices.Sort(list)
	return list
}

// Lines returns the lines of a file that have code, in order. The file is one of those of Files.
func (x *Index) Lines(file string) []Line {
	if list, ok := x.lines[file]; ok {
		return list
	}
	at := make(map[int]*Line)
	for _, n := range x.nodes[file] {
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				p := x.fset.Position(instr.Pos())
				if !instr.Pos().IsValid() || p.Filename != file {
					continue
				}
				l := at[p.Line]
				if l == nil {
					l = &Line{Line: p.Line}
					at[p.Line] = l
				}
				if len(l.Code) == 0 || l.Code[len(l.Code)-1].Node != n {
					l.Code = append(l.Code, Code{Node: n})
				}
				c := &l.Code[len(l.Code)-1]
				c.Instrs = append(c.Instrs, instr)
			}
		}
	}
	x.setColumns(file, at)
	list := make([]Line, 0, len(at))
	for _, l := range at {
		list = append(list, *l)
	}
	slices.SortFunc(list, func(a, b Line) int { return a.Line - b.Line })
	x.lines[file] = list
	return list
}

// setColumns sets Code.Columns from the statements in the file.
func (x *Index) setColumns(file string, at map[int]*Line) {
	f := x.files[file]
	if f == nil {
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		switch s.(type) {
		case *ast.BlockStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause, *ast.EmptyStmt:
			return true
		}
		p := x.fset.Position(s.Pos())
		if l := at[p.Line]; l != nil && p.Filename == file {
			inner := innermost(l.Code, s)
			for i := range l.Code {
				if c := &l.Code[i]; c.Node.Body.Syntax() == inner && !slices.Contains(c.Columns, p.Column) {
					c.Columns = append(c.Columns, p.Column)
				}
			}
		}
		return true
	})
	for _, l := range at {
		for i := range l.Code {
			slices.Sort(l.Code[i].Columns)
		}
	}
}

// innermost returns the syntax of the innermost of some functions that a statement is in, nil if it is in none.
func innermost(list []Code, s ast.Stmt) ast.Node {
	var inner ast.Node
	for _, c := range list {
		syntax := c.Node.Body.Syntax()
		if syntax.Pos() <= s.Pos() && s.Pos() < syntax.End() && (inner == nil || syntax.Pos() > inner.Pos()) {
			inner = syntax
		}
	}
	return inner
}

// A NoCodeError says that there is no code to be reached at a line.
type NoCodeError struct {
	File          string
	Line          int
	Before, After int    // the nearest lines that have code, 0 for none
	Function      string // that the line is in, if the program never reaches the function; else ""
}

func (e *NoCodeError) Error() string {
	what := "no code"
	if e.Function != "" {
		what = fmt.Sprintf("the code of %s, which is never called", e.Function)
	}
	near := ""
	switch {
	case e.Before > 0 && e.After > 0:
		near = fmt.Sprintf("; the nearest lines with code that can be reached are %d and %d", e.Before, e.After)
	case e.Before+e.After > 0:
		near = fmt.Sprintf("; the nearest line with code that can be reached is %d", e.Before+e.After)
	}
	return fmt.Sprintf("%s:%d has %s%s", e.File, e.Line, what, near)
}

// Find returns the code at a line of one of the files of the program. The error is a [*NoCodeError].
func (x *Index) Find(file string, line int) ([]Code, error) {
	lines := x.Lines(file)
	i, ok := slices.BinarySearchFunc(lines, line, func(l Line, n int) int { return l.Line - n })
	if ok {
		return lines[i].Code, nil
	}
	e := &NoCodeError{File: file, Line: line}
	if i > 0 {
		e.Before = lines[i-1].Line
	}
	if i < len(lines) {
		e.After = lines[i].Line
	}
	e.Function = x.unreached(file, line)
	return nil, e
}

// unreached returns the innermost function that a line of a file is in, if the program never reaches it, else "".
func (x *Index) unreached(file string, line int) string {
	f := x.files[file]
	if f == nil {
		return ""
	}
	var (
		inner ast.Node
		name  string
	)
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || line < x.fset.Position(n.Pos()).Line || line > x.fset.Position(n.End()).Line {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			inner, name = n, load.FunctionName(n)
		case *ast.FuncLit:
			inner = n
		}
		return true
	})
	if inner == nil || slices.ContainsFunc(x.nodes[file], func(n *callgraph.Node) bool { return n.Body.Syntax() == inner }) {
		return ""
	}
	if _, ok := inner.(*ast.FuncLit); ok {
		name = strings.TrimSuffix("a function literal in "+name, " in ") // of a package variable
	}
	return name
}
