package contexts

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// A roundForm is where the barrier of a program keeps what it counts with.
type roundForm struct {
	fields                                        string // before the names of its variables
	call                                          string // of the barrier
	parameter, argument                           string // of functions that come to it
	mu, all, waiting, generation, parties, global string
}

// roundProgram writes a test of goroutines that go through a loop together, with a barrier in it,
// or that do not quite: there are more of them than the barrier waits for, also such as are started
// through an interface, some pass it more often, or leave the loop. The barrier counts with package
// variables or is a struct, of which there may be several, or which waits for another number than
// it was made for.
func roundProgram(b *strings.Builder, seed uint64, inStruct bool) {
	r := rand.New(rand.NewPCG(seed, 19))
	n := seed
	odd := func(k int) bool { return r.IntN(k) == 0 }
	form := roundForm{
		call: fmt.Sprintf("barrier%d()", n), mu: fmt.Sprint("mu", n), all: fmt.Sprint("all", n), waiting: fmt.Sprint("waiting", n), generation: fmt.Sprint("generation", n),
		global: fmt.Sprint("parties", n),
	}
	const workers = 2
	parties, started := form.global, form.global
	if variable := odd(2); !variable {
		parties, started = fmt.Sprint(workers), fmt.Sprint(workers)
	}
	given := parties
	if inStruct {
		form = roundForm{
			call: "b.wait()", parameter: fmt.Sprintf("b *barrier%d, ", n), argument: "b, ", mu: "b.mu", all: "b.all", waiting: "b.waiting", generation: "b.generation",
			global: form.global,
		}
		parties = "b.parties"
		fmt.Fprintf(b, "type barrier%d struct {\n\tmu sync.Mutex\n\tall sync.Cond\n\tparties, waiting, generation int\n}\n\n", n)
		fmt.Fprintf(b, "func newBarrier%d(parties int) *barrier%d {\n\tb := &barrier%d{parties: parties}\n\tb.all.L = &b.mu\n\treturn b\n}\n\n", n, n, n)
		fmt.Fprintf(b, "var parties%d, turns%d int\n\nfunc (b *barrier%d) wait() {\n", n, n, n)
	} else {
		fmt.Fprintf(b, "var (\n\tmu%d sync.Mutex\n\tall%d = sync.Cond{L: &mu%d}\n\twaiting%d, generation%d, parties%d, turns%d int\n)\n\nfunc barrier%d() {\n", n, n, n, n, n, n, n, n)
	}
	if odd(8) {
		started = fmt.Sprint(workers + 1)
	}
	full, waits := fmt.Sprintf("%s == %s", form.waiting, parties), fmt.Sprintf("\t\tfor before == %s {\n\t\t\t%s.Wait()\n\t\t}\n", form.generation, form.all)
	resets := fmt.Sprintf("\t\t%s = 0\n\t\t%s++\n\t\t%s.Broadcast()\n", form.waiting, form.generation, form.all)
	fmt.Fprintf(b, "\t%s.Lock()\n\tbefore := %s\n\t%s++\n", form.mu, form.generation, form.waiting)
	switch {
	case inStruct && odd(8): // it lets go on alone
		fmt.Fprintf(b, "\tif %s != %s {\n%s\t} else {\n%s\t}\n", form.waiting, parties, resets, waits)
	case !inStruct || odd(2):
		fmt.Fprintf(b, "\tif %s {\n%s\t} else {\n%s\t}\n", full, resets, waits)
	case odd(2):
		fmt.Fprintf(b, "\tif %s < %s {\n%s\t} else {\n%s\t}\n", form.waiting, parties, waits, resets)
	default:
		fmt.Fprintf(b, "\tif %s > %s {\n\t\tpanic(\"too many\")\n\t}\n\tif %s {\n%s\t} else {\n%s\t}\n", form.waiting, parties, full, resets, waits)
	}
	fmt.Fprintf(b, "\t%s.Unlock()\n}\n\n", form.mu)
	pass := func(indent string) string {
		switch r.IntN(12) {
		case 0:
			return fmt.Sprintf("%sif x > 1 {\n%s\t%s\n%s}\n", indent, indent, form.call, indent)
		case 1:
			return fmt.Sprintf("%sfor range 2 {\n%s\t%s\n%s}\n", indent, indent, form.call, indent)
		case 2:
			return fmt.Sprintf("%shelp%d(%sx)\n", indent, n, form.argument)
		case 3:
			return fmt.Sprintf("%sif x > 1 {\n%s\t%s\n%s} else {\n%s\t%s\n%s}\n", indent, indent, form.call, indent, indent, form.call, indent)
		}
		return fmt.Sprintf("%s%s\n", indent, form.call)
	}
	fmt.Fprintf(b, "func help%d(%sx int) {\n", n, form.parameter)
	if odd(3) {
		fmt.Fprintf(b, "\t%s\n", form.call)
	}
	fmt.Fprintf(b, "\t%s\n}\n\n", form.call)
	fmt.Fprintf(b, "func turn%d(%sx int) int {\n", n, form.parameter)
	if odd(3) {
		b.WriteString(pass("\t"))
	}
	b.WriteString([]string{"\tfor i := range 3 {\n", "\tfor i := 1; i < turns" + fmt.Sprint(n) + "; i++ {\n", "\tfor i := 0; i < 6; i += 2 {\n", "\tfor i := x; i < x+3; i++ {\n", "\tfor k := uint8(0); k < 3; k++ {\n\t\ti := int(k)\n"}[r.IntN(5)])
	b.WriteString("\t\tx += i & 1\n" + pass("\t\t") + "\t\tx += i\n")
	if odd(6) {
		b.WriteString("\t\tif x > 2 {\n\t\t\tcontinue\n\t\t}\n")
	}
	if odd(2) {
		b.WriteString(pass("\t\t") + "\t\tx -= i\n")
	}
	if odd(8) {
		b.WriteString("\t\tif i > x {\n\t\t\tbreak\n\t\t}\n")
	}
	b.WriteString("\t}\n")
	if odd(3) {
		b.WriteString(pass("\t"))
	}
	b.WriteString("\treturn x\n}\n\n")
	field, value := "", ""
	if inStruct {
		field, value = fmt.Sprintf("\tb *barrier%d\n", n), "b, "
	}
	argument := strings.ReplaceAll(form.argument, "b", "w.b")
	fmt.Fprintf(b, "type worker%d struct {\n%s\tx int\n}\n\nfunc (w worker%d) run() { turn%d(%sw.x) }\n\n", n, field, n, n, argument)
	fmt.Fprintf(b, "func run%d() {\n\tvar wg sync.WaitGroup\n", n)
	if inStruct {
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(b, "\tb := &barrier%d{parties: %s}\n\tb.all.L = &b.mu\n", n, given)
		case 1:
			fmt.Fprintf(b, "\tvar of barrier%d\n\tb := &of\n\tb.parties, b.all.L = %s, &b.mu\n", n, given)
		default:
			fmt.Fprintf(b, "\tb := newBarrier%d(%s)\n", n, given)
		}
		if odd(8) {
			fmt.Fprintf(b, "\tparties%d++\n", n)
		}
	}
	switch r.IntN(5) {
	case 0:
		fmt.Fprintf(b, "\tfor i := range %s {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tturn%d(%si)\n\t\t}()\n\t}\n", started, n, form.argument)
	case 1:
		fmt.Fprintf(b, "\tfor range %s {\n\t\tgo turn%d(%s1)\n\t}\n", started, n, form.argument)
	case 2:
		second := form.argument
		if inStruct && odd(3) {
			second = fmt.Sprintf("newBarrier%d(1), ", n)
		} else if inStruct && odd(2) {
			fmt.Fprintf(b, "\tother := &barrier%d{parties: 1}\n\tother.all.L = &other.mu\n", n)
			second = "other, "
		}
		fmt.Fprintf(b, "\tgo turn%d(%s0)\n\tgo turn%d(%s2)\n", n, form.argument, n, second)
	case 3:
		fmt.Fprintf(b, "\tgo worker%d{%s0}.run()\n\tgo worker%d{%s2}.run()\n", n, value, n, value)
		if odd(2) {
			fmt.Fprintf(b, "\tvar third interface{ run() } = worker%d{%s1}\n\tgo third.run()\n", n, value)
		}
	default:
		fmt.Fprintf(b, "\tfor i := range %s {\n\t\twg.Go(func() { turn%d(%si) })\n\t}\n", started, n, form.argument)
	}
	if odd(8) {
		fmt.Fprintf(b, "\tturn%d(%s1)\n", n, form.argument)
	}
	if inStruct && odd(12) {
		b.WriteString("\tb.parties = 1\n")
	}
	b.WriteString("\twg.Wait()\n}\n\n")
	fmt.Fprintf(b, "func TestRounds%d(t *testing.T) {\n\tparties%d, turns%d = %d, 3\n\trun%d()\n", n, n, n, workers, n)
	if odd(8) {
		fmt.Fprintf(b, "\trun%d()\n", n)
	}
	if odd(8) {
		fmt.Fprintf(b, "\tparties%d = 1\n", n)
	}
	b.WriteString("\tfor range 3 {\n\t\truntime.Gosched()\n\t}\n}\n\n")
}

const thirdTarget = "TestRoundsThird"

// thirdThroughInterface is a test, thirdTarget, of three goroutines at a barrier for two, of which
// one is started through an interface: two that meet there need not be in the same iteration.
const thirdThroughInterface = `
var (
	mu                  sync.Mutex
	all                 = sync.Cond{L: &mu}
	waiting, generation int
)

func barrier() {
	mu.Lock()
	before := generation
	waiting++
	if waiting == 2 {
		waiting = 0
		generation++
		all.Broadcast()
	} else {
		for before == generation {
			all.Wait()
		}
	}
	mu.Unlock()
}

func turnThird(x int) int {
	for i := range 3 {
		x += i & 1
		barrier()
		x += i
	}
	return x
}

type workerThird int

func (w workerThird) run() { turnThird(int(w)) }

func TestRoundsThird(t *testing.T) {
	go workerThird(0).run()
	go workerThird(2).run()
	var third interface{ run() } = workerThird(1)
	go third.run()
	for range 3 {
		runtime.Gosched()
	}
}
`

// aloneInStruct is a test of goroutines at a barrier that is the only one of its type, so that
// something is known of any two places in their loop.
const aloneInStruct = `
type barrierAlone struct {
	mu                           sync.Mutex
	all                          *sync.Cond
	parties, waiting, generation int
}

func newBarrierAlone(parties int) *barrierAlone {
	b := &barrierAlone{parties: parties}
	b.all = sync.NewCond(&b.mu)
	return b
}

func (b *barrierAlone) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.generation
	b.waiting++
	if b.waiting > b.parties {
		panic("too many")
	}
	if b.waiting == b.parties {
		b.waiting = 0
		b.generation++
		b.all.Broadcast()
		return
	}
	for before == b.generation {
		b.all.Wait()
	}
}

func turnAlone(b *barrierAlone, x int) int {
	for i := range 3 {
		x += i
		b.wait()
		x -= i
	}
	return x
}

func runAlone(workers int) {
	b := newBarrierAlone(workers)
	for i := range workers {
		go turnAlone(b, i)
	}
}

func TestRoundsAlone(t *testing.T) {
	runAlone(2)
	for range 3 {
		runtime.Gosched()
	}
}
`

// TestRounds checks contexts of two goroutines that go through loops together: if it is known that
// they are in the same iteration, they are.
func TestRounds(t *testing.T) {
	var text strings.Builder
	text.WriteString("package rounds\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	programs := 0
	for seed := range sample.Of(300, 30, 6) {
		roundProgram(&text, uint64(seed), seed%2 == 1)
		programs++
	}
	text.WriteString(thirdThroughInterface + aloneInStruct)
	programs += 2
	dir := t.TempDir()
	if err := suite.Write(dir, "rounds", map[string]string{"rounds_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.absent = ").wait"
	r := rand.New(rand.NewPCG(1, 1))
	contexts, together, structs, apart := 0, 0, 0, 0
	for i := range f.within {
		target := &f.within[i]
		turn := target.Func.Pkg.Func("turn" + strings.TrimPrefix(target.Func.Name(), "TestRounds"))
		list := instructions(turn)
		if target.Name == thirdTarget {
			for _, at := range list {
				c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{{at}, {at}}, initial.Options{Variables: f.variables})
				if err != nil {
					t.Fatal(err)
				}
				if c.Rounds != nil {
					t.Errorf("%s: %v: two of three goroutines are said to be in the same iteration", target.Name, describe([]ssa.Instruction{at}))
				}
			}
		}
		for range 8 {
			places := []ssa.Instruction{list[r.IntN(len(list))], list[r.IntN(len(list))]}
			c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{places[:1], places[1:]}, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			if reached := f.check(t, target, places, r, 8); !reached {
				continue
			} else if strings.Contains(c.Excluded, "go on together") {
				t.Errorf("%s: %v: %s, but a run comes there", target.Name, describe(places), c.Excluded)
			}
			contexts++
			if c.Rounds == nil {
				continue
			}
			together++
			if turn.Signature.Params().Len() == 2 {
				structs++
			}
			for _, known := range c.Rounds {
				for _, round := range known {
					if round.Add != 0 {
						apart++
					}
				}
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d contexts of goroutines that go on together, %d of them with a barrier in a struct; %d variables of loops are ahead of others", together, structs, apart)
	if contexts < programs/2 || structs == 0 || structs == together || together == contexts {
		t.Errorf("%d contexts were reached in %d programs, %d of them of goroutines that go on together", contexts, programs, together)
	}
}
