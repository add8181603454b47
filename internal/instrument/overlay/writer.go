package overlay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Source is where the go command finds the program.
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
	// file, so that files of the module cache cannot be others.
	Workspace bool
}

// Replaces reports whether the go command can be made to see another text in the place of a file,
// which it cannot for one of the module cache in a workspace.
func (t Toolchain) Replaces(path string) bool {
	_, _, cached := ModuleOf(path, t.GOMODCACHE)
	return !cached || !t.Workspace
}

// A Writer writes sources, until there is an error.
type Writer struct {
	dir       string
	toolchain Toolchain
	replace   map[string]string
	modules   map[string]string // directories below the module cache, and those of their copies
	err       error
}

// NewWriter returns one that writes to dir.
func NewWriter(dir string, t Toolchain) *Writer {
	return &Writer{dir: dir, toolchain: t, replace: map[string]string{}, modules: map[string]string{}}
}

// Put has the go command see a text in the place of a file, which need not be there. It reports
// whether that is possible: in a workspace it is not for a file of the module cache.
func (w *Writer) Put(path string, text []byte) bool {
	if !w.toolchain.Replaces(path) {
		return false
	}
	module, inside, ok := ModuleOf(path, w.toolchain.GOMODCACHE)
	if !ok {
		w.overlay(path, text)
		return true
	}
	if w.modules[module] == "" {
		w.modules[module] = filepath.Join(w.dir, fmt.Sprintf("module%d", len(w.modules)))
		w.copy(filepath.Join(w.toolchain.GOMODCACHE, filepath.FromSlash(module)), w.modules[module], modulePath(module))
	}
	w.write(filepath.Join(w.modules[module], inside), text)
	return true
}

// PutLibrary has the go command see a text in a file of a package of the standard library, whose path has slashes.
func (w *Writer) PutLibrary(path string, text []byte) {
	w.overlay(filepath.Join(w.toolchain.GOROOT, "src", filepath.FromSlash(path)), text)
}

// Source writes what is left to write.
func (w *Writer) Source() (*Source, error) {
	source := &Source{Flags: []string{"-overlay=" + filepath.Join(w.dir, "overlay.json")}, Copies: map[string]string{}}
	for original, copied := range w.replace {
		source.Copies[copied] = original
	}
	for module, copied := range w.modules {
		source.Copies[copied] = filepath.Join(w.toolchain.GOMODCACHE, filepath.FromSlash(module))
	}
	if len(w.modules) > 0 {
		w.goMod(w.toolchain.GoMod, w.modules)
		source.Flags = append(source.Flags, "-modfile="+filepath.Join(w.dir, "everyway.mod"))
	}
	data, err := json.Marshal(map[string]any{"Replace": w.replace})
	if err != nil {
		return nil, err
	}
	w.write(filepath.Join(w.dir, "overlay.json"), data)
	return source, w.err
}

// ModuleOf returns the directory of the module, below the module cache, that a file is in.
func ModuleOf(path, cache string) (module, inside string, ok bool) {
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

func (w *Writer) write(path string, data []byte) {
	if w.err != nil {
		return
	}
	if w.err = os.MkdirAll(filepath.Dir(path), 0o777); w.err == nil {
		w.err = os.WriteFile(path, data, 0o666)
	}
}

// overlay has the go command see data in the place of a file.
func (w *Writer) overlay(path string, data []byte) {
	to := filepath.Join(w.dir, fmt.Sprintf("file%d%s", len(w.replace), filepath.Ext(path)))
	w.replace[path] = to
	w.write(to, data)
}

// copy copies the module of a path, so that its files can be written.
func (w *Writer) copy(from, to, module string) {
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
func (w *Writer) goMod(path string, modules map[string]string) {
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
