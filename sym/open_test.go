package sym_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

// A knot has pointers wherever Open finds them.
type knot struct {
	direct *knot
	atom   atomic.Pointer[knot]
	list   []*knot
	pair   [2]struct{ to *knot }
	part   *int // leads to a part of a knot
	count  int
}

// knots returns two knots that lead to each other.
func knots() (a, b *knot) {
	a, b = &knot{count: 1}, &knot{count: 2}
	a.direct, a.part = b, &b.count
	a.list = []*knot{b, nil}
	a.pair[1].to = b
	return a, b
}

func TestOpen(t *testing.T) {
	a, b := knots()
	t.Setenv("EVERYWAY_INPUT", "k=4 &4.direct=0 &4.atom=5 &4.list[0]=4 &4.list[1]=6 &4.pair[0].to=0 &4.pair[1].to=4 "+
		"&5.direct=6 &6.count=9")
	sym.Open("k", a)
	if a.direct != nil || a.atom.Load() != b || a.list[0] != a || a.pair[0].to != nil || a.pair[1].to != a {
		t.Errorf("the first one is %+v", a)
	}
	third := a.list[1]
	if third == nil || third == a || third == b || b.direct != third || third.count != 9 {
		t.Errorf("the new one is %+v", third)
	}
	if a.part != &b.count {
		t.Error("a pointer to a part has changed that is not in the list of inputs")
	}
}

// TestOpenAsMade: without inputs, and where the list has no name, everything is as the test has made it.
func TestOpenAsMade(t *testing.T) {
	for _, input := range []string{"", "other=1", "k=1 &1.pair[0].to=1"} {
		t.Setenv("EVERYWAY_INPUT", input)
		a, b := knots()
		sym.Open("k", a)
		if a.direct != b || a.list[0] != b || a.list[1] != nil || a.pair[1].to != b || b.direct != nil {
			t.Errorf("with inputs %q, the first one is %+v", input, a)
		}
	}
}

func TestOpenSeed(t *testing.T) {
	seen := map[string]bool{}
	for seed := range 40 {
		t.Setenv("EVERYWAY_SEED", fmt.Sprint(seed))
		var twice []string
		for range 2 {
			a, b := knots()
			sym.Open("k", a)
			names := map[*knot]string{nil: "nil", a: "a", b: "b"}
			var text strings.Builder
			for _, p := range []*knot{a.direct, a.atom.Load(), a.list[0], a.list[1], a.pair[0].to, b.direct} {
				if names[p] == "" {
					t.Fatal("a pointer leads out of the structure")
				}
				text.WriteString(names[p] + " ")
			}
			twice = append(twice, text.String())
		}
		if twice[0] != twice[1] {
			t.Fatalf("seed %d: %s, then %s", seed, twice[0], twice[1])
		}
		seen[twice[0]] = true
	}
	if len(seen) < 10 {
		t.Errorf("40 seeds give %d structures", len(seen))
	}
}

func TestOpenNil(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "Open of a nil pointer: k") {
			t.Errorf("panicked with %v", r)
		}
	}()
	sym.Open[knot]("k", nil)
}
