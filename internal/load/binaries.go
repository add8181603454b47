package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
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

// A listing is what the go command says about a package. It is part of Binary.Sum, so that
// there is nothing in it that does not matter.
type listing struct {
	ImportPath     string
	Name           string `json:",omitempty"`
	Dir            string
	DepOnly        bool
	ForTest        string
	Standard       bool
	GoFiles        []string `json:",omitempty"`
	EmbedFiles     []string `json:",omitempty"`
	Imports        []string `json:",omitempty"`
	DefaultGODEBUG string
	Module         *struct {
		Path, Version, Dir, GoVersion string
		Main                          bool
	} `json:",omitempty"`
	Error *struct{ Err string } `json:",omitempty"`
}

// errUnlisted says that the packages cannot be told apart by listing them.
var errUnlisted = errors.New("the files of the packages are not those that the go command lists")

// Binaries lists what Load would load the roots of with cfg, in the order of Package, those
// that it would find broken included. It parses nothing.
func Binaries(ctx context.Context, cfg Config) ([]Binary, error) {
	if overlayFile(cfg.Flags) != "" || len(cfg.Overlay) > 0 || os.Getenv("GOPACKAGESDRIVER") != "" {
		return nil, errUnlisted
	}
	packages, err := goList(ctx, &cfg)
	if err != nil {
		return nil, err
	}
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
		_, tested := number[p.ImportPath+".test"]
		if p.DepOnly || p.ForTest != "" || tested {
			continue
		}
		h := cache.NewHash("binary")
		for _, n := range closure(packages, number, i) {
			h.Key(sums[n])
		}
		path := p.ImportPath
		if p.isTestMain() {
			path = strings.TrimSuffix(path, ".test")
		}
		list = append(list, Binary{Package: path, Sum: h.Sum()})
	}
	slices.SortFunc(list, func(a, b Binary) int { return strings.Compare(a.Package, b.Package) })
	return list, nil
}

// goList asks the go command for the packages that patterns name and all that they import.
func goList(ctx context.Context, cfg *Config) ([]listing, error) {
	var fields []string
	for f := range reflect.TypeFor[listing]().Fields() {
		fields = append(fields, f.Name)
	}
	// What is under version control is of no concern, and asking that can take longer than all else.
	args := append([]string{"list", "-e", "-deps", "-pgo=off", "-buildvcs=false", "-json=" + strings.Join(fields, ",")}, buildFlags(cfg)...)
	if cfg.Tests {
		args = append(args, "-test")
	}
	args = append(append(args, "--"), cfg.Patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = cfg.Dir, environment(cfg)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	var list []listing
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listing
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("listing packages: %w", err)
		}
		list = append(list, p)
	}
}

// isTestMain reports whether p is the main package of a test binary, whose source go test
// generates from the names in the others.
func (p *listing) isTestMain() bool {
	return strings.HasSuffix(p.ImportPath, ".test") && p.Name == "main" && p.ForTest == ""
}

// sum returns a hash of p alone.
func (p *listing) sum() (cache.Key, error) {
	h := cache.NewHash("package")
	of := *p
	of.DepOnly = false // of the patterns, not of the package
	files := slices.Concat(p.GoFiles, p.EmbedFiles)
	if p.isTestMain() {
		of.GoFiles, files = nil, nil
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
func closure(packages []listing, number map[string]int, root int) []int {
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
