package contexts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// barrierProgram writes a test of goroutines with a barrier. Some barriers let goroutines leave
// before they have been counted out.
func barrierProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 13))
	n := seed
	odd := func(k int) bool { return r.IntN(k) == 0 }
	fmt.Fprintf(b, "type barrier%d struct {\n\tmu, other sync.Mutex\n\tall sync.Cond\n\tparties, most, waiting, generation, rounds int\n\tbroken bool\n}\n\n", n)
	most := 2 * r.IntN(2) // of those who wait, or one panics, if it is asked
	fmt.Fprintf(b, "func newBarrier%d(parties int) *barrier%d {\n\tb := &barrier%d{parties: parties, most: %d}\n\tb.all.L = &b.mu\n\treturn b\n}\n\n", n, n, n, most)
	fmt.Fprintf(b, "func (b *barrier%d) wait() {\n\tb.mu.Lock()\n", n)
	deferred := odd(3)
	if deferred {
		b.WriteString("\tdefer b.mu.Unlock()\n")
	}
	b.WriteString("\tbefore := b.generation\n")
	if odd(8) {
		b.WriteString("\tb.mu.Unlock()\n\tb.mu.Lock()\n")
	}
	b.WriteString("\tb.waiting++\n")
	if odd(4) {
		b.WriteString("\tif b.waiting > b.most {\n\t\tpanic(\"too many\")\n\t}\n")
	}
	b.WriteString("\tif b.waiting == b.parties {\n")
	switch r.IntN(6) {
	case 0:
		b.WriteString("\t\tb.generation++\n\t\tb.waiting = 0\n")
	case 1:
		b.WriteString("\t\tb.waiting = 0\n\t\tb.rounds++\n\t\tb.generation--\n")
	case 2:
		b.WriteString("\t\tb.generation++\n\t\tb.all.Broadcast()\n\t\tb.mu.Unlock()\n\t\tb.mu.Lock()\n\t\tb.waiting = 0\n")
	default:
		b.WriteString("\t\tb.waiting = 0\n\t\tb.generation++\n")
	}
	b.WriteString("\t\tb.all.Broadcast()\n\t} else {\n")
	switch r.IntN(6) {
	case 0:
		b.WriteString("\t\tfor before == b.generation && !b.broken {\n\t\t\tb.all.Wait()\n\t\t}\n")
	case 1:
		b.WriteString("\t\tif before == b.generation {\n\t\t\tb.all.Wait()\n\t\t}\n")
	default:
		b.WriteString("\t\tfor b.generation == before {\n\t\t\tb.all.Wait()\n\t\t}\n")
	}
	b.WriteString("\t}\n")
	if !deferred {
		b.WriteString("\tb.mu.Unlock()\n")
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "func (b *barrier%d) disturb() {\n\tb.mu.Lock()\n\tdefer b.mu.Unlock()\n", n)
	switch r.IntN(8) {
	case 0:
		b.WriteString("\tb.waiting++\n")
	case 1:
		b.WriteString("\tb.generation++\n\tb.all.Broadcast()\n")
	case 2:
		b.WriteString("\tb.broken = true\n\tb.all.Broadcast()\n")
	case 3:
		b.WriteString("\tb.waiting = 0\n\tb.generation++\n\tb.all.Broadcast()\n")
	case 4:
		b.WriteString("\tp := &b.waiting\n\t*p = 1\n")
	default:
		b.WriteString("\tb.all.Broadcast()\n")
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "func turn%d(b *barrier%d, x int) int {\n", n, n)
	if odd(6) {
		b.WriteString("\tdefer b.disturb()\n")
	}
	b.WriteString("\tfor i := range 2 {\n\t\tb.wait()\n\t\tx += i\n")
	if odd(3) {
		b.WriteString("\t\tb.disturb()\n")
	}
	b.WriteString("\t}\n\treturn x\n}\n\n")
	fmt.Fprintf(b, "func TestBarriers%d(t *testing.T) {\n\tb := newBarrier%d(2)\n\tvar wg sync.WaitGroup\n\tfor i := range 2 {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tturn%d(b, i)\n\t\t}()\n\t}\n", n, n, n)
	if odd(2) {
		b.WriteString("\tb.disturb()\n")
	}
	b.WriteString("\twg.Wait()\n}\n\n")
}

// TestBarriers checks contexts of goroutines that are not at a barrier, or in it: if the barrier is
// right, it counts nobody then, or no more than there are of them.
func TestBarriers(t *testing.T) {
	var text strings.Builder
	text.WriteString("package barriers\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	programs := 0
	for seed := range sample.Of(200, 20, 4) {
		barrierProgram(&text, uint64(seed))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "barriers", map[string]string{"barriers_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.absent = ").wait"
	r := rand.New(rand.NewPCG(1, 1))
	contexts, counting, bounded := 0, 0, 0
	for i := range f.within {
		target := &f.within[i]
		turn := target.Func.Pkg.Func("turn" + strings.TrimPrefix(target.Func.Name(), "TestBarriers"))
		list := instructions(turn)
		barrier := turn.Params[0].Type()
		inside := instructions(turn.Prog.LookupMethod(barrier, turn.Pkg.Pkg, "wait"))
		for k := range 8 {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if k%2 == 1 {
				places[0] = inside[r.IntN(len(inside))]
			}
			if r.IntN(2) == 0 {
				places = append(places, list[r.IntN(len(list))])
			}
			if k%4 == 3 {
				places = append(places, inside[r.IntN(len(inside))])
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
			if len(c.Zero) > 0 {
				counting++
			}
			if slices.Contains(c.Assumes, "nobody else waits in wait") {
				bounded++
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d contexts with a number that is 0, %d of goroutines in a barrier that is known", counting, bounded)
	if contexts < programs/2 || counting == 0 || bounded == 0 || counting == contexts {
		t.Errorf("%d contexts were reached in %d programs, %d of them with a number that is 0, %d of goroutines in a barrier that is known", contexts, programs, counting, bounded)
	}
}
