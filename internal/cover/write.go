package cover

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
)

// Write writes the set as text: a line for each thing, which begins with a word that says what it is. What belongs to a
// line is indented below it.
func (s *Set) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "everyway cover %d\nprogram %q\ncode %q\n", Version, s.Program, s.Code)
	for _, o := range s.Options {
		fmt.Fprintf(out, "option %q\n", o)
	}
	if s.Processors > 0 {
		fmt.Fprintf(out, "processors %d\n", s.Processors)
	}
	for _, f := range s.Flags {
		fmt.Fprintf(out, "flag %q\n", f)
	}
	for _, m := range s.Markers {
		fmt.Fprintf(out, "marker %s %q %q\n", m.Kind, m.Position, m.Function)
	}
	for _, d := range s.Decisions {
		fmt.Fprintf(out, "decision %q %q %q", d.Position, d.Function, d.Why)
		if d.Range {
			fmt.Fprint(out, " range")
		}
		fmt.Fprintln(out)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(out, "note %q\n", n)
	}
	for _, at := range s.Deferred {
		fmt.Fprintf(out, "deferred %q\n", at)
	}
	for i, e := range s.Epochs {
		fmt.Fprintf(out, "epoch %d\n", i)
		if err := s.writeEpoch(out, e); err != nil {
			return fmt.Errorf("epoch %d: %w", i, err)
		}
	}
	fmt.Fprintln(out, "end")
	return out.Flush()
}

func (s *Set) writeEpoch(out io.Writer, e *Epoch) error {
	for _, g := range e.Goroutines {
		fmt.Fprintf(out, "  goroutine %s\n", g)
	}
	if b := e.Begin; b != nil {
		fmt.Fprintf(out, "  shape %q\n  from %d\n", b.Shape, b.From)
		for _, name := range slices.Sorted(maps.Keys(b.Via)) {
			fmt.Fprintf(out, "  via %q %d\n", name, b.Via[name])
		}
		if b.Alive {
			fmt.Fprintln(out, "  alive")
		}
		for _, in := range b.Cells {
			fmt.Fprintf(out, "  cell %q %d %q %s\n", in.Name, in.Width, in.Type, in.place())
		}
		for _, values := range b.States {
			fmt.Fprint(out, "  state")
			for _, v := range values {
				fmt.Fprintf(out, " %d", v)
			}
			fmt.Fprintln(out)
		}
		for _, c := range b.Where {
			var text strings.Builder
			if err := smtlib.WriteTerm(&text, s.Arena, c); err != nil {
				return fmt.Errorf("writing a condition: %w", err)
			}
			fmt.Fprintf(out, "  where %q\n", text.String())
		}
	}
	if e.Ready {
		fmt.Fprintln(out, "  ready")
	}
	for _, in := range e.Inputs {
		fmt.Fprintf(out, "  input %q %d %q %s\n", in.Name, in.Width, in.Type, in.place())
	}
	for _, why := range e.Open {
		fmt.Fprintf(out, "  open %q\n", why)
	}
	for _, sc := range e.Schedules {
		fmt.Fprintln(out, "  schedule")
		if err := s.writeSchedule(out, sc); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) writeSchedule(out io.Writer, sc *Schedule) error {
	for _, conj := range sc.When {
		fmt.Fprintln(out, "    when")
		for _, c := range conj {
			fmt.Fprint(out, "      ")
			if err := smtlib.WriteTerm(out, s.Arena, c); err != nil {
				return fmt.Errorf("writing a condition: %w", err)
			}
			fmt.Fprintln(out)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sc.Example)) {
		fmt.Fprintf(out, "    example %q %d\n", name, sc.Example[name])
	}
	for _, name := range slices.Sorted(maps.Keys(sc.Reached)) {
		fmt.Fprintf(out, "    reached %q %d\n", name, sc.Reached[name])
	}
	if sc.Arguments != nil {
		fmt.Fprint(out, "    arguments")
		for _, arg := range sc.Arguments {
			fmt.Fprintf(out, " %q", arg)
		}
		fmt.Fprintln(out)
	}
	if sc.Infeasible {
		fmt.Fprintln(out, "    infeasible?")
	}
	if sc.Excluded {
		fmt.Fprintln(out, "    infeasible")
	}
	if sc.Conservative {
		fmt.Fprintln(out, "    conservative")
	}
	for _, r := range sc.Races {
		fmt.Fprintf(out, "    race %q %q\n", r[0], r[1])
	}
	for i, n := range sc.Nodes {
		fmt.Fprintf(out, "    node %d %s\n", i, n)
	}
	fmt.Fprintf(out, "    ends %s", sc.End.Kind)
	if sc.End.Kind == NewEpoch {
		fmt.Fprintf(out, " %d", sc.End.Epoch)
	}
	if sc.End.Kind == Early && sc.End.By >= 0 {
		fmt.Fprintf(out, " %d", sc.End.By)
	}
	fmt.Fprintln(out)
	for _, g := range sc.End.Goroutines {
		fmt.Fprintf(out, "      at %s\n", g)
	}
	if len(sc.End.Next) > 0 {
		fmt.Fprintf(out, "    next %s\n", strings.Trim(fmt.Sprint(sc.End.Next), "[]"))
	}
	return nil
}

// String returns the node as the text of a set has it.
func (n Node) String() string {
	var b strings.Builder
	op := n.Op.Word()
	if n.Bypass {
		op = "bypass"
	}
	fmt.Fprintf(&b, "%d %s %q", n.Goroutine, op, n.Position)
	if n.Child >= 0 {
		fmt.Fprintf(&b, " child %d", n.Child)
	}
	if n.Alt != 0 {
		fmt.Fprintf(&b, " alt %d", n.Alt)
	}
	if n.From >= 0 {
		fmt.Fprintf(&b, " from %d", n.From)
	}
	if len(n.After) > 0 {
		b.WriteString(" after")
		for _, a := range n.After {
			fmt.Fprintf(&b, " %d", a)
		}
	}
	return b.String()
}

// Operation returns the node as the text of a set has it, without what it comes after.
func (n Node) Operation() string {
	n.After = nil
	return n.String()
}

// String returns where a goroutine is as the text of a set has it.
func (g Start) String() string {
	var b strings.Builder
	b.WriteString(g.Kind.String())
	for _, pos := range g.Stack {
		b.WriteString(" " + strconv.Quote(pos))
	}
	return b.String()
}

// place returns where the value of an input is found, as the text of a set has it.
func (in *Input) place() string {
	var b strings.Builder
	b.WriteString(in.Root.Kind.String())
	switch in.Root.Kind {
	case Sym, Global:
		fmt.Fprintf(&b, " %q", in.Root.Name)
		if in.Ranged {
			fmt.Fprintf(&b, " range %d %d", in.Low, in.Size)
		}
	case Decided:
		fmt.Fprintf(&b, " %d %q %d", in.Root.Goroutine, in.Root.Position, in.Root.Time)
	case Local, Evaluated, Counter:
		fmt.Fprintf(&b, " %d %d %q %q", in.Root.Goroutine, in.Root.Frame, in.Root.Name, in.Root.Position)
	}
	for _, s := range in.Steps {
		b.WriteString(" " + strconv.Quote(string(s)))
	}
	return b.String()
}

// Condition returns a condition of the set for people to read.
func (s *Set) Condition(x expr.ID) string { return s.Arena.String(x) }

// maxWhen is how much of its conditions is said of a schedule for people to read, in bytes.
const maxWhen = 400

// When returns the conditions of a schedule for people to read, "" if it is for all inputs.
func (s *Set) When(sc *Schedule) string {
	var all []string
	for _, conj := range sc.When {
		var list []string
		for _, c := range conj {
			list = append(list, s.Condition(c))
		}
		if len(list) == 0 {
			return ""
		}
		all = append(all, strings.Join(list, " and "))
	}
	text := strings.Join(all, ", or ")
	if len(text) > maxWhen {
		text = strings.ToValidUTF8(text[:maxWhen], "") + "…"
	}
	return text
}
