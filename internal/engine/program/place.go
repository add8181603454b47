package program

import (
	"go/ast"
	"go/token"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
)

// FindRoot returns the directory of the module that dir is in, that of the workspace if it is
// in no module, or dir if it is in neither.
func FindRoot(dir string) string {
	for _, name := range []string{"go.mod", "go.work"} {
		for at := dir; ; at = filepath.Dir(at) {
			if info, err := os.Stat(filepath.Join(at, name)); err == nil && info.Mode().IsRegular() {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return dir
}

// RootOf returns the directory that names in run files of p's targets are relative to, and that
// has what is written about them: that of p's module, if it is the main one or, in a workspace,
// one of them, and otherwise the Root of the program.
func (p *Program) RootOf(pkg *load.Package) string {
	if m := pkg.Module; m != nil && m.Main && m.Dir != "" {
		return m.Dir
	}
	return p.Root
}

// Dir returns the directory of a target's package, relative to the root; of one that is not
// below the root, it is the absolute path.
func (p *Program) Dir(t *load.Target) string {
	rel, err := filepath.Rel(p.RootOf(t.Package), t.Package.Dir)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(t.Package.Dir)
	}
	return filepath.ToSlash(rel)
}

// outputDir is the directory in a module's root that run files and search files go to.
const outputDir = ".everyway"

// OutputDir returns the directory that run files and search files go to by default, in the
// module with a root directory.
func OutputDir(root string) string { return filepath.Join(root, outputDir) }

// elsewhere is the directory for files about packages that are not in the module whose root it
// is in: by import path, since their directories may belong to others. No package that patterns
// like ./... match is in a directory of the name.
const elsewhere = "_"

// OutputFile returns the path of a file that is written about a target: below dir, or
// .everyway in the module's root if that is empty, in the directory of the target's
// package. The name of the file begins with that of the target and, in an external test
// package, before it with that of the package.
func (p *Program) OutputFile(dir string, t *load.Target, suffix string) string {
	return filepath.Join(p.outputDir(dir, t.Package), outputName(t)+suffix)
}

// outputDir returns the directory of the files that are written about targets of a package.
func (p *Program) outputDir(dir string, pkg *load.Package) string {
	root := p.RootOf(pkg)
	rel, err := filepath.Rel(root, pkg.Dir)
	shared := dir != "" && root != p.Root // with another module, which may have such a directory
	if dir == "" {
		dir = OutputDir(root)
	}
	if err != nil || !filepath.IsLocal(rel) || shared {
		rel = filepath.FromSlash(path.Join(elsewhere, pkg.Binary()))
	}
	return filepath.Join(dir, rel)
}

// outputName returns what the names of files about a target begin with.
func outputName(t *load.Target) string {
	name := strings.NewReplacer("$GOROOT/src/", "", "/", "-", "*", "", "(", "", ")", "", ":", "-", ",", "-").Replace(t.Name)
	if t.Package.Binary() != t.Package.Path {
		name = t.Package.Name + "." + name
	}
	return name
}

// named is the import path of a package that was named by its files.
const named = "command-line-arguments"

// NamedFiles returns the files, relative to the root, that have named the package of a target.
// There are none if its import path has.
func (p *Program) NamedFiles(t *load.Target) []string {
	if t.Package.Binary() != named {
		return nil
	}
	var list []string
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			name := p.Fset.File(f.Package).Name()
			if pkg.Binary() == named && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	for i, name := range list {
		list[i] = p.Shorten(t, name)
	}
	return list
}

// inRoot returns the path of a file that is relative to a root, if it is not absolute.
func inRoot(root, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}

// Position returns a source position as run files of a target have it: the file relative to
// the root, or below $GOROOT.
func (p *Program) Position(t *load.Target, pos token.Pos) string {
	at := p.Fset.Position(pos)
	if !at.IsValid() {
		return ""
	}
	return p.Shorten(t, at.String())
}

// FileLine returns the path of the file and the line of a source position as run files of a target
// have it, false if it is none.
func (p *Program) FileLine(t *load.Target, pos string) (file string, line int, ok bool) {
	parts := strings.Split(pos, ":")
	if len(parts) < 3 {
		return "", 0, false
	}
	line, err := strconv.Atoi(parts[len(parts)-2])
	return p.path(p.RootOf(t.Package), strings.Join(parts[:len(parts)-2], ":")), line, err == nil
}

// path returns the path of a file that is relative to a root, or below $GOROOT.
func (p *Program) path(root, file string) string {
	if rest, ok := strings.CutPrefix(file, "$GOROOT/"); ok {
		return filepath.Join(p.Toolchain.GOROOT, filepath.FromSlash(rest))
	}
	return inRoot(root, file)
}

// Line returns the text of a line of a source file of p, as positions of run files whose files
// are relative to a root name it. There is none in files that are not part of p.
func (p *Program) Line(root, file string, line int) (text string, ok bool) {
	return p.Sources.Line(p.path(root, file), line)
}

// Source is Line for one root.
func (p *Program) Source(root string) func(file string, line int) (text string, ok bool) {
	return func(file string, line int) (string, bool) { return p.Line(root, file, line) }
}

// Lines yields the lines of the source files of a package with their positions, of which
// the file is as run files have it.
func (p *Program) Lines(pkg *load.Package) iter.Seq2[token.Position, string] {
	root := p.RootOf(pkg)
	return func(yield func(token.Position, string) bool) {
		for _, f := range pkg.Files {
			for at, text := range p.Sources.Lines(p.Fset.File(f.Package).Name()) {
				at.Filename = p.shorten(root, at.Filename)
				if !yield(at, text) {
					return
				}
			}
		}
	}
}

// Shorten makes the file of a position relative to the root, or to $GOROOT.
func (p *Program) Shorten(t *load.Target, pos string) string {
	return p.shorten(p.RootOf(t.Package), pos)
}

func (p *Program) shorten(root, pos string) string {
	for _, base := range []struct{ dir, name string }{{root, ""}, {p.Toolchain.GOROOT, "$GOROOT/"}} {
		if rest, ok := strings.CutPrefix(pos, base.dir+string(filepath.Separator)); ok {
			return base.name + filepath.ToSlash(rest)
		}
	}
	return pos
}

// IsOwn reports whether a file belongs to a package of the module under test.
func (p *Program) IsOwn(file string) bool {
	for _, pkg := range p.All {
		if pkg.Standard && !p.isTested(pkg) {
			continue
		}
		for _, f := range pkg.Files {
			if p.Fset.Position(f.Package).Filename == file {
				return p.owns(pkg)
			}
		}
	}
	return false
}

// owns reports whether a package belongs to the module under test, as those of the standard library do that were named.
func (p *Program) owns(pkg *load.Package) bool {
	return p.isTested(pkg) || !pkg.Standard && (pkg.Module == nil || pkg.Module.Main)
}

// isTested reports whether a package is one of those that were named.
func (p *Program) isTested(pkg *load.Package) bool { return slices.Contains(p.Packages, pkg) }

// Syntax returns the syntax of a file of the program, nil if it is none.
func (p *Program) Syntax(file string) *ast.File {
	for _, pkg := range p.All {
		for _, f := range pkg.Files {
			if p.Fset.Position(f.Package).Filename == file {
				return f
			}
		}
	}
	return nil
}

// FileName returns the name of a file, relative to a root or below $GOROOT.
func (p *Program) FileName(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return p.shorten(root, file)
}

// names returns the names of files, separated by commas.
func (x *Finder) names(files ...string) string {
	var list []string
	for _, f := range files {
		list = append(list, x.program.FileName(x.root, f))
	}
	return strings.Join(list, ", ")
}
