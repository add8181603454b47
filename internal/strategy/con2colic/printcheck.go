package con2colic

import "fmt"

// print prints the scenario: its paths and interferences.
func (v *view) print(p *printer) {
	f, s := v.f, v.s
	fmt.Fprintf(p, "scenario of degree %d\n", s.degree)
	for i := range v.paths {
		fmt.Fprintf(p, "  goroutine %s\n", p.goroutine(s.tips[i]))
		for _, n := range v.paths[i].nodes {
			mark := ""
			if n == s.sink {
				mark = "   (sink)"
			}
			if w := s.source(n, 0); w != 0 {
				mark = fmt.Sprintf("   (from %s event %d)%s", p.goroutine(w), f.at(w).index, mark)
			}
			fmt.Fprintf(p, "    %2d %s%s\n", f.at(n).index, p.event(n), mark)
		}
	}
}

// print prints the constraint, conjunct by conjunct with its origin.
func (d *dataConstraint) print(p *printer) {
	names := [...]string{branchOrigin: "branch", interfereOrigin: "interfere", localOrigin: "local"}
	fmt.Fprintln(p, "data constraint")
	for i, x := range d.conj {
		fmt.Fprintf(p, "  %-9s %s\n", names[d.origins[i].kind], p.forest.arena.String(x))
	}
}

// print prints the events in their order.
func (o *eventOrder) print(p *printer) {
	fmt.Fprintln(p, "order")
	for _, e := range o.events {
		fmt.Fprintf(p, "  %s %s", p.goroutine(e.node), p.event(e.node))
		if e.partner != 0 {
			fmt.Fprintf(p, " with %s %s", p.goroutine(e.partner), p.event(e.partner))
		}
		fmt.Fprintln(p)
	}
}
