package constraint

import (
	"fmt"
	"github.com/everyway-go/everyway/internal/strategy/con2colic/forest"
)

// Print prints the scenario that was checked last and its data constraint.
func (k *Checker) Print(p *forest.Printer) {
	k.view.print(p)
	k.data.print(p)
}

// print prints the scenario: its paths and interferences.
func (v *view) print(p *forest.Printer) {
	f, s := v.f, v.s
	fmt.Fprintf(p, "scenario of degree %d\n", s.Degree)
	for i := range v.paths {
		fmt.Fprintf(p, "  goroutine %s\n", p.Goroutine(s.Tips[i]))
		for _, n := range v.paths[i].nodes {
			mark := ""
			if n == s.Sink {
				mark = "   (sink)"
			}
			if w := s.Source(n, 0); w != 0 {
				mark = fmt.Sprintf("   (from %s event %d)%s", p.Goroutine(w), f.At(w).Index, mark)
			}
			fmt.Fprintf(p, "    %2d %s%s\n", f.At(n).Index, p.Event(n), mark)
		}
	}
}

// print prints the conjuncts of the constraint with their origins.
func (d *data) print(p *forest.Printer) {
	names := [...]string{branchOrigin: "branch", interfereOrigin: "interfere", localOrigin: "local"}
	fmt.Fprintln(p, "data constraint")
	for i, x := range d.conjuncts {
		fmt.Fprintf(p, "  %-9s %s\n", names[d.origins[i].kind], p.Forest.Arena.String(x))
	}
}

// Print prints the events in their order.
func (o *Order) Print(p *forest.Printer) {
	fmt.Fprintln(p, "order")
	for _, e := range o.Events {
		fmt.Fprintf(p, "  %s %s", p.Goroutine(e.Node), p.Event(e.Node))
		if e.Partner != 0 {
			fmt.Fprintf(p, " with %s %s", p.Goroutine(e.Partner), p.Event(e.Partner))
		}
		fmt.Fprintln(p)
	}
}
