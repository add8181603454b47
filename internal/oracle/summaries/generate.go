package summaries

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// header is what all functions need.
const header = `package generated

import "sync"

type Node struct {
	mu          sync.Mutex
	next, other *Node
	n, m        int
	small       int8
	keys        [2]int
	in          pair
}

type pair struct{ x, y uint16 }

var last int
`

// Source returns a package with n functions, and the names of those that are to be searched. The
// same seed gives the same package.
func Source(seed uint64, n int) (text string, names []string) {
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i))), id: i}
		name := fmt.Sprintf("F%d", i)
		names = append(names, name)
		for k := range 2 {
			fmt.Fprintf(&b, "\nfunc h%d_%d(p, q *Node, a, b int) int {\n", i, k)
			g.helpers = k
			g.block(&b, 3, 2)
			b.WriteString("\treturn a - b\n}\n")
		}
		g.helpers = 2
		fmt.Fprintf(&b, "\nfunc %s(p, q *Node, a, b int) {\n\tif a < -9 || a > 9 {\n\t\treturn\n\t}\n", name)
		if i%3 > 0 {
			g.block(&b, 5, 2)
			b.WriteString("\t_, _, _, _ = p, q, a, b\n}\n")
			continue
		}
		b.WriteString("\tif p == nil || q == nil {\n\t\treturn\n\t}\n\tvar wg sync.WaitGroup\n")
		for range 2 {
			fmt.Fprintf(&b, "\twg.Go(func() {\n\t\tp, q, a, b := p, q, a, b\n")
			text := fmt.Sprintf("\t\ta = h%d_%d(p, q, a, b)\n", i, g.r.IntN(2))
			if g.r.IntN(2) == 0 {
				text = "\t\tp.mu.Lock()\n" + text + "\t\tp.mu.Unlock()\n"
			}
			b.WriteString(text)
			b.WriteString("\t\t_, _, _, _ = p, q, a, b\n\t})\n")
		}
		b.WriteString("\twg.Wait()\n}\n")
	}
	return b.String(), names
}

// A generator generates statements.
type generator struct {
	r       *rand.Rand
	id      int
	helpers int // number of functions that can be called
	loops   int
}

// pick returns one of the texts.
func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }

// block writes n statements.
func (g *generator) block(b *strings.Builder, n, depth int) {
	for range n {
		g.statement(b, depth)
	}
}

// statement writes a statement.
func (g *generator) statement(b *strings.Builder, depth int) {
	p, q := g.pick("p", "q"), g.pick("p", "q")
	v, w := g.pick("a", "b"), g.pick("a", "b")
	switch k := g.r.IntN(16); {
	case k < 3 && depth > 0:
		cond := g.pick(v+" < "+w, v+" == 3", p+" == nil", p+" == "+q, p+" != nil && "+p+".next == "+q, p+" != nil && "+p+".n > "+v, v+" >= 0 && "+w+" != 1")
		fmt.Fprintf(b, "\tif %s {\n", cond)
		g.block(b, 1+g.r.IntN(2), depth-1)
		b.WriteString("\t} else {\n")
		g.block(b, g.r.IntN(2), depth-1)
		b.WriteString("\t}\n")
	case k == 3 && depth > 0:
		g.loops++
		i := fmt.Sprintf("i%d", g.loops)
		fmt.Fprintf(b, "\tfor %s := 0; %s < %s; %s++ {\n", i, i, g.pick("2", "3", "min("+v+", 3)"), i)
		g.block(b, 1, depth-1)
		b.WriteString("\t}\n")
	case k == 4 && g.helpers > 0:
		fmt.Fprintf(b, "\t%s = h%d_%d(%s, %s, %s, %s)\n", v, g.id, g.r.IntN(g.helpers), p, q, w, g.pick(v, "1"))
	case k == 5:
		fmt.Fprintf(b, "\tif %s != nil {\n\t\t%s = %s.%s\n\t}\n", q, p, q, g.pick("next", "other"))
	case k == 6:
		fmt.Fprintf(b, "\tif %s != nil {\n\t\t%s.%s = %s\n\t}\n", p, p, g.pick("next", "other"), g.pick(q, "nil", p, "&Node{n: "+v+", next: "+q+"}"))
	case k == 7 || k == 8:
		fmt.Fprintf(b, "\tif %s != nil {\n\t\t%s.%s\n\t}\n", p, p, g.pick("n = "+v, "m = "+v, "n++", "small = int8("+v+")", "keys[0] = "+v, "keys[1] = "+w, "in.x++", "in = pair{y: 3}", "m = "+p+".n", "keys[1] += "+p+".keys[0]"))
	case k == 9 || k == 10:
		fmt.Fprintf(b, "\tif %s != nil {\n\t\t%s = %s\n\t}\n", p, v, g.pick(p+".n", p+".m", "int("+p+".small)", p+".keys[0]", p+".keys[1]", "int("+p+".in.x)", p+".n - "+p+".keys[1]"))
	case k == 11:
		fmt.Fprintf(b, "\t%s = %s\n", v, g.pick(v+" + "+w, w+" * 2", v+" & 7", "-"+w, v+" ^ "+w, w+" << 1", v+" >> 1"))
	case k == 12:
		fmt.Fprintf(b, "\tif %s != 0 {\n\t\t%s = 7 / %s\n\t}\n", w, v, w)
	case k == 13:
		fmt.Fprintf(b, "\t%s, %s = %s, %s\n", p, q, q, p)
	case k == 14:
		fmt.Fprintf(b, "\tlast = %s\n", v)
	case k == 15:
		fmt.Fprintf(b, "\t%s = %s\n", v, g.pick("last", "min("+v+", "+w+")", "[2]int{"+v+", "+w+"}["+w+"&1]", "7 % ("+w+"&3 + 1)"))
	default:
		fmt.Fprintf(b, "\t%s++\n", v)
	}
}
