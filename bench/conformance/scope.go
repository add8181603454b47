package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A program is a file of GOROOT/test that is to be run.
type program struct {
	name  string // path below GOROOT/test, without .go
	file  string
	flags []string // for the compiler, that leave it to the program what it does
	out   string   // why it is out of scope; "" when it is in
}

// A census is what GOROOT/test holds.
type census struct {
	programs []*program
	others   map[string]int // files whose recipe is not "run", by recipe
}

// survey reads the recipes of the files below root.
func survey(root string) (*census, error) {
	c := &census{others: make(map[string]int)}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasSuffix(path, ".dir") || d.Name() == "testdata" || d.Name() == "internal" {
				return filepath.SkipDir // parts of a rundir or of the suite's driver
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		words := recipe(string(src))
		if len(words) == 0 {
			return nil
		}
		if words[0] != "run" {
			c.others[words[0]]++
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		p := &program{name: filepath.ToSlash(strings.TrimSuffix(rel, ".go")), file: path}
		if p.out, err = p.outside(src, words[1:]); err != nil {
			return err
		}
		c.programs = append(c.programs, p)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the programs of %s: %w", root, err)
	}
	slices.SortFunc(c.programs, func(a, b *program) int { return cmp.Compare(a.name, b.name) })
	return c, nil
}

// recipe returns the words of the first comment that is no build constraint, which
// says what the suite does with a file.
func recipe(src string) []string {
	for line := range strings.Lines(src) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil
		}
		if strings.HasPrefix(text, "go:build") || strings.HasPrefix(text, " +build") {
			continue
		}
		return strings.Fields(text)
	}
	return nil
}

// What keeps a program out of scope by the packages it imports and the names it uses.
var (
	outImports = map[string]string{
		"C":             "cgo",
		"runtime/cgo":   "cgo",
		"os/exec":       "starts other programs (the go command, mostly)",
		"os/signal":     "signals and system calls",
		"syscall":       "signals and system calls",
		"syscall/js":    "signals and system calls",
		"runtime/pprof": "the run-time's own measurements",
		"runtime/trace": "the run-time's own measurements",
	}
	outNames = map[string]string{
		"runtime.SetFinalizer":   "depends on the garbage collector",
		"runtime.AddCleanup":     "depends on the garbage collector",
		"runtime.ReadMemStats":   "depends on the garbage collector",
		"runtime.MemProfile":     "the run-time's own measurements",
		"runtime.MemProfileRate": "the run-time's own measurements",
		"runtime.Breakpoint":     "signals and system calls",
		"runtime.GOROOT":         "reads the files of the Go distribution",
		"runtime.Stack":          "prints or parses native stack dumps",
		"debug.Stack":            "prints or parses native stack dumps",
		"debug.PrintStack":       "prints or parses native stack dumps",
		"debug.SetPanicOnFault":  "signals and system calls",
		"debug.SetMaxStack":      "the native stack",
		"testing.AllocsPerRun":   "the run-time's own measurements",
		"unsafe.Pointer":         "unsafe.Pointer, SliceData and the like",
		"unsafe.Add":             "unsafe.Pointer, SliceData and the like",
		"unsafe.Slice":           "unsafe.Pointer, SliceData and the like",
		"unsafe.SliceData":       "unsafe.Pointer, SliceData and the like",
		"unsafe.String":          "unsafe.Pointer, SliceData and the like",
		"unsafe.StringData":      "unsafe.Pointer, SliceData and the like",
		"reflect.SliceHeader":    "unsafe.Pointer, SliceData and the like",
		"reflect.StringHeader":   "unsafe.Pointer, SliceData and the like",
	}
)

// outside says why a program is out of scope, given the words of its recipe after
// "run"; it returns "" for one that is in scope.
func (p *program) outside(src []byte, words []string) (string, error) {
	ctx := build.Default
	ctx.CgoEnabled = false
	if match, err := ctx.MatchFile(filepath.Split(p.file)); err != nil {
		return "", fmt.Errorf("reading the build constraint of %s: %w", p.name, err)
	} else if !match {
		return "another platform, cgo or build tag", nil
	}
	for _, w := range words {
		flags, ok := strings.CutPrefix(w, "-gcflags=")
		switch flags = strings.Trim(flags, `"'`); {
		case !ok:
			return "arguments, or modes of the compiler and its experiments", nil
		case !strings.HasPrefix(flags, "-l"):
			return "arguments, or modes of the compiler and its experiments", nil
		}
		p.flags = append(p.flags, "-gcflags="+flags)
	}
	file, err := parser.ParseFile(token.NewFileSet(), p.file, src, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", p.name, err)
	}
	for _, g := range file.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:linkname ") {
				return "go:linkname into the run-time", nil
			}
		}
	}
	paths := make(map[string]string)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return "", fmt.Errorf("reading the imports of %s: %w", p.name, err)
		}
		if why := outImports[path]; why != "" {
			return why, nil
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	why := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && why == "" {
			if x, ok := sel.X.(*ast.Ident); ok && paths[x.Name] != "" {
				path := paths[x.Name]
				why = outNames[path[strings.LastIndexByte(path, '/')+1:]+"."+sel.Sel.Name]
			}
		}
		return why == ""
	})
	return why, nil
}
