package contexts

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
)

// conditionProgram writes a test whose goroutines wait at conditions. The condition is a part of
// the struct that has its lock, a pointer from there, or one whose lock is somewhere else.
func conditionProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	kind := r.IntN(3)
	name := fmt.Sprintf("box%d", seed)
	fmt.Fprintf(b, "type %s struct {\n\tmu sync.Mutex\n\tother *sync.Mutex\n\tcond %s\n\tn, m int\n}\n\n", name, []string{"*sync.Cond", "sync.Cond", "*sync.Cond"}[kind])
	fmt.Fprintf(b, "func new%s() *%s {\n\tb := &%s{other: new(sync.Mutex)}\n", name, name, name)
	switch kind {
	case 0:
		b.WriteString("\tb.cond = sync.NewCond(&b.mu)\n")
	case 1:
		b.WriteString("\tb.cond.L = &b.mu\n")
	default:
		b.WriteString("\tb.cond = sync.NewCond(b.other)\n")
	}
	b.WriteString("\treturn b\n}\n\n")
	lock := []string{"b.mu", "b.mu", "b.other"}[kind]
	methods := 2 + r.IntN(2)
	for i := range methods {
		fmt.Fprintf(b, "func (b *%s) do%d(x int) int {\n", name, i)
		also := kind == 2 && r.IntN(2) == 0
		if also {
			b.WriteString("\tb.mu.Lock()\n")
		}
		fmt.Fprintf(b, "\t%s.Lock()\n", lock)
		if r.IntN(2) == 0 {
			fmt.Fprintf(b, "\tdefer %s.Unlock()\n", lock)
		} else {
			fmt.Fprintf(b, "\tx += %d\n\tdefer func() { b.m++; %s.Unlock() }()\n", r.IntN(4), lock)
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(b, "\tb.m = x + %d\n", r.IntN(3))
		}
		fmt.Fprintf(b, "\t%s b.n < %d {\n", []string{"for", "if"}[r.IntN(2)], 1+r.IntN(2))
		if r.IntN(3) == 0 {
			b.WriteString("\t\tb.m++\n")
		}
		b.WriteString("\t\tb.cond.Wait()\n")
		if r.IntN(2) == 0 {
			b.WriteString("\t\tx++\n")
		}
		b.WriteString("\t}\n")
		if also {
			b.WriteString("\tb.mu.Unlock()\n")
		}
		fmt.Fprintf(b, "\tb.n -= %d\n\treturn x + b.m\n}\n\n", r.IntN(2))
	}
	fmt.Fprintf(b, "func (b *%s) put() {\n\t%s.Lock()\n\tb.n++\n\tb.cond.%s()\n\t%s.Unlock()\n}\n\n", name, lock, []string{"Signal", "Broadcast"}[r.IntN(2)], lock)
	fmt.Fprintf(b, "func TestConditions%d(t *testing.T) {\n\tb := new%s()\n\tvar wg sync.WaitGroup\n", seed, name)
	for range 2 + r.IntN(2) {
		fmt.Fprintf(b, "\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tb.do%d(%d)\n\t}()\n", r.IntN(methods), r.IntN(3))
	}
	for range 1 + r.IntN(3) {
		b.WriteString("\tb.put()\n")
	}
	b.WriteString("\twg.Wait()\n}\n\n")
}

// TestConditions checks contexts of generated programs in which a goroutine waits at a condition,
// beside another one or alone.
func TestConditions(t *testing.T) {
	var text strings.Builder
	text.WriteString("package conditions\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	programs := 0
	for seed := range sample.Of(200, 16, 4) {
		conditionProgram(&text, uint64(seed))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "conditions", map[string]string{"conditions_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	contexts := 0
	for i := range f.within {
		target := &f.within[i]
		waits, others := f.waits(target)
		for range 4 {
			stacks := [][]ssa.Instruction{waits[r.IntN(len(waits))]}
			if r.IntN(2) == 0 {
				stacks = append(stacks, []ssa.Instruction{others[r.IntN(len(others))]})
			}
			if f.checkStacks(t, target, stacks, r, 6) {
				contexts++
			}
		}
	}
	f.report(t, contexts)
	if contexts < programs/2 || f.waiting == 0 {
		t.Errorf("%d contexts were reached in %d programs, with %d waiters", contexts, programs, f.waiting)
	}
}

// waits returns the stacks of goroutines that wait at conditions in what a target calls, and where others can be.
func (f *fixture) waits(target *load.Target) (waits [][]ssa.Instruction, others []ssa.Instruction) {
	list := f.calledBy(target)
	for _, lit := range target.Func.AnonFuncs {
		list = append(list, f.calledBy(&load.Target{Func: lit})...)
	}
	for _, fn := range list {
		for _, at := range instructions(fn) {
			others = append(others, at)
			call, ok := at.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil || call.Call.StaticCallee().String() != "(*sync.Cond).Wait" {
				continue
			}
			for _, b := range f.analysis.Calls().Of(call.Call.StaticCallee()).Body.Blocks {
				for _, inner := range b.Instrs {
					if stack := []ssa.Instruction{inner, at}; fragment.Waits(stack) {
						waits = append(waits, stack)
					}
				}
			}
		}
	}
	return waits, others
}
