package summary

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
)

// Format returns the tree in a readable form. A value is v and its number.
func (t *Tree) Format(f *code.Func) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tree of %s from %d: %d nodes, %d returns, %d cut, %d bounded, %d infeasible\n",
		f.Name, t.PC, t.Size.Nodes, t.Size.Returns, t.Size.Cut, t.Size.Bounded, t.Size.Infeasible)
	for i, r := range t.Formals {
		fmt.Fprintf(&b, "  v%d = r%d\n", i, r)
	}
	t.Root.format(&b, "  ")
	return b.String()
}

// format writes a node and what follows.
func (n *Node) format(b *strings.Builder, indent string) {
	for i := range n.Steps {
		fmt.Fprintf(b, "%s%s\n", indent, n.Steps[i].String())
	}
	var sides []string
	switch n.End {
	case Leaf:
		fmt.Fprintf(b, "%s%s at %d: %s\n", indent, n.Why, n.PC, n.Exit)
		return
	case Branch, Nil:
		what := fmt.Sprintf("%v v%d", n.Jump.Op, n.Jump.A)
		switch {
		case n.Jump.Op >= code.JmpEqI && n.Jump.Op <= code.JmpGeSI:
			what += fmt.Sprintf(" %d", n.Jump.C)
		case n.Jump.Op > code.JmpIfNot && n.Jump.Op < code.JmpEqI:
			what += fmt.Sprintf(" v%d", n.Jump.B)
		}
		sides = []string{"not " + what, what}
	case Shape:
		for k := range n.Next {
			sides = append(sides, fmt.Sprintf("v%d leads to object %d", n.On, k))
		}
		sides[len(sides)-1] = fmt.Sprintf("v%d leads to a new object %d", n.On, len(n.Next)-1)
	}
	for k, next := range n.Next {
		if next != nil {
			fmt.Fprintf(b, "%sif %s:\n", indent, sides[k])
			next.format(b, indent+"  ")
		}
	}
}

// String returns a step in a readable form.
func (s *Step) String() string {
	in := &s.In
	cells := func(p, off int32) string {
		text := fmt.Sprintf("v%d[%d]", p, off)
		if in.K != 1 {
			text = fmt.Sprintf("v%d[%d:%d]", p, off, off+int32(in.K))
		}
		return text
	}
	switch s.Kind {
	case Compute:
		switch reads(in.Op) {
		case 0:
			return fmt.Sprintf("v%d = %d", in.A, in.C)
		case 1:
			return fmt.Sprintf("v%d = %v v%d %d", in.A, in.Op, in.B, in.C)
		}
		return fmt.Sprintf("v%d = %v v%d v%d", in.A, in.Op, in.B, in.C)
	case Constant:
		return fmt.Sprintf("v%d = constant %d", in.A, in.B)
	case Divisor:
		return fmt.Sprintf("v%d is not zero", in.C)
	case Count:
		return fmt.Sprintf("v%d is not negative", in.C)
	case Point:
		if in.A < 0 {
			return fmt.Sprintf("v%d is not nil", in.B)
		}
		return fmt.Sprintf("v%d = concrete v%d, not nil", in.A, in.B)
	case Fix:
		return fmt.Sprintf("v%d = concrete v%d", in.A, in.B)
	case Length:
		return fmt.Sprintf("v%d > %d", in.B, in.C)
	case Load:
		return fmt.Sprintf("v%d = %s", in.A, cells(in.B, in.C))
	case Again:
		return fmt.Sprintf("read %s", cells(in.B, in.C))
	case Store:
		return fmt.Sprintf("%s = v%d", cells(in.A, in.C), in.B)
	case New:
		return fmt.Sprintf("v%d = new type %d", in.A, in.D)
	case Cover:
		return fmt.Sprintf("cover %d", in.A)
	case Enter:
		return fmt.Sprintf("call %d", in.B)
	case Leave:
		return "return"
	}
	return fmt.Sprintf("spend %d", in.A)
}

// String returns an exit in a readable form.
func (e *Exit) String() string {
	var b strings.Builder
	for i := range e.Frames {
		f := &e.Frames[i]
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "at %d", f.PC)
		for _, r := range f.Regs {
			fmt.Fprintf(&b, " r%d=v%d", r.Reg, r.Value)
		}
	}
	for _, w := range e.Writes {
		fmt.Fprintf(&b, "; v%d[%d]=v%d", w.To, w.Off, w.Value)
	}
	return b.String()
}
