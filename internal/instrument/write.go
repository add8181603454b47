package instrument

import (
	"embed"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/instrument/overlay"
)

//go:embed _src
var controlSource embed.FS

// controlDirs are the directories in GOROOT/src of the packages in _src. That of a package with
// assembly has to exist.
var controlDirs = map[string]string{"clock": "debug", "control": "everyway/control", "shadow": "container"}

// Write writes the instrumented sources to dir.
func (p *Plan) Write(dir string, t overlay.Toolchain) (*overlay.Source, error) {
	files := map[string]*file{}
	paths := p.paths()
	tests, err := filepath.Glob(filepath.Join(p.Root, filepath.FromSlash(p.Run.Dir), "*_test.go"))
	if err != nil {
		return nil, err
	}
	generated := p.generated(t.GOROOT)
	for _, path := range slices.Concat(paths, tests, slices.Sorted(maps.Keys(generated))) {
		if files[path] != nil {
			continue
		}
		f, err := read(path, generated[path])
		if errors.Is(err, fs.ErrNotExist) {
			continue // made by the go command
		}
		if err != nil {
			return nil, err
		}
		goMod := t.GoMod
		if module, _, ok := overlay.ModuleOf(path, t.GOMODCACHE); ok {
			goMod = filepath.Join(t.GOMODCACHE, filepath.FromSlash(module), "go.mod")
		}
		f.minor, f.race = goVersion(goMod), p.Race
		files[path] = f
	}
	for _, e := range p.events {
		if f := files[e.pos.File]; f != nil && strings.HasPrefix(e.op, "receive") {
			f.receives[e.pos] = true
		}
	}
	s := p.tables(files)
	s.place(files)
	w := overlay.NewWriter(dir, t)
	for name, to := range controlDirs {
		sources, err := controlSource.ReadDir("_src/" + name)
		if err != nil {
			return nil, err
		}
		for _, d := range sources {
			text, err := controlSource.ReadFile("_src/" + name + "/" + d.Name())
			if err != nil {
				return nil, err
			}
			w.PutLibrary(to+"/"+d.Name(), text)
		}
	}
	w.PutLibrary(controlDirs["control"]+"/tables.go", s.data())
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		_, made := generated[path]
		if made || slices.Contains(tests, path) {
			if err := f.target(p.Run); err != nil {
				return nil, err
			}
		}
		if len(f.edits) == 0 && !made {
			continue
		}
		w.Put(path, f.rewritten()) // which gets no control points in a workspace, if it is of another module
	}
	return w.Source()
}

// generated returns the texts of the files that were made for the run, by their paths.
func (p *Plan) generated(goroot string) map[string][]byte {
	texts := make(map[string][]byte)
	for _, f := range p.Run.Options.Generated {
		name := filepath.FromSlash(f.Name)
		if rest, ok := strings.CutPrefix(f.Name, "$GOROOT/"); ok {
			name = filepath.Join(goroot, filepath.FromSlash(rest))
		} else if !filepath.IsAbs(name) {
			name = filepath.Join(p.Root, name)
		}
		texts[name] = []byte(f.Text)
	}
	return texts
}
