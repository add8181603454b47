package summaries_test

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/summaries"
	"github.com/everyway-go/everyway/internal/vm/summary"
)

// function compiles a package and returns its function F.
func function(t *testing.T, text string) (*code.Program, *code.Func) {
	t.Helper()
	p, pkg := codetest.Compile(t, text)
	pkg.SSA.Build()
	return p, p.Func(pkg.SSA.Func("F"))
}

// tree returns the tree of a function, and how trees have come about in the library.
func tree(l *summaries.Library, p *code.Program, f *code.Func) (*summary.Tree, summaries.Counts) {
	tree := l.Tree(f, 0, func(f *code.Func, i int32) *code.Func { return p.Func(f.Callees[i]) })
	return tree, l.Counts()
}

// TestLibrary checks that a tree is made once, is found in the cache by another library, and is made again when a
// function has changed of which it has the paths.
func TestLibrary(t *testing.T) {
	const text = `package p

func F(x int) int {
	if x < 3 {
		return G(x)
	}
	return x
}

func G(x int) int {
	if x > 1 {
		return 2
	}
	return x
}
`
	kept := cache.Open(disk.Dir{System: disk.Host{}, Path: t.TempDir()})
	p, f := function(t, text)
	first := summaries.NewLibrary(kept)
	want, made := tree(first, p, f)
	if want == nil || made.Built != 1 || made.Loaded != 0 || made.Queries == 0 {
		t.Fatalf("%v, %+v", want, made)
	}
	if again, made := tree(first, p, f); again != want || made.Built != 1 {
		t.Errorf("the tree was made twice: %+v", made)
	}
	p, f = function(t, text+"\nfunc H() {}\n")
	got, made := tree(summaries.NewLibrary(kept), p, f)
	if made.Loaded != 1 || made.Built != 0 || got.Format(f) != want.Format(f) {
		t.Errorf("from the cache: %+v\n%s", made, got.Format(f))
	}
	for name, changed := range map[string]string{
		"callee":   "x > 0",
		"constant": "x > 7",
	} {
		p, f := function(t, strings.Replace(text, "x > 1", changed, 1))
		got, made := tree(summaries.NewLibrary(kept), p, f)
		if made.Loaded != 0 || made.Built != 1 || got.Format(f) == want.Format(f) {
			t.Errorf("%s: after a change: %+v\n%s", name, made, got.Format(f))
		}
	}
	if _, made := tree(summaries.NewLibrary(cache.Cache{}), p, f); made.Loaded != 0 || made.Built != 1 {
		t.Errorf("without a cache: %+v", made)
	}
}

// TestWorth checks that there are no trees of what is too short.
func TestWorth(t *testing.T) {
	p, f := function(t, "package p\n\nfunc F(x int) int { return x + 1 }\n")
	if got, _ := tree(summaries.NewLibrary(cache.Cache{}), p, f); got != nil {
		t.Errorf("there is a tree of two instructions:\n%s", got.Format(f))
	}
}
