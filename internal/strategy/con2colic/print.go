package con2colic

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A namer gives names to what operations are on.
type namer func(object run.ObjectID, offset int32) string

// A printer prints a forest, and what refers to it, for debugging and tests.
type printer struct {
	strings.Builder
	forest *forest
	name   namer
}

// tree prints the paths of the goroutine that begins with start, indented where they
// part, and then those of the goroutines that it spawns. A dangling node, which no run has
// shown, has a question mark.
func (p *printer) tree(start nodeID) {
	fmt.Fprintf(p, "goroutine %s\n", p.goroutine(start))
	var starts []nodeID
	p.path(start, "  ", &starts)
	for _, s := range starts {
		p.tree(s)
	}
}

// path prints n and what comes after it in its goroutine.
func (p *printer) path(n nodeID, indent string, starts *[]nodeID) {
	f := p.forest
	for {
		mark := " "
		if !f.at(n).seen && n != root {
			mark = "?"
		}
		fmt.Fprintf(p, "%s%s%s\n", indent, mark, p.event(n))
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
					fmt.Fprintf(p, "%s or\n", indent)
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
	f := p.forest
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
	f := p.forest
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
