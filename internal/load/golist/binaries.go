package golist

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/everyway-go/everyway/internal/cache"
)

// A Binary is a test binary that go test would build, or a package that has no tests.
type Binary struct {
	Package string    // import path of the package under test
	Sum     cache.Key // hash of all sources and embedded files, and how they are built
}

// Binaries returns the test binaries of the listing, in the order of Package, those that would not
// build included. It parses nothing.
func (l *Listing) Binaries() ([]Binary, error) {
	packages := l.packages
	sums := make([]cache.Key, len(packages))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range packages {
		g.Go(func() (err error) {
			sums[i], err = packages[i].sum()
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("hashing the packages: %w", err)
	}
	number := make(map[string]int) // of the packages, by ID
	for i := range packages {
		number[packages[i].ImportPath] = i
	}
	var list []Binary
	for i := range packages {
		p := &packages[i]
		_, tested := number[p.ImportPath+testMain]
		if p.DepOnly || p.ForTest != "" || tested {
			continue
		}
		h := cache.NewHash("binary")
		for _, n := range closure(packages, number, i) {
			h.Key(sums[n])
		}
		path := p.ImportPath
		if p.isTestMain() {
			path = strings.TrimSuffix(path, testMain)
		}
		list = append(list, Binary{Package: path, Sum: h.Sum()})
	}
	slices.SortFunc(list, func(a, b Binary) int { return strings.Compare(a.Package, b.Package) })
	return list, nil
}

// sum returns a hash of p alone.
func (p *listed) sum() (cache.Key, error) {
	h := cache.NewHash("package")
	of := p.essence
	of.DepOnly = false // of the patterns, not of the package
	files := slices.Concat(p.GoFiles, p.CgoFiles, p.EmbedFiles)
	if p.isTestMain() {
		of.GoFiles, of.CgoFiles, files = nil, nil, nil
	}
	if err := h.Value(of); err != nil {
		return cache.Key{}, err
	}
	for _, name := range files {
		if err := h.File(filepath.Join(p.Dir, name)); err != nil {
			return cache.Key{}, err
		}
	}
	return h.Sum(), nil
}

// closure returns the numbers of a package and all that it imports, in ascending order.
func closure(packages []listed, number map[string]int, root int) []int {
	found := map[int]bool{root: true}
	for work := []int{root}; len(work) > 0; {
		p := &packages[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, id := range p.Imports {
			if n, ok := number[id]; ok && !found[n] {
				found[n] = true
				work = append(work, n)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b int) int {
		return strings.Compare(packages[a].ImportPath, packages[b].ImportPath)
	})
}
