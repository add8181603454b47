package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// A Library gives the source of the standard library where it is not that of GOROOT.
type Library interface {
	// Package returns the text of such files in the directory of a package, by
	// absolute path; nil for files of GOROOT that are left out. A function that one of
	// them declares replaces the one of its name in a file of GOROOT.
	Package(goroot, path string) (map[string][]byte, error)
	// Overlay returns the files of all packages, as the Overlay of go/packages wants
	// them: what is left out is replaced.
	Overlay(goroot string) (map[string][]byte, error)
}

// A library lists packages of GOROOT, as the go command would do with the files of a
// Library in the place of its own: handing those to the go command for every load
// takes longer, since it keeps an index of GOROOT as it is.
type library struct {
	toolchain *Toolchain
	source    Library
	context   build.Context
	overlay   map[string][]byte // of all packages listed so far
	listed    map[string]*packages.Package
}

func newLibrary(cfg *Config) *library {
	t := cfg.Toolchain
	l := &library{
		toolchain: t, source: cfg.Library,
		overlay: make(map[string][]byte), listed: make(map[string]*packages.Package),
	}
	l.context = build.Context{
		GOROOT: t.GOROOT, GOOS: t.GOOS, GOARCH: t.GOARCH, Compiler: t.Compiler,
		BuildTags: append(slices.Clip(buildTags), cfg.Tags...), ToolTags: t.ToolTags, ReleaseTags: t.ReleaseTags,
		ReadDir:  l.readDir,
		OpenFile: l.openFile,
	}
	return l
}

// has reports whether p is a package of GOROOT.
func (l *library) has(p *packages.Package) bool {
	if p.PkgPath == "unsafe" {
		return true
	}
	dir, err := filepath.Rel(filepath.Join(l.toolchain.GOROOT, "src"), p.Dir)
	return err == nil && p.Dir != "" && filepath.IsLocal(dir)
}

// replace makes the packages in the list, and those that they import, import
// packages of l in the place of GOROOT's.
func (l *library) replace(list []*packages.Package) error {
	var failed error
	packages.Visit(list, func(p *packages.Package) bool {
		for name, dep := range p.Imports {
			if l.has(dep) && l.listed[dep.PkgPath] != dep && failed == nil {
				p.Imports[name], failed = l.list(dep.PkgPath)
			}
		}
		return failed == nil && !l.has(p)
	}, nil)
	return failed
}

// list returns the package with an import path, with its dependencies.
func (l *library) list(path string) (*packages.Package, error) {
	if p := l.listed[path]; p != nil {
		return p, nil
	}
	p := &packages.Package{ID: path, PkgPath: path, Name: path, Imports: make(map[string]*packages.Package)}
	l.listed[path] = p
	if path == "unsafe" {
		return p, nil
	}
	p.Dir = filepath.Join(l.toolchain.GOROOT, "src", filepath.FromSlash(path))
	files, err := l.source.Package(l.toolchain.GOROOT, path)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		l.overlay[name] = text
	}
	found, err := l.context.ImportDir(p.Dir, 0)
	if err != nil {
		return nil, fmt.Errorf("listing package %s of GOROOT: %w", path, err)
	}
	p.Name = found.Name
	for _, name := range found.GoFiles {
		p.GoFiles = append(p.GoFiles, filepath.Join(p.Dir, name))
	}
	if len(found.EmbedPatterns) > 0 {
		if p.EmbedFiles, err = regularFiles(p.Dir); err != nil {
			return nil, fmt.Errorf("listing package %s of GOROOT: %w", path, err)
		}
	}
	for _, name := range found.Imports {
		if p.Imports[name], err = l.list(l.vendored(name)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// regularFiles returns the files below a directory.
func regularFiles(dir string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

// vendored returns the path of the package that GOROOT's packages import as name.
func (l *library) vendored(name string) string {
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		return path.Join("vendor", name)
	}
	return name
}

// readDir lists the Go files of a directory and of the overlay.
func (l *library) readDir(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []fs.FileInfo
	for _, e := range entries {
		name := e.Name()
		_, replaced := l.overlay[filepath.Join(dir, name)]
		if !replaced && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			list = append(list, goFile(name))
		}
	}
	for name, text := range l.overlay {
		if text != nil && filepath.Dir(name) == dir {
			list = append(list, goFile(filepath.Base(name)))
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// A goFile is the name of a regular file, as much as go/build asks for of one.
type goFile string

func (f goFile) Name() string     { return string(f) }
func (goFile) Size() int64        { return 0 }
func (goFile) Mode() fs.FileMode  { return 0 }
func (goFile) ModTime() time.Time { return time.Time{} }
func (goFile) IsDir() bool        { return false }
func (goFile) Sys() any           { return nil }

func (l *library) openFile(name string) (io.ReadCloser, error) {
	if text, ok := l.overlay[name]; ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	return os.Open(name)
}

// cutReplaced takes the functions from original files of u that files of the library
// declare too.
func (c *checker) cutReplaced(u *unit) {
	replaced := make(map[string]bool)
	var originals []*ast.File
	for _, f := range u.pkg.Files {
		if _, ok := c.overlay[c.fset.File(f.Package).Name()]; !ok {
			originals = append(originals, f)
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "init" && fn.Name.Name != "_" {
				replaced[FunctionName(fn)] = true
			}
		}
	}
	if len(replaced) == 0 {
		return
	}
	for _, f := range originals {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && replaced[FunctionName(fn)]
		})
	}
}

// FunctionName returns F for a function and T.M for a method of T or *T.
func FunctionName(fn *ast.FuncDecl) string {
	recv := receiver(fn)
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	if t, ok := recv.(*ast.Ident); ok {
		return t.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// receiver returns the type of fn's receiver, or what it points to; nil for a function.
func receiver(fn *ast.FuncDecl) ast.Expr {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return nil
	}
	recv := ast.Unparen(fn.Recv.List[0].Type)
	if star, ok := recv.(*ast.StarExpr); ok {
		return ast.Unparen(star.X)
	}
	return recv
}
