package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A program is a file of GOROOT/test that is to be run.
type program struct {
	name   string   // path below GOROOT/test, without .go
	files  []string // it, and others of the same package
	flags  []string // for the go command, that leave it to the program what it does
	args   []string // of the program
	key    string   // the name, and a hash of the above and of the toolchain
	spawns bool     // it has go statements
	out    string   // why it is out of scope; "" when it is in
	varies string   // why it may end in several ways; "" when it does not
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
		p := &program{name: filepath.ToSlash(strings.TrimSuffix(rel, ".go")), files: []string{path}}
		p.out = cmp.Or(outPrograms[p.name], p.follow(words[1:]))
		if p.out == "" {
			if p.out, err = p.outside(src); err != nil {
				return err
			}
		}
		p.varies = varying[p.name]
		if p.key, err = p.hash(); err != nil {
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
		"runtime.GOROOT":         "reads the files of the Go distribution",
		"reflect.SliceHeader":    "tricks with the layout of memory: headers of slices and strings",
		"reflect.StringHeader":   "tricks with the layout of memory: headers of slices and strings",
		"debug.SetPanicOnFault":  "signals and system calls",
		"debug.SetMaxStack":      "the native stack",
		"testing.AllocsPerRun":   "the run-time's own measurements",
	}
)

// follow takes the words of the recipe after "run", as go run takes them. It says why
// the program is out of scope because of them, if it is.
func (p *program) follow(words []string) string {
	words = unquoted(words)
	for i, w := range words {
		switch {
		case w == "-race" || w == "-goexperiment":
			return "the race detector, or an experiment of the compiler"
		case strings.Contains(w, "-d=softfloat"), strings.Contains(w, "-d=maymorestack"), strings.Contains(w, "-d=converthash"):
			return "a mode of the compiler in which programs do something else"
		case strings.HasPrefix(w, "-") && len(p.args) == 0 && i+1 < len(words) && strings.HasSuffix(w, "gcflags"):
			p.flags = append(p.flags, w+"="+strings.Join(words[i+1:], " "))
			return ""
		case strings.HasPrefix(w, "-") && len(p.args) == 0:
			p.flags = append(p.flags, w)
		case filepath.Ext(w) == ".go":
			p.files = append(p.files, filepath.Join(filepath.Dir(p.files[0]), w))
		default:
			p.args = append(p.args, w)
		}
	}
	return ""
}

// unquoted joins the words that quotation marks hold together.
func unquoted(words []string) []string {
	var list []string
	open := false
	for _, w := range words {
		plain := strings.NewReplacer(`"`, "", `'`, "").Replace(w)
		if open {
			list[len(list)-1] += " " + plain
		} else {
			list = append(list, plain)
		}
		open = open != (strings.Count(w, `"`)+strings.Count(w, `'`) == 1)
	}
	return list
}

// hash returns a hash of what decides how the program ends natively.
func (p *program) hash() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q", runtime.Version(), p.flags, p.args)
	for _, name := range p.files {
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, " %d %s", len(src), src)
	}
	return fmt.Sprintf("%s %x", p.name, h.Sum(nil)[:8]), nil
}

// outPrograms are kept out of scope one by one, by what they do with what they may name.
var outPrograms = map[string]string{
	"chanlinear":           "measures its own running time: time is virtual",
	"maplinear":            "measures its own running time: time is virtual",
	"nilptr":               "tricks with the layout of memory: expects a variable near address zero",
	"unsafebuiltins":       "tricks with the layout of memory: makes pointers of numbers",
	"fixedbugs/issue4585":  "tricks with the layout of memory: writes a struct as bytes",
	"fixedbugs/issue17381": "tricks with the layout of memory: reads a program counter out of a function value",
	"fixedbugs/issue40917": "tricks with the layout of memory: points into the middle of a word",
	"fixedbugs/issue52612": "tricks with the layout of memory: takes an interface value apart",
}

// varying are programs with go statements that end in several ways natively, too,
// with the reason.
var varying = map[string]string{}

// outside says why a program is out of scope; it returns "" for one that is in scope.
func (p *program) outside(src []byte) (string, error) {
	ctx := build.Default
	ctx.CgoEnabled = false
	if match, err := ctx.MatchFile(filepath.Split(p.files[0])); err != nil {
		return "", fmt.Errorf("reading the build constraint of %s: %w", p.name, err)
	} else if !match {
		return "another platform, cgo or build tag", nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), p.files[0], src, parser.ParseComments)
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
		if _, ok := n.(*ast.GoStmt); ok {
			p.spawns = true
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && why == "" {
			if x, ok := sel.X.(*ast.Ident); ok && paths[x.Name] != "" {
				path := paths[x.Name]
				why = outNames[path[strings.LastIndexByte(path, '/')+1:]+"."+sel.Sel.Name]
			}
		}
		return true
	})
	return why, nil
}
