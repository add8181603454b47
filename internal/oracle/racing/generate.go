package racing

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source returns a package with n functions, and their names. The same seed gives the same package.
func Source(seed uint64, n int) (text string, names []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString(`package races

import "sync"

type Node struct {
	mu          sync.Mutex
	next, other *Node
	n           int
}

var last int
`)
	for i := range n {
		name := fmt.Sprintf("F%d", i)
		names = append(names, name)
		fmt.Fprintf(&b, "\nfunc %s(p, q *Node, k int) {\n\tif p == nil || q == nil {\n\t\treturn\n\t}\n\tvar wg sync.WaitGroup\n", name)
		for range 2 {
			b.WriteString("\twg.Go(func() {\n\t\tx := ")
			b.WriteString([]string{"p", "q"}[r.IntN(2)])
			b.WriteString("\n")
			for range 2 + r.IntN(2) {
				b.WriteString(statement(r))
			}
			b.WriteString("\t\t_ = x\n\t})\n")
		}
		b.WriteString("\twg.Wait()\n}\n")
	}
	return b.String(), names
}

// statement returns a statement about the variable x. Locks are released before the next one.
func statement(r *rand.Rand) string {
	text := []string{
		"x.n++",
		"last = x.n",
		"x.n = k",
		"if x.n > k {\n\t\t\tx.n = 0\n\t\t}",
		"if x.next != nil {\n\t\t\tx = x.next\n\t\t}",
		"if x.next != nil && x.next != x {\n\t\t\tx.next.n++\n\t\t}",
		"if x.other == x.next {\n\t\t\tx.n--\n\t\t}",
		"x.next = x.other",
		"if y := x.other; y != nil {\n\t\t\ty.n = x.n\n\t\t}",
		"x.other = &Node{next: x}",
	}[r.IntN(10)]
	switch r.IntN(4) {
	case 0, 1:
		return "\t\tx.mu.Lock()\n\t\tfunc(l *sync.Mutex) {\n\t\tdefer l.Unlock()\n\t\t" + text + "\n\t\t}(&x.mu)\n"
	case 2:
		return "\t\tp.mu.Lock()\n\t\t" + text + "\n\t\tp.mu.Unlock()\n"
	}
	return "\t\t" + text + "\n"
}
