package instrument

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed _src
var controlSource embed.FS

// controlDirs are the directories in GOROOT/src of the packages in _src. That of a package with
// assembly has to exist.
var controlDirs = map[string]string{"clock": "debug", "control": "everyway/control"}

// A Source is where the go command finds the instrumented program.
type Source struct {
	Flags []string // of the go command
	// Copies has the files in place of others, and the directories of copies of modules, with
	// what they are copies of.
	Copies map[string]string
}

// A Toolchain says where the sources of the go command are.
type Toolchain struct {
	GOROOT     string
	GOMODCACHE string
	GoMod      string // the go.mod file of the main module, "" if there is none
	// Workspace says that there is a go.work file. The go command then takes no other go.mod
	// file, so that modules of the module cache get no control points.
	Workspace bool
}

// Write writes the instrumented sources to dir.
func (p *Plan) Write(dir string, t Toolchain) (*Source, error) {
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
		if module, _, ok := moduleOf(path, t.GOMODCACHE); ok {
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
	replace := map[string]string{}
	control := filepath.Join(t.GOROOT, "src", "everyway", "control")
	w := &writer{dir: dir, replace: replace}
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
			w.overlay(filepath.Join(t.GOROOT, "src", filepath.FromSlash(to), d.Name()), text)
		}
	}
	w.overlay(filepath.Join(control, "tables.go"), s.data())
	modules := map[string]string{}
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
		module, inside, ok := moduleOf(path, t.GOMODCACHE)
		if ok && t.Workspace {
			continue
		}
		text := f.rewritten()
		if !ok {
			w.overlay(path, text)
			continue
		}
		if modules[module] == "" {
			modules[module] = filepath.Join(dir, fmt.Sprintf("module%d", len(modules)))
			w.copy(filepath.Join(t.GOMODCACHE, filepath.FromSlash(module)), modules[module], modulePath(module))
		}
		w.write(filepath.Join(modules[module], inside), text)
	}
	source := &Source{Flags: []string{"-overlay=" + filepath.Join(dir, "overlay.json")}, Copies: map[string]string{}}
	for original, copied := range replace {
		source.Copies[copied] = original
	}
	for module, copied := range modules {
		source.Copies[copied] = filepath.Join(t.GOMODCACHE, filepath.FromSlash(module))
	}
	if len(modules) > 0 {
		w.goMod(t.GoMod, modules)
		source.Flags = append(source.Flags, "-modfile="+filepath.Join(dir, "everyway.mod"))
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	w.write(filepath.Join(dir, "overlay.json"), data)
	return source, w.err
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

// moduleOf returns the directory of the module, below the module cache, that a file is in.
func moduleOf(path, cache string) (module, inside string, ok bool) {
	rel, err := filepath.Rel(cache, path)
	if err != nil || !filepath.IsLocal(rel) || cache == "" {
		return "", "", false
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	for i, part := range parts {
		if strings.Contains(part, "@") {
			return strings.Join(parts[:i+1], "/"), filepath.Join(parts[i+1:]...), true
		}
	}
	return "", "", false
}

// A writer writes files until there is an error.
type writer struct {
	dir     string
	replace map[string]string
	err     error
}

func (w *writer) write(path string, data []byte) {
	if w.err != nil {
		return
	}
	if w.err = os.MkdirAll(filepath.Dir(path), 0o777); w.err == nil {
		w.err = os.WriteFile(path, data, 0o666)
	}
}

// overlay has the go command see data in the place of a file.
func (w *writer) overlay(path string, data []byte) {
	to := filepath.Join(w.dir, fmt.Sprintf("file%d%s", len(w.replace), filepath.Ext(path)))
	w.replace[path] = to
	w.write(to, data)
}

// copy copies the module of a path, so that its files can be written.
func (w *writer) copy(from, to, module string) {
	if w.err != nil {
		return
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w.write(filepath.Join(to, rel), data)
		return w.err
	})
	if err != nil {
		w.err = fmt.Errorf("copying module %s: %w", module, err)
		return
	}
	goMod := filepath.Join(to, "go.mod")
	if _, err := os.Stat(goMod); errors.Is(err, fs.ErrNotExist) {
		w.write(goMod, []byte("module "+module+"\n"))
	}
}

// goMod writes a go.mod file that names the copies, and its go.sum.
func (w *writer) goMod(path string, modules map[string]string) {
	if w.err != nil {
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		w.err = err
		return
	}
	for module, dir := range modules {
		data = fmt.Appendf(data, "\nreplace %s => %s\n", modulePath(module), dir)
	}
	w.write(filepath.Join(w.dir, "everyway.mod"), data)
	if sum, err := os.ReadFile(strings.TrimSuffix(path, ".mod") + ".sum"); err == nil {
		w.write(filepath.Join(w.dir, "everyway.sum"), sum)
	}
}

// modulePath returns the path of a module from the directory that it is in, below the module
// cache: an exclamation mark stands before a letter that is a capital.
func modulePath(dir string) string {
	dir, _, _ = strings.Cut(dir, "@")
	var b strings.Builder
	for i := 0; i < len(dir); i++ {
		if dir[i] == '!' && i+1 < len(dir) {
			i++
			b.WriteString(strings.ToUpper(dir[i : i+1]))
			continue
		}
		b.WriteByte(dir[i])
	}
	return b.String()
}
