package con2colic

import (
	"fmt"
	"io"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Namer gives names to what operations are on.
type Namer func(object run.ObjectID, offset int32) string

// Dump writes the interference forest as it is now: the local paths of each
// goroutine, indented where they part. A dangling node, which no run has shown,
// has a question mark.
func (c *Strategy) Dump(w io.Writer, name Namer) error {
	if c.forest == nil {
		return nil
	}
	p := printer{f: c.forest, name: name}
	p.tree(root)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A printer prints parts of a forest.
type printer struct {
	f    *forest
	name Namer
	b    strings.Builder
}

// tree prints the paths of the goroutine that begins with start, and then those of
// the goroutines that it spawns.
func (p *printer) tree(start nodeID) {
	fmt.Fprintf(&p.b, "goroutine %s\n", p.goroutine(start))
	var starts []nodeID
	p.path(start, "  ", &starts)
	for _, s := range starts {
		p.tree(s)
	}
}

// path prints n and what comes after it in its goroutine.
func (p *printer) path(n nodeID, indent string, starts *[]nodeID) {
	f := p.f
	for {
		mark := " "
		if !f.at(n).seen && n != root {
			mark = "?"
		}
		fmt.Fprintf(&p.b, "%s%s%s\n", indent, mark, p.event(n))
		var next []nodeID
		for c := f.at(n).first; c != 0; c = f.at(c).sibling {
			if f.at(c).goroutine == f.at(n).goroutine {
				next = append(next, c)
			} else {
				*starts = append(*starts, c)
			}
		}
		if len(next) != 1 {
			for i, c := range next {
				if i > 0 {
					fmt.Fprintf(&p.b, "%s or\n", indent)
				}
				p.path(c, indent+"  ", starts)
			}
			return
		}
		n = next[0]
	}
}

// goroutine returns the name of n's goroutine: its place among the goroutines
// that the one above it has spawned on the way.
func (p *printer) goroutine(n nodeID) string {
	f := p.f
	spawn := f.at(f.at(n).start).parent
	if spawn == 0 {
		return "0"
	}
	nth := 0
	for m := spawn; m != 0 && f.at(m).goroutine == f.at(spawn).goroutine; m = f.at(m).parent {
		if f.at(m).op == schedule.Spawn {
			nth++
		}
	}
	return fmt.Sprintf("%s.%d", p.goroutine(spawn), nth)
}

// event returns what n does.
func (p *printer) event(n nodeID) string {
	f := p.f
	e := f.at(n)
	s := e.op.String()
	if e.selects && e.op != schedule.SelectDefault {
		s = fmt.Sprintf("select case %d %s", e.alt, s)
	}
	if e.loc != 0 {
		s += " " + p.name(e.object, e.offset)
	}
	for _, x := range f.partsOf(n) {
		if x.readSym != expr.None {
			s += " -> " + f.arena.String(x.readSym)
		}
		switch {
		case !x.known || !writes(e.op) && e.op != schedule.Send:
		case x.wroteSym != expr.None:
			s += " <- " + f.arena.String(x.wroteSym)
		default:
			s += fmt.Sprintf(" <- %d", x.wrote)
		}
	}
	if e.cond != expr.None {
		s += " " + f.arena.String(e.cond)
	}
	return s
}

// scenario prints a scenario: the paths as far as they are visible operations and
// branches, and the interferences.
func (p *printer) scenario(s *scenario) {
	f := p.f
	var v view
	v.show(f, s)
	fmt.Fprintf(&p.b, "scenario of degree %d\n", s.degree)
	for i := range v.paths {
		fmt.Fprintf(&p.b, "  goroutine %s\n", p.goroutine(s.tips[i]))
		for _, n := range v.paths[i].nodes {
			mark := ""
			if n == s.sink {
				mark = "   (sink)"
			}
			if w := s.source(n, 0); w != 0 {
				mark = fmt.Sprintf("   (from %s event %d)%s", p.goroutine(w), f.at(w).index, mark)
			}
			fmt.Fprintf(&p.b, "    %2d %s%s\n", f.at(n).index, p.event(n), mark)
		}
	}
}

// data prints a data constraint, conjunct by conjunct with its origin.
func (p *printer) data(d *dataConstraint) {
	names := [...]string{branchOrigin: "branch", interfereOrigin: "interfere", localOrigin: "local"}
	fmt.Fprintln(&p.b, "data constraint")
	for i, x := range d.conj {
		fmt.Fprintf(&p.b, "  %-9s %s\n", names[d.origins[i].kind], p.f.arena.String(x))
	}
}

// order prints an order of events.
func (p *printer) order(o *eventOrder) {
	fmt.Fprintln(&p.b, "order")
	for _, e := range o.events {
		fmt.Fprintf(&p.b, "  %s %s", p.goroutine(e.node), p.event(e.node))
		if e.partner != 0 {
			fmt.Fprintf(&p.b, " with %s %s", p.goroutine(e.partner), p.event(e.partner))
		}
		fmt.Fprintln(&p.b)
	}
}
