package contexts

import (
	"fmt"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// relatedProgram writes a test whose goroutines change several numbers of one lock together, or do
// so but in one place: counters that are all changed in the same way, or those of a ring; fields or
// package variables.
func relatedProgram(b *strings.Builder, n uint64) {
	r := rand.New(rand.NewPCG(n, 23))
	odd := func(k int) bool { return r.IntN(k) == 0 }
	typ := []string{"int", "int", "int8", "uint8"}[r.IntN(4)]
	size := 2 + r.IntN(2)
	x, lock, recv := "s.", "s.mu", fmt.Sprintf("(s *sums%d) ", n)
	if odd(2) {
		x, lock, recv = fmt.Sprintf("v%d", n), fmt.Sprintf("vmu%d", n), ""
	}
	p, q, w := x+"p", x+"q", x+"w"
	if recv != "" {
		fmt.Fprintf(b, "type sums%d struct {\n\tmu sync.Mutex\n\tcond sync.Cond\n\tp, q, w %s\n\tof [4]int\n}\n\n", n, typ)
	} else {
		fmt.Fprintf(b, "var (\n\tvmu%d sync.Mutex\n\tv%dp, v%dq, v%dw %s\n)\n\ntype sums%d struct {\n\tcond sync.Cond\n\tof [4]int\n}\n\n", n, n, n, n, typ, n)
	}
	call := func(name string) string {
		if recv != "" {
			return "s." + name
		}
		return fmt.Sprint(name, n)
	}
	method := func(name, result string) {
		if recv == "" {
			name = fmt.Sprint(name, n)
		}
		fmt.Fprintf(b, "func %s%s(x int) %s{\n", recv, name, result)
	}
	counters := [][]string{{p + "++", q + "++"}, {p + "--", q + "--"}, {p + " = 0", q + " = 0"}, {p + " += 2", w + "++", q + "++", q + "++"}, {w + "++"}}
	ring := [][]string{
		{fmt.Sprintf("if %s < %d {\n\t\t%s++\n\t\tif %s == %d {\n\t\t\t%s = 0\n\t\t}\n\t\t%s++\n\t}", w, size, p, p, size, p, w)},
		{fmt.Sprintf("if %s > 0 {\n\t\t%s = (%s + 1) %% %d\n\t\t%s--\n\t}", w, q, q, size, w)},
		{fmt.Sprintf("if x > 2 {\n\t\t%s, %s, %s = 0, 0, 0\n\t}", p, q, w)},
	}
	kinds := counters
	if odd(2) {
		kinds = ring
	}
	steps := func() {
		for range 1 + r.IntN(2) {
			for i, s := range kinds[r.IntN(len(kinds))] {
				switch {
				case i > 0 && odd(8):
					fmt.Fprintf(b, "\t%s.Unlock()\n\t%s.Lock()\n", lock, lock)
				case i > 0 && odd(4):
					b.WriteString("\truntime.Gosched()\n")
				case odd(16):
					continue
				case odd(16):
					fmt.Fprintf(b, "\tx = small(x)\n")
				}
				fmt.Fprintf(b, "\t%s\n", s)
			}
		}
	}
	method("helped", "")
	steps()
	b.WriteString("}\n\n")
	methods := 2 + r.IntN(2)
	for i := range methods {
		method(fmt.Sprint("do", i), "int ")
		fmt.Fprintf(b, "\t%s.Lock()\n", lock)
		deferred := odd(3)
		if deferred {
			fmt.Fprintf(b, "\tdefer %s.Unlock()\n", lock)
		}
		steps()
		if odd(3) {
			fmt.Fprintf(b, "\t%s(x)\n", call("helped"))
		}
		if odd(3) {
			fmt.Fprintf(b, "\tif x == 1 {\n")
			if !deferred {
				fmt.Fprintf(b, "\t\t%s.Unlock()\n", lock)
			}
			b.WriteString("\t\treturn x\n\t}\n")
		}
		steps()
		if !deferred {
			fmt.Fprintf(b, "\t%s.Unlock()\n", lock)
		}
		if odd(12) {
			fmt.Fprintf(b, "\t%s.Lock()\n\t%s++\n\t%s.Unlock()\n", lock, []string{p, q, w}[r.IntN(3)], lock)
		}
		b.WriteString("\treturn x\n}\n\n")
	}
	fmt.Fprintf(b, "func turnRelated%d(s *sums%d, x int) int {\n", n, n)
	for range 2 + r.IntN(2) {
		fmt.Fprintf(b, "\tx += %s(x)\n", call(fmt.Sprint("do", r.IntN(methods))))
	}
	b.WriteString("\treturn x\n}\n\n")
	fmt.Fprintf(b, "func TestRelated%d(t *testing.T) {\n\ts := new(sums%d)\n", n, n)
	if odd(8) {
		fmt.Fprintf(b, "\t%s = 1\n", p)
	}
	for range 2 {
		fmt.Fprintf(b, "\tgo turnRelated%d(s, %d)\n", n, r.IntN(4))
	}
	fmt.Fprintf(b, "\tturnRelated%d(s, %d)\n}\n\n", n, r.IntN(4))
}

// isOf reports whether a number is one of the program with a function turnRelated and its number.
func isOf(t fragment.Term, turn string) bool {
	n := strings.TrimPrefix(turn, "turnRelated")
	if t.Variable != nil {
		return strings.TrimRight(t.Variable.Name(), "pqw") == "v"+n
	}
	return types.TypeString(t.Field.Struct, func(*types.Package) string { return "" }) == "sums"+n
}

// TestRelated checks contexts in which sums of numbers are known, since nobody holds their lock.
func TestRelated(t *testing.T) {
	var text strings.Builder
	text.WriteString("package related\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc small(x int) int {\n\tif x > 9 {\n\t\tpanic(\"large\")\n\t}\n\truntime.Gosched()\n\treturn x & 3\n}\n\n")
	programs := 0
	for seed := range sample.Of(200, 20, 6) {
		relatedProgram(&text, uint64(seed))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "related", map[string]string{"related_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.unlocked = true
	r := rand.New(rand.NewPCG(1, 1))
	contexts, related := 0, 0
	for i := range f.within {
		target := &f.within[i]
		turn := target.Func.Pkg.Func("turn" + strings.TrimPrefix(target.Func.Name(), "Test"))
		var list []ssa.Instruction
		for _, fn := range f.calledBy(&load.Target{Func: turn}) {
			list = append(list, instructions(fn)...)
		}
		for range 6 {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if r.IntN(3) == 0 {
				places = append(places, list[r.IntN(len(list))])
			}
			if !f.check(t, target, places, r, 6) {
				continue
			}
			contexts++
			var stacks [][]ssa.Instruction
			for _, at := range places {
				stacks = append(stacks, []ssa.Instruction{at})
			}
			c, err := initial.New(t.Context(), f.analysis, stacks, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(c.Relations, func(r fragment.Relation) bool { return isOf(r.Terms[0], turn.Name()) }) {
				related++
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d contexts with relations", related)
	if contexts < programs/2 || related == 0 {
		t.Errorf("%d contexts were reached in %d programs, %d of them with relations", contexts, programs, related)
	}
}
