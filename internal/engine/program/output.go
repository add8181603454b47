package program

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/load"
)

// Output returns the file of OutputFile. Nothing leads out of the root, or out of dir if it is
// not empty. Without dir, nothing can be written in GOROOT, though a user may be there.
func (p *Program) Output(dir string, t *load.Target, suffix string) disk.Path {
	in := disk.Dir{System: p.Disk, Path: dir}
	if dir == "" {
		in.Path, in.Ignored = p.RootOf(t.Package), outputDir
		if p.inGoroot(in.Path) {
			in.System = disk.Refuse(fmt.Errorf("%s is part of the Go distribution: name a directory with -o", in.Path))
		}
	}
	name, err := filepath.Rel(in.Path, p.OutputFile(dir, t, suffix))
	if err != nil {
		name = ".." // which cannot be written
	}
	return disk.Path{Dir: in, Name: filepath.ToSlash(name)}
}

// Seed returns the file of a name among the seeds that go test reads for a fuzz target. There is
// none if the package is not the user's: one of GOROOT, or of a module in the module cache.
func (p *Program) Seed(t *load.Target, name string) (file disk.Path, ok bool) {
	pkg := t.Package
	main := pkg.Module != nil && pkg.Module.Main
	if p.inGoroot(pkg.Dir) || !main && pkg.Module != nil {
		return disk.Path{}, false
	}
	root, dir, err := fileRoot(pkg, p.Toolchain.GOROOT)
	if err != nil || pkg.Module == nil {
		root, dir = pkg.Dir, "."
	}
	return disk.Path{Dir: disk.Dir{System: p.Disk, Path: root}, Name: path.Join(dir, "testdata", "fuzz", t.Name, name)}, true
}

// inGoroot reports whether a directory belongs to the Go distribution.
func (p *Program) inGoroot(dir string) bool {
	rel, err := filepath.Rel(p.Toolchain.GOROOT, dir)
	return p.Toolchain.GOROOT != "" && err == nil && filepath.IsLocal(rel)
}
