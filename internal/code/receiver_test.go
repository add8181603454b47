package code_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
)

// The names of the methods say whether nil is expected.
func TestComparesReceiver(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

type T struct {
	n    int
	next *T
}

func (t *T) NotRead() int         { return t.n }
func (t *T) NotField() bool       { return t.next == nil }
func (t *T) NotPassed() int       { return t.NotRead() + of(t) }
func (t *T) NotOther(u *T) bool   { return u == nil || u == t }
func (t *T) NotRecursive() int    { return t.next.NotRecursive() + t.NotRecursive() }
func (t *T) Compared() bool       { return t == nil }
func (t *T) ComparedLast() int    { if t.n > 3 { return 1 }; if t != nil { return 2 }; return 3 }
func (t *T) ComparedByOther() bool { return t.Compared() }
func (t *T) ComparedBySome() bool { return check(1, t) }
func (t *T) ComparedInLoop() (n int) {
	for ; t != nil; t = t.next {
		n++
	}
	return n
}
func (t *T) ComparedInLiteral() bool { return func() bool { return t == nil }() }
func (t *T) ComparedWhereAssigned() bool {
	f := func() bool { return t == nil }
	t = t.next
	return f()
}
func (t *T) ComparedDeferred() { defer check(2, t) }

func of(t *T) int           { return t.n }
func check(n int, t *T) bool { return n > 1 && t == nil }
`)
	n := 0
	pkg.SSA.Build()
	for fn := range ssautil.AllFunctions(p.SSA) {
		name := fn.Name()
		if fn.Package() != pkg.SSA || fn.Signature.Recv() == nil {
			continue
		}
		n++
		if got, want := code.ComparesReceiver(fn), strings.HasPrefix(name, "Compared"); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if n < 13 {
		t.Errorf("%d methods", n)
	}
}
