package forest

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/dependence"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// A Namer returns the name of what operations are on.
type Namer func(object run.ObjectID, offset int32) string

// A Printer prints a forest and what refers to it, for debugging and tests.
type Printer struct {
	strings.Builder
	Forest *Forest
	Name   Namer
}

// Tree prints the tree of the goroutine that begins with start, indented at each fork, and
// then those of the goroutines that it spawns. Dangling nodes have a question mark.
func (p *Printer) Tree(start NodeID) {
	fmt.Fprintf(p, "goroutine %s\n", p.Goroutine(start))
	var starts []NodeID
	p.path(start, "  ", &starts)
	for _, s := range starts {
		p.Tree(s)
	}
}

// path prints n and what comes after it in its goroutine.
func (p *Printer) path(n NodeID, indent string, starts *[]NodeID) {
	f := p.Forest
	for {
		mark := " "
		if !f.At(n).Seen && n != Root {
			mark = "?"
		}
		fmt.Fprintf(p, "%s%s%s\n", indent, mark, p.Event(n))
		var next []NodeID
		for c := f.At(n).FirstChild; c != 0; c = f.At(c).NextSibling {
			if f.At(c).Goroutine == f.At(n).Goroutine {
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

// Goroutine returns the name of n's goroutine: that of its parent, and its number among the
// goroutines that the parent has spawned on the path to it.
func (p *Printer) Goroutine(n NodeID) string {
	f := p.Forest
	spawn := f.At(f.At(n).Start).Parent
	if spawn == 0 {
		return "0"
	}
	nth := 0
	for m := spawn; m != 0 && f.At(m).Goroutine == f.At(spawn).Goroutine; m = f.At(m).Parent {
		if f.At(m).Op == schedule.Spawn {
			nth++
		}
	}
	return fmt.Sprintf("%s.%d", p.Goroutine(spawn), nth)
}

// Event describes what n does.
func (p *Printer) Event(n NodeID) string {
	f := p.Forest
	e := f.At(n)
	s := e.Op.String()
	if e.Select && e.Op != schedule.SelectDefault {
		s = fmt.Sprintf("select case %d %s", e.Alt, s)
	}
	if e.Loc != 0 {
		s += " " + p.Name(e.Object, e.Offset)
	}
	for _, x := range f.Parts(n) {
		if x.ReadSym != expr.None {
			s += " -> " + f.Arena.String(x.ReadSym)
		}
		switch {
		case !x.Known || !dependence.IsWrite(e.Op) && e.Op != schedule.Send:
		case x.WroteSym != expr.None:
			s += " <- " + f.Arena.String(x.WroteSym)
		default:
			s += fmt.Sprintf(" <- %d", x.Wrote)
		}
	}
	if e.Cond != expr.None {
		s += " " + f.Arena.String(e.Cond)
	}
	return s
}
