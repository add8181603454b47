package program

import (
	"go/token"
	"iter"
	"path/filepath"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
)

// Dir returns the directory of a target's package, relative to the module's root.
func (p *Program) Dir(t *load.Target) string {
	rel, err := filepath.Rel(p.Root, t.Package.Dir)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// outputDir is the directory in a module's root that run files and search files go to.
const outputDir = ".everyway"

// OutputDir returns the directory that run files and search files go to by default, in the
// module with a root directory.
func OutputDir(root string) string { return filepath.Join(root, outputDir) }

// OutputFile returns the path of a file that is written about a target: below dir, or
// .everyway in the module's root if that is empty, in the directory of the target's
// package. The name of the file begins with that of the target.
func (p *Program) OutputFile(dir string, t *load.Target, suffix string) string {
	if dir == "" {
		dir = OutputDir(p.Root)
	}
	name := strings.NewReplacer("/", "-", "*", "", "(", "", ")", "").Replace(t.Name)
	return filepath.Join(dir, filepath.FromSlash(p.Dir(t)), name+suffix)
}

// Position returns a source position as run files have it: the file relative to the
// module's root, or below $GOROOT.
func (p *Program) Position(pos token.Pos) string {
	at := p.Fset.Position(pos)
	if !at.IsValid() {
		return ""
	}
	return p.Shorten(at.String())
}

// Line returns the text of a line of a source file of p, as positions of run files name
// it. There is none in files that are not part of p.
func (p *Program) Line(file string, line int) (text string, ok bool) {
	name := filepath.FromSlash(file)
	if rest, ok := strings.CutPrefix(file, "$GOROOT/"); ok {
		name = filepath.Join(p.Toolchain.GOROOT, filepath.FromSlash(rest))
	} else if !filepath.IsAbs(name) {
		name = filepath.Join(p.Root, name)
	}
	return p.Sources.Line(name, line)
}

// Lines yields the lines of the source files of a package with their positions, of which
// the file is as run files have it.
func (p *Program) Lines(pkg *load.Package) iter.Seq2[token.Position, string] {
	return func(yield func(token.Position, string) bool) {
		for _, f := range pkg.Files {
			for at, text := range p.Sources.Lines(p.Fset.File(f.Package).Name()) {
				at.Filename = p.Shorten(at.Filename)
				if !yield(at, text) {
					return
				}
			}
		}
	}
}

// Shorten makes the file of a position relative to the module's root, or to $GOROOT.
func (p *Program) Shorten(pos string) string {
	for _, base := range []struct{ dir, name string }{{p.Root, ""}, {p.Toolchain.GOROOT, "$GOROOT/"}} {
		if rest, ok := strings.CutPrefix(pos, base.dir+string(filepath.Separator)); ok {
			return base.name + filepath.ToSlash(rest)
		}
	}
	return pos
}
