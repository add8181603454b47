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
	modelPrefix = "zz_everyway_" // prefix of the names of model files in a GOROOT directory
)

// A Library is the standard library that the machine runs: GOROOT's with the models. It
// implements [load.Library].
type Library struct{}

// Package implements [load.Library]. It returns the model files of a package, and a nil
// text for the original files that are not kept.
//
// It returns an error if the model names an original file that goroot does not have.
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

// Load is [load.Load] with the models in place of the originals in the GOROOT of this
// process. Files of cfg.Overlay take precedence over the models.
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

// Overlay returns the files that turn the standard library under goroot into the one that
// the machine runs: the model files, and the original files that they replace, blanked.
// The keys are absolute paths, as in the Overlay of go/packages.
//
// It returns an error if a model names a package or an original file that goroot does not
// have.
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

// Hash writes the text of all models to h.
func Hash(h io.Writer) {
	// Walking embedded files does not fail.
	_ = fs.WalkDir(models, modelRoot, func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			text, _ := models.ReadFile(name)
			fmt.Fprintf(h, "%s %d\n", name, len(text))
			h.Write(text)
		}
		return nil
	})
}

// importPath returns the import path of the package whose model is in dir.
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

// A model is the model of one package.
type model struct {
	dir       string
	names     []string // of the model's Go files
	keep      keepList
	target    string   // directory of the package in GOROOT
	originals []string // names of the Go files in target
}

// findModel returns the model in dir, nil if dir is only a parent of models.
func findModel(goroot, dir string) (*model, error) {
	m := &model{dir: dir, target: filepath.Join(goroot, "src", filepath.FromSlash(importPath(dir)))}
	var err error
	if m.names, err = modelFiles(dir); err != nil {
		return nil, err
	}
	if m.keep, err = readKeep(dir); err != nil {
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
			if text, err = cutFunctions(file, declared); err == nil && text == nil {
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

// A keepList says which original files of a package are kept. A file is true if it is
// kept, and false if it is excluded from allFiles.
type keepList map[string]bool

// allFiles is the name that stands for every file in a keepList.
const allFiles = "*"

// has reports whether the file with that name is kept.
func (k keepList) has(name string) bool {
	if keep, listed := k[name]; listed {
		return keep
	}
	return k[allFiles] || strings.HasSuffix(name, "_test.go")
}

// missing returns the listed names that are not in originals, sorted.
func (k keepList) missing(originals []string) []string {
	rest := maps.Clone(k)
	delete(rest, allFiles)
	for _, name := range originals {
		delete(rest, name)
	}
	return slices.Sorted(maps.Keys(rest))
}

// readKeep reads the KEEP file of a model directory. It returns nil if there is none.
func readKeep(dir string) (keepList, error) {
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

// blank returns the text that replaces an original file that is not kept: its package
// clause, under a build constraint that is never satisfied.
func blank(file string) ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	return []byte("//go:build ignore\n\npackage " + f.Name.Name + "\n"), nil
}
