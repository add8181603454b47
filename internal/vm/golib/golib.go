package golib

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
)

//go:embed all:_src
var models embed.FS

const (
	modelRoot   = "_src"
	keepFile    = "KEEP"
	modelPrefix = "zz_everyway_" // of the names under which model files join a GOROOT directory
)

// A Library is the standard library that the machine runs: GOROOT's with the
// models. It is a [load.Library].
type Library struct{}

// Package implements [load.Library]: it returns the model files of a package, and
// no text for the originals that do not stay.
//
// It fails when the model names an original file that goroot does not have.
func (Library) Package(goroot, importPath string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	dir := path.Join(modelRoot, importPath)
	if _, err := models.ReadDir(dir); err != nil {
		return files, nil // no model
	}
	m, err := findModel(goroot, dir)
	if m == nil || err != nil {
		return files, err
	}
	for _, name := range m.originals {
		if !m.keep.has(name) {
			files[filepath.Join(m.target, name)] = nil
		}
	}
	return files, m.addTo(files)
}

// Load is [load.Load] with the models in the place of what they replace in the GOROOT
// of this process. Files of cfg.Overlay come before the models.
func Load(ctx context.Context, cfg load.Config) (*load.Result, error) {
	overlay, err := Overlay(runtime.GOROOT())
	if err != nil {
		return nil, fmt.Errorf("preparing the models of the standard library: %w", err)
	}
	maps.Copy(overlay, cfg.Overlay)
	cfg.Overlay = overlay
	return load.Load(ctx, cfg)
}

// Overlay implements [load.Library].
func (Library) Overlay(goroot string) (map[string][]byte, error) { return Overlay(goroot) }

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

// Hash writes all models to h.
func Hash(h io.Writer) {
	// The walk is over embedded files: it does not fail.
	_ = fs.WalkDir(models, modelRoot, func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			text, _ := models.ReadFile(name)
			fmt.Fprintf(h, "%s %d\n", name, len(text))
			h.Write(text)
		}
		return nil
	})
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

// A model is that of one package.
type model struct {
	dir       string
	names     []string // of its Go files
	keep      keepList
	target    string   // directory of the package in GOROOT
	originals []string // names of the Go files there
}

// findModel returns the model in dir, nil when it is only a parent of models.
func findModel(goroot, dir string) (*model, error) {
	m := &model{dir: dir, target: filepath.Join(goroot, "src", filepath.FromSlash(importPath(dir)))}
	var err error
	if m.names, err = modelFiles(dir); err != nil {
		return nil, err
	}
	if m.keep, err = kept(dir); err != nil {
		return nil, err
	}
	if len(m.names) == 0 && m.keep == nil {
		return nil, nil
	}
	originals, err := os.ReadDir(m.target)
	if err != nil {
		return nil, fmt.Errorf("model of a package that is not there: %w", err)
	}
	for _, e := range originals {
		if name := e.Name(); !e.IsDir() && strings.HasSuffix(name, ".go") {
			m.originals = append(m.originals, name)
		}
	}
	if missing := m.keep.missing(m.originals); len(missing) > 0 {
		return nil, fmt.Errorf("%s/%s names %s, which %s does not have", dir, keepFile, strings.Join(missing, ", "), m.target)
	}
	return m, nil
}

// addTo adds the files of the model to an overlay.
func (m *model) addTo(overlay map[string][]byte) error {
	for _, name := range m.names {
		text, err := models.ReadFile(path.Join(m.dir, name))
		if err != nil {
			return err
		}
		overlay[filepath.Join(m.target, modelPrefix+name)] = text
	}
	return nil
}

// overlayPackage adds the files of the model in dir, if there is one, to overlay.
func overlayPackage(overlay map[string][]byte, goroot, dir string) error {
	m, err := findModel(goroot, dir)
	if m == nil || err != nil {
		return err
	}
	declared, err := functions(dir, m.names)
	if err != nil {
		return err
	}
	for _, name := range m.originals {
		file := filepath.Join(m.target, name)
		var text []byte
		if m.keep.has(name) {
			if text, err = without(file, declared); err == nil && text == nil {
				continue
			}
		} else {
			text, err = blank(file)
		}
		if err != nil {
			return err
		}
		overlay[file] = text
	}
	return m.addTo(overlay)
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
	return k[allFiles] || strings.HasSuffix(name, "_test.go")
}

// missing returns the listed names that no original has, sorted.
func (k keepList) missing(originals []string) []string {
	rest := maps.Clone(k)
	delete(rest, allFiles)
	for _, name := range originals {
		delete(rest, name)
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
