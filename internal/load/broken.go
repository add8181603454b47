package load

import (
	"cmp"
	"errors"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Broken is a test binary that go test could not build.
type Broken struct {
	Package string // import path of the package under test, or a pattern that names none
	// Setup says that it is not known what the packages consist of, because one cannot be
	// found, or imports itself. They have not been parsed then.
	Setup  bool
	Faults []Fault // of the package and of those that it imports
}

// A Fault is why a package does not build.
type Fault struct {
	Package string // import path; of what cannot be found, that of the package that imports it
	Err     error  // a *CompileError, *CgoError or *NotFoundError
}

// Error gives the errors of all packages.
func (b *Broken) Error() string {
	var lines []string
	for _, f := range b.Faults {
		lines = append(lines, f.Err.Error())
	}
	return strings.Join(lines, "\n")
}

// joinBroken returns what is wrong as one error: what is C, or cannot be found, comes before
// all errors of the compiler.
func joinBroken(broken []Broken) error {
	all := new(CompileError)
	for _, b := range broken {
		for _, f := range b.Faults {
			var wrong *CompileError
			if !errors.As(f.Err, &wrong) {
				return f.Err
			}
			for _, line := range wrong.Lines {
				if !slices.Contains(all.Lines, line) {
					all.Lines = append(all.Lines, line)
				}
			}
		}
	}
	return all
}

// builds reports whether no reason is known why u does not build.
func (u *unit) builds() bool { return u.fault == nil && !u.blocked }

// block marks the units that import, directly or not, what the go command has found wrong.
// Among them are those that import each other in a circle, which could not be checked.
func (c *checker) block() {
	place := make(map[*unit]int)
	paths := make(map[string][]*unit)
	for i, u := range c.units {
		place[u] = i
		paths[u.listed.PkgPath] = append(paths[u.listed.PkgPath], u)
	}
	importers := make(map[*unit][]*unit)
	var work []*unit
	for i, u := range c.units {
		for _, dep := range u.listed.Imports {
			imported := c.byID[dep.ID]
			importers[imported] = append(importers[imported], u)
			if place[imported] >= i && u.fault == nil {
				u.fault = c.cycle([]string{u.listed.PkgPath, dep.PkgPath})
			}
		}
		if cycle := importCycle(u.listed); cycle != nil {
			// The go command has left out one of the imports, and blames one of the packages.
			fault := c.cycle(cycle)
			for _, path := range cycle {
				for _, u := range paths[path] {
					u.fault = fault
				}
			}
		}
	}
	for _, u := range c.units {
		if u.fault != nil {
			work = append(work, u)
		}
	}
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		for _, by := range importers[u] {
			if by.builds() {
				by.blocked = true
				work = append(work, by)
			}
		}
	}
}

// importCycle returns the paths of packages each of which imports the next, and the last one
// the first, as the go command has found them; nil if it has found none.
func importCycle(p *packages.Package) []string {
	for _, e := range p.Errors {
		text, ok := strings.CutPrefix(e.Msg, "import cycle not allowed")
		_, stack, found := strings.Cut(text, ": import stack: [") // of go/packages
		if !ok || !found {
			continue
		}
		paths := strings.Fields(strings.TrimSuffix(stack, "]"))
		// Those that lead to the cycle come first.
		for i, path := range paths[:max(0, len(paths)-1)] {
			if path == paths[len(paths)-1] {
				return paths[i : len(paths)-1]
			}
		}
	}
	return nil
}

// cycle says that packages import each other in a circle, where the first one of them by its
// path imports the next.
func (c *checker) cycle(cycle []string) *Fault {
	first := slices.Index(cycle, slices.Min(cycle))
	cycle = slices.Concat(cycle[first:], cycle[:first+1])
	at := ""
	for _, u := range c.units {
		if u.listed.PkgPath == cycle[0] && at == "" {
			at = position(c.dir, importPosition(u.listed.GoFiles, cycle[1]))
		}
	}
	return &Fault{cycle[0], &CompileError{Lines: []string{at + "import cycle not allowed: " + strings.Join(cycle, " imports ")}}}
}

// importPosition returns where one of some files imports a package. It is not valid if none
// does.
func importPosition(files []string, path string) token.Position {
	fset := token.NewFileSet()
	for _, name := range files {
		f, err := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if err != nil {
			continue // it is wrong in another way, too
		}
		for _, imp := range f.Imports {
			if imp.Path.Value == strconv.Quote(path) {
				return fset.Position(imp.Pos())
			}
		}
	}
	return token.Position{}
}

// failed notes why u does not build, nil for nothing.
func (u *unit) failed(err error) {
	if err != nil {
		u.fault = &Fault{u.pkg.Path, err}
	}
}

// wrong returns why u, which was checked, does not build.
func (c *checker) wrong(u *unit) error {
	if len(u.errs) == 0 {
		return nil
	}
	if u.listed.Module != nil {
		if err := cgoIn(u.listed); err != nil {
			return err
		}
	}
	slices.SortStableFunc(u.errs, func(a, b error) int {
		x, y := c.position(a), c.position(b)
		return cmp.Or(strings.Compare(x.Filename, y.Filename), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	wrong := new(CompileError)
	for _, err := range u.errs {
		wrong.Lines = append(wrong.Lines, c.line(c.dir, err))
	}
	return wrong
}

// broken tells the roots that build, in test binaries all of which do, from the others.
func (c *checker) broken(roots []*packages.Package) (builds []*packages.Package, broken []Broken) {
	place := make(map[string]int) // in broken, by package under test
	for _, p := range roots {
		u := c.byID[p.ID]
		if u.builds() {
			continue
		}
		of := u.pkg.Binary()
		i, ok := place[of]
		if !ok {
			i = len(broken)
			place[of] = i
			broken = append(broken, Broken{Package: of})
		}
		c.blame(&broken[i], u, nil, make(map[*unit]bool))
	}
	for _, p := range roots {
		if _, ok := place[c.byID[p.ID].pkg.Binary()]; !ok {
			builds = append(builds, p)
		}
	}
	return builds, broken
}

// blame adds to b the faults of u, which another unit imports unless that is nil, and of what
// u imports.
func (c *checker) blame(b *Broken, u, importer *unit, visited map[*unit]bool) {
	if visited[u] || u.builds() {
		return
	}
	visited[u] = true
	var imported []string
	for path := range u.listed.Imports {
		imported = append(imported, path)
	}
	slices.Sort(imported)
	for _, path := range imported {
		c.blame(b, c.byID[u.listed.Imports[path].ID], u, visited)
	}
	if u.fault == nil {
		return
	}
	b.Setup = b.Setup || len(u.listed.Errors) > 0
	fault := *u.fault
	if missing, ok := errors.AsType[*NotFoundError](fault.Err); ok && importer != nil {
		// The go command names one place where it is imported.
		here := *missing
		if at := importPosition(importer.listed.GoFiles, u.listed.PkgPath); at.IsValid() {
			here.Importer = position(c.dir, at)
		}
		fault = Fault{importer.pkg.Path, &here}
	}
	if !slices.ContainsFunc(b.Faults, func(f Fault) bool { return f.Err.Error() == fault.Err.Error() }) {
		b.Faults = append(b.Faults, fault)
	}
}
