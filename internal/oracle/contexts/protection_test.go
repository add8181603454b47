package contexts

import (
	"fmt"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// protectedProgram writes a test whose goroutines change numbers that a lock protects, or does so
// but in one place: in a struct with all kinds of synchronisation, and in package variables.
func protectedProgram(b *strings.Builder, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 17))
	n := seed
	odd := func(k int) bool { return r.IntN(k) == 0 }
	lock := []string{"sync.Mutex", "sync.RWMutex"}[r.IntN(2)]
	fmt.Fprintf(b, "type store%d struct {\n\tmu %s\n\tcond sync.Cond\n\twg sync.WaitGroup\n\tch chan int\n\tinner struct{ n int8 }\n\tn, m, limit, waiting int\n\tk int8\n\tof [3]int\n}\n\n", n, lock)
	fmt.Fprintf(b, "var (\n\tmu%d sync.Mutex\n\ta%d, c%d int\n)\n\n", n, n, n)
	fmt.Fprintf(b, "func newStore%d(limit int) *store%d {\n\ts := &store%d{limit: limit, ch: make(chan int, 2)}\n\ts.cond.L = &s.mu\n\treturn s\n}\n\n", n, n, n)
	field := func() string {
		return []string{"s.n", "s.m", "s.inner.n", "s.k", fmt.Sprint("a", n), fmt.Sprint("c", n)}[r.IntN(6)]
	}
	block := func(depth int) {}
	block = func(depth int) {
		for range 1 + r.IntN(3) {
			x := field()
			y := x
			switch k := 1 + r.IntN(4); r.IntN(9) {
			case 0:
				fmt.Fprintf(b, "\tif %s < %d {\n\t\t%s++\n\t}\n", x, k, y)
			case 1:
				fmt.Fprintf(b, "\t%s++\n\tif %s >= %d {\n\t\t%s = 0\n\t}\n", x, y, k, y)
			case 2:
				fmt.Fprintf(b, "\tif %s > 0 {\n\t\t%s--\n\t}\n", x, y)
			case 3:
				fmt.Fprintf(b, "\t%s = %d\n", x, k)
			case 4:
				fmt.Fprintf(b, "\t%s = (%s + 1) %% %d\n", x, x, k)
			case 5:
				fmt.Fprintf(b, "\tx += int(%s)\n", x)
			case 6:
				fmt.Fprintf(b, "\ts.of[x&1] = int(%s)\n", x)
			case 7:
				if depth > 0 {
					b.WriteString("\tif x > 1 {\n")
					block(depth - 1)
					b.WriteString("\t}\n")
				} else {
					b.WriteString("\truntime.Gosched()\n")
				}
			default:
				fmt.Fprintf(b, "\tif v := %s; v < %d {\n\t\truntime.Gosched()\n\t\t%s = v + 1\n\t}\n", x, k, y)
			}
		}
	}
	fmt.Fprintf(b, "func (s *store%d) help(x int) int {\n", n)
	if odd(4) {
		fmt.Fprintf(b, "\t%s++\n", field())
	}
	if odd(4) {
		b.WriteString("\ts.mu.Unlock()\n\truntime.Gosched()\n\ts.mu.Lock()\n")
	}
	b.WriteString("\treturn x + 1\n}\n\n")
	methods := 2 + r.IntN(2)
	for i := range methods {
		fmt.Fprintf(b, "func (s *store%d) do%d(x int) int {\n", n, i)
		if odd(3) {
			fmt.Fprintf(b, "\tx += int(%s)\n", field())
		}
		fmt.Fprintf(b, "\tmu%d.Lock()\n\ts.mu.Lock()\n", n)
		deferred := odd(3)
		if deferred {
			fmt.Fprintf(b, "\tdefer mu%d.Unlock()\n\tdefer s.mu.Unlock()\n", n)
		}
		block(1)
		switch r.IntN(6) {
		case 0:
			b.WriteString("\tx = s.help(x)\n")
		case 1:
			fmt.Fprintf(b, "\tif s.n < 2 && x < 3 {\n\t\tmu%d.Unlock()\n\t\ts.waiting++\n\t\tif s.waiting < 2 {\n\t\t\ts.cond.Wait()\n\t\t}\n\t\ts.waiting--\n\t\ts.mu.Unlock()\n\t\tmu%d.Lock()\n\t\ts.mu.Lock()\n\t}\n", n, n)
		case 2:
			b.WriteString("\ts.mu.Unlock()\n\ts.mu.Lock()\n")
		}
		block(1)
		b.WriteString("\ts.cond.Broadcast()\n")
		if !deferred {
			fmt.Fprintf(b, "\ts.mu.Unlock()\n\tmu%d.Unlock()\n", n)
		}
		if odd(8) {
			fmt.Fprintf(b, "\t%s = 3\n", field())
		}
		if odd(8) {
			fmt.Fprintf(b, "\tp := &s.m\n\t*p = x\n")
		}
		b.WriteString("\treturn x\n}\n\n")
	}
	fmt.Fprintf(b, "func turn%d(s *store%d, x int) int {\n\tdefer s.wg.Done()\n\ts.ch <- x\n", n, n)
	for range 1 + r.IntN(2) {
		fmt.Fprintf(b, "\tx += s.do%d(x)\n", r.IntN(methods))
	}
	b.WriteString("\t<-s.ch\n\treturn x\n}\n\n")
	fmt.Fprintf(b, "func TestProtected%d(t *testing.T) {\n\ts := newStore%d(%d)\n", n, n, 1+r.IntN(3))
	if odd(2) {
		fmt.Fprintf(b, "\t%s = 2\n", field())
	}
	for range 2 + r.IntN(2) {
		fmt.Fprintf(b, "\ts.wg.Add(1)\n\tgo turn%d(s, %d)\n", n, r.IntN(4))
	}
	if odd(3) {
		fmt.Fprintf(b, "\ts.do0(s.limit)\n")
	}
	b.WriteString("\tfor range 4 {\n\t\truntime.Gosched()\n\t\ts.cond.Broadcast()\n\t}\n}\n\n")
}

// ringProgram is a test with an index that is one too many for a moment, in which goroutines can be.
const ringProgram = `
type ring struct {
	mu sync.Mutex
	next int
	of [3]int
}

func (r *ring) put(x int) {
	r.mu.Lock()
	r.of[r.next] = x
	r.next++
	runtime.Gosched()
	if r.next == 3 {
		r.next = 0
	}
	r.mu.Unlock()
}

func turnRing(r *ring) {
	for i := range 3 {
		r.put(i)
	}
}

func TestProtectedRing(t *testing.T) {
	r := new(ring)
	go turnRing(r)
	turnRing(r)
}
`

// TestProtected checks contexts of goroutines that hold locks, or not: what these protect is within
// its bounds, and what they have read there stays.
func TestProtected(t *testing.T) {
	var text strings.Builder
	text.WriteString("package protected\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"testing\"\n)\n\n")
	text.WriteString(ringProgram)
	programs := 0
	for seed := range sample.Of(200, 16, 4) {
		protectedProgram(&text, uint64(seed))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "protected", map[string]string{"protected_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.unlocked = true
	r := rand.New(rand.NewPCG(1, 1))
	contexts, bounded, held := 0, 0, 0
	for i := range f.within {
		target := &f.within[i]
		turn := target.Func.Pkg.Func("turn" + strings.TrimPrefix(target.Func.Name(), "TestProtected"))
		var list []ssa.Instruction
		for _, fn := range f.calledBy(&load.Target{Func: turn}) {
			list = append(list, instructions(fn)...)
		}
		ring := strings.Count(turn.Name(), "Ring")
		for range 6 + ring*len(list) {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if r.IntN(3) == 0 {
				places = append(places, list[r.IntN(len(list))])
			}
			if !f.check(t, target, places, r, 8) {
				continue
			}
			contexts++
			c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{places[:1]}, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			bounded += len(c.Bounds)
			for at := range c.Memory[0][0].Holds {
				if load, ok := at.(*ssa.UnOp); ok && load.Op == token.MUL {
					held++
				}
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d bounds, %d reads still hold", bounded, held)
	if contexts < programs/2 || bounded < contexts || held == 0 {
		t.Errorf("%d contexts were reached in %d programs, with %d bounds, and %d reads that still hold", contexts, programs, bounded, held)
	}
}
