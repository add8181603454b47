package golib

import (
	"embed"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed all:_src
var models embed.FS

const (
	modelRoot   = "_src"
	keepFile    = "KEEP"
	modelPrefix = "zz_everyway_" // of the names under which model files join a GOROOT directory
)

// Overlay returns the files that turn the standard library under goroot into
// the one the machine runs, by absolute path, as the Overlay of go/packages
// wants them: the model files, and the originals they replace, blanked.
//
// It fails when a model names a package or an original file that goroot does
// not have.
func Overlay(goroot string) (map[string][]byte, error) {
	overlay := make(map[string][]byte)
	err := fs.WalkDir(models, modelRoot, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return overlayPackage(overlay, goroot, dir)
	})
	if err != nil {
		return nil, fmt.Errorf("overlaying the models on %s: %w", goroot, err)
	}
	return overlay, nil
}

// Packages returns the import paths of the packages that have a model, sorted.
func Packages() []string {
	var list []string
	// The walk is over embedded files: it does not fail.
	_ = fs.WalkDir(models, modelRoot, func(dir string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			if files, _ := modelFiles(dir); len(files) > 0 {
				list = append(list, importPath(dir))
			}
		}
		return nil
	})
	return list
}

func importPath(dir string) string { return strings.TrimPrefix(dir, modelRoot+"/") }

// modelFiles returns the names of the Go files of a model directory.
func modelFiles(dir string) ([]string, error) {
	entries, err := models.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".go") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// overlayPackage adds the files of the model in dir, if there is one, to overlay.
func overlayPackage(overlay map[string][]byte, goroot, dir string) error {
	names, err := modelFiles(dir)
	if err != nil {
		return err
	}
	keep, err := kept(dir)
	if err != nil {
		return err
	}
	if len(names) == 0 && keep == nil {
		return nil // only a parent of models
	}
	declared, err := functions(dir, names)
	if err != nil {
		return err
	}
	target := filepath.Join(goroot, "src", filepath.FromSlash(importPath(dir)))
	originals, err := os.ReadDir(target)
	if err != nil {
		return fmt.Errorf("model of a package that is not there: %w", err)
	}
	for _, e := range originals {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := filepath.Join(target, name)
		var text []byte
		switch {
		case keep.has(name):
			if text, err = without(file, declared); err != nil {
				return err
			}
			if text == nil {
				continue
			}
		default:
			if text, err = blank(file); err != nil {
				return err
			}
		}
		overlay[file] = text
	}
	if missing := keep.missing(originals); len(missing) > 0 {
		return fmt.Errorf("%s/%s names %s, which %s does not have", dir, keepFile, strings.Join(missing, ", "), target)
	}
	for _, name := range names {
		text, err := models.ReadFile(path.Join(dir, name))
		if err != nil {
			return err
		}
		overlay[filepath.Join(target, modelPrefix+name)] = text
	}
	return nil
}

// A keepList says which original files of a package stay: true for those that
// do, false for those that do not although allFiles is true.
type keepList map[string]bool

// allFiles is the name that stands for every file in a keepList.
const allFiles = "*"

func (k keepList) has(name string) bool {
	if keep, listed := k[name]; listed {
		return keep
	}
	return k[allFiles]
}

// missing returns the listed names that no original has, sorted.
func (k keepList) missing(originals []os.DirEntry) []string {
	rest := maps.Clone(k)
	delete(rest, allFiles)
	for _, e := range originals {
		delete(rest, e.Name())
	}
	return slices.Sorted(maps.Keys(rest))
}

// kept reads the KEEP file of a model directory. It returns nil when there is
// none.
func kept(dir string) (keepList, error) {
	text, err := models.ReadFile(path.Join(dir, keepFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	keep := make(keepList)
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, not := strings.CutPrefix(line, "-")
		keep[name] = !not
	}
	return keep, nil
}

// blank returns what stands in for an original file that is not kept: its
// package clause, under a constraint that no build meets.
func blank(file string) ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	return []byte("//go:build ignore\n\npackage " + f.Name.Name + "\n"), nil
}
