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

// roundProgram writes a test of goroutines that go through a loop together, with a barrier in it, or that do not quite: there are more of them than the barrier
// waits for, also such as are started through an interface, some pass it more often, or leave the loop.
func roundProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 19))
	n := seed
	odd := func(k int) bool { return r.IntN(k) == 0 }
	fmt.Fprintf(b, "var (\n\tmu%d sync.Mutex\n\tall%d = sync.Cond{L: &mu%d}\n\twaiting%d, generation%d, parties%d, turns%d int\n)\n\n", n, n, n, n, n, n, n)
	parties := fmt.Sprint("parties", n)
	started := "parties" + fmt.Sprint(n)
	const workers = 2
	variable := odd(2)
	if !variable {
		parties, started = fmt.Sprint(workers), fmt.Sprint(workers)
	}
	if odd(6) {
		started = fmt.Sprint(workers + 1)
	}
	fmt.Fprintf(b, "func barrier%d() {\n\tmu%d.Lock()\n\tbefore := generation%d\n\twaiting%d++\n\tif waiting%d == %s {\n\t\twaiting%d = 0\n\t\tgeneration%d++\n\t\tall%d.Broadcast()\n\t} else {\n\t\tfor before == generation%d {\n\t\t\tall%d.Wait()\n\t\t}\n\t}\n\tmu%d.Unlock()\n}\n\n",
		n, n, n, n, n, parties, n, n, n, n, n, n)
	pass := func(indent string) string {
		switch r.IntN(12) {
		case 0:
			return fmt.Sprintf("%sif x > 1 {\n%s\tbarrier%d()\n%s}\n", indent, indent, n, indent)
		case 1:
			return fmt.Sprintf("%sfor range 2 {\n%s\tbarrier%d()\n%s}\n", indent, indent, n, indent)
		case 2:
			return fmt.Sprintf("%shelp%d(x)\n", indent, n)
		case 3:
			return fmt.Sprintf("%sif x > 1 {\n%s\tbarrier%d()\n%s} else {\n%s\tbarrier%d()\n%s}\n", indent, indent, n, indent, indent, n, indent)
		}
		return fmt.Sprintf("%sbarrier%d()\n", indent, n)
	}
	fmt.Fprintf(b, "func help%d(x int) {\n", n)
	if odd(3) {
		fmt.Fprintf(b, "\tbarrier%d()\n", n)
	}
	fmt.Fprintf(b, "\tbarrier%d()\n}\n\n", n)
	fmt.Fprintf(b, "func turn%d(x int) int {\n", n)
	if odd(3) {
		b.WriteString(pass("\t"))
	}
	b.WriteString([]string{"\tfor i := range 3 {\n", "\tfor i := 1; i < turns" + fmt.Sprint(n) + "; i++ {\n", "\tfor i := 0; i < 6; i += 2 {\n", "\tfor i := x; i < x+3; i++ {\n"}[r.IntN(4)])
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
	fmt.Fprintf(b, "type worker%d int\n\nfunc (w worker%d) run() { turn%d(int(w)) }\n\n", n, n, n)
	fmt.Fprintf(b, "func run%d() {\n\tvar wg sync.WaitGroup\n", n)
	switch r.IntN(5) {
	case 0:
		fmt.Fprintf(b, "\tfor i := range %s {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tturn%d(i)\n\t\t}()\n\t}\n", started, n)
	case 1:
		fmt.Fprintf(b, "\tfor range %s {\n\t\tgo turn%d(1)\n\t}\n", started, n)
	case 2:
		fmt.Fprintf(b, "\tgo turn%d(0)\n\tgo turn%d(2)\n", n, n)
	case 3:
		fmt.Fprintf(b, "\tgo worker%d(0).run()\n\tgo worker%d(2).run()\n", n, n)
		if odd(2) {
			fmt.Fprintf(b, "\tvar third interface{ run() } = worker%d(1)\n\tgo third.run()\n", n)
		}
	default:
		fmt.Fprintf(b, "\tfor i := range %s {\n\t\twg.Go(func() { turn%d(i) })\n\t}\n", started, n)
	}
	if odd(8) {
		fmt.Fprintf(b, "\tturn%d(1)\n", n)
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

// thirdThroughInterface is a test, thirdTarget, of three goroutines at a barrier for two, of which one is started through an interface: two that
// meet there need not be in the same iteration.
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

// TestRounds checks contexts of two goroutines that go through loops together: if it is known that they are in the same iteration, they are.
func TestRounds(t *testing.T) {
	var text strings.Builder
	text.WriteString("package rounds\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	programs := 0
	for seed := range sample.Of(200, 20, 4) {
		roundProgram(&text, uint64(seed))
		programs++
	}
	text.WriteString(thirdThroughInterface)
	programs++
	dir := t.TempDir()
	if err := suite.Write(dir, "rounds", map[string]string{"rounds_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	contexts, together := 0, 0
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
			if c.Rounds != nil {
				together++
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d contexts of goroutines that go on together", together)
	if contexts < programs/2 || together == 0 || together == contexts {
		t.Errorf("%d contexts were reached in %d programs, %d of them of goroutines that go on together", contexts, programs, together)
	}
}
