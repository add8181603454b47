package golist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// testMain is what the go command adds to the path of a package to name the main package of
// its test binary.
const testMain = ".test"

// A Listing is what the go command says about the packages that patterns name, and about all
// that they import.
type Listing struct{ packages []listed }

// A listed package is one of them.
type listed struct {
	essence
	ImportMap                         map[string]string // import paths in the source that are not those of packages
	IgnoredGoFiles, IgnoredOtherFiles []string
}

// An essence is the part of Binary.Sum that the go command says about a package, so that there is
// nothing in it that does not matter.
type essence struct {
	ImportPath     string
	Name           string `json:",omitempty"`
	Dir            string
	DepOnly        bool
	ForTest        string
	Standard       bool
	GoFiles        []string `json:",omitempty"`
	CgoFiles       []string `json:",omitempty"`
	EmbedFiles     []string `json:",omitempty"`
	Imports        []string `json:",omitempty"`
	DefaultGODEBUG string
	Module         *struct {
		Path, Version, Dir, GoVersion string
		Main                          bool
	} `json:",omitempty"`
	Error *struct{ Err string } `json:",omitempty"`
}

// A Query says what to list.
type Query struct {
	Dir      string   // directory in which the go command runs; "" is the current one
	Env      []string // its environment
	Flags    []string // its build flags
	Tests    bool     // list test binaries too
	Patterns []string
}

// List asks the go command for packages.
func List(ctx context.Context, q Query) (*Listing, error) {
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[listed]()) {
		if !f.Anonymous {
			fields = append(fields, f.Name)
		}
	}
	// What is under version control is of no concern, and asking that can take longer than all else.
	args := append([]string{"list", "-e", "-deps", "-pgo=off", "-buildvcs=false", "-json=" + strings.Join(fields, ",")}, q.Flags...)
	if q.Tests {
		args = append(args, "-test")
	}
	args = append(append(args, "--"), q.Patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = q.Dir, q.Env
	if q.Dir != "" {
		cmd.Env = append(slices.Clip(cmd.Env), "PWD="+q.Dir) // which keeps symbolic links in the directories of packages
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	l := new(Listing)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return l, nil
		} else if err != nil {
			return nil, fmt.Errorf("listing packages: %w", err)
		}
		l.packages = append(l.packages, p)
	}
}

// Of returns the listing for the test binaries of some of the packages alone.
func (l *Listing) Of(binaries []string) *Listing {
	if l == nil {
		return nil
	}
	part := &Listing{slices.Clone(l.packages)}
	for i := range part.packages {
		p := &part.packages[i]
		p.DepOnly = p.DepOnly || !slices.Contains(binaries, p.binary())
	}
	return part
}

// binary returns the import path of the package under test of the test binary that p is a
// part of.
func (p *listed) binary() string {
	switch {
	case p.ForTest != "":
		return p.ForTest
	case p.isTestMain():
		return strings.TrimSuffix(p.ImportPath, testMain)
	}
	return p.ImportPath
}

// isTestMain reports whether p is the main package of a test binary, whose source go test
// generates from the names in the others.
func (p *listed) isTestMain() bool {
	return strings.HasSuffix(p.ImportPath, testMain) && p.Name == "main" && p.ForTest == ""
}

// Graph returns the packages that the patterns name, with all that they import. It has none if
// something is wrong with one of them: go/packages finds the words for that.
func (l *Listing) Graph() []*packages.Package {
	if l == nil {
		return nil
	}
	byID := make(map[string]*packages.Package)
	for i := range l.packages {
		p := &l.packages[i]
		if p.Error != nil || p.ImportPath == "" {
			return nil
		}
		byID[p.ImportPath] = p.alone()
	}
	var roots []*packages.Package
	for i := range l.packages {
		p := &l.packages[i]
		of := byID[p.ImportPath]
		imports := make(map[string]string) // IDs by the paths in the source
		for _, id := range p.Imports {
			imports[id] = id
		}
		for path, id := range p.ImportMap {
			delete(imports, id)
			imports[path] = id
		}
		delete(imports, "C")
		for path, id := range imports {
			if of.Imports[path] = byID[id]; byID[id] == nil {
				return nil
			}
		}
		if !p.DepOnly {
			roots = append(roots, of)
		}
	}
	return roots
}

// alone returns p without its imports.
func (p *listed) alone() *packages.Package {
	inDir := func(names ...string) []string {
		var list []string
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			list = append(list, name)
		}
		return list
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	of := &packages.Package{
		ID: p.ImportPath, PkgPath: path, Name: p.Name, ForTest: p.ForTest, Dir: p.Dir,
		GoFiles: inDir(slices.Concat(p.GoFiles, p.CgoFiles)...), EmbedFiles: inDir(p.EmbedFiles...),
		IgnoredFiles: inDir(slices.Concat(p.IgnoredGoFiles, p.IgnoredOtherFiles)...),
		Imports:      make(map[string]*packages.Package),
	}
	if m := p.Module; m != nil {
		of.Module = &packages.Module{Path: m.Path, Version: m.Version, Dir: m.Dir, GoVersion: m.GoVersion, Main: m.Main}
	}
	return of
}

// Godebug returns the GODEBUG settings of the programs that the patterns name, by the paths
// of their main packages.
func (l *Listing) Godebug() map[string]string {
	settings := make(map[string]string)
	for _, p := range l.packages {
		if !p.DepOnly && p.DefaultGODEBUG != "" {
			settings[p.ImportPath] = p.DefaultGODEBUG
		}
	}
	return settings
}
