package cover

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/schedule"
)

// maxLine is the length of the longest line of a set, in bytes.
const maxLine = 1 << 26

// Read reads a set that [Set.Write] has written. The error is of one line, and says which line of the text is wrong.
func Read(r io.Reader) (*Set, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	p := &parser{set: New(), ops: make(map[string]schedule.Op)}
	for op := range schedule.NumOps {
		p.ops[op.Word()] = op
	}
	for in.Scan() {
		p.line++
		if p.ended {
			return nil, fmt.Errorf("line %d: there is more after the end", p.line)
		}
		if err := p.parse(in.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", p.line+1, err)
	}
	if !p.ended {
		return nil, fmt.Errorf("line %d: the end is missing", p.line+1)
	}
	if err := p.set.Check(); err != nil {
		return nil, err
	}
	return p.set, nil
}

// A parser reads a set line by line.
type parser struct {
	set      *Set
	ops      map[string]schedule.Op
	line     int
	epoch    *Epoch
	schedule *Schedule
	finished bool // the end of the schedule has been read
	ended    bool
}

func (p *parser) parse(text string) error {
	if p.line == 1 {
		if text == fmt.Sprintf("everyway cover %d", Version) {
			return nil
		}
		if v, ok := strings.CutPrefix(text, "everyway cover "); ok {
			return fmt.Errorf("the set has version %s, and this program reads version %d", strconv.Quote(v), Version)
		}
		return errors.New("it is no set of schedules")
	}
	if term := strings.TrimLeft(text, " "); len(text)-len(term) == 6 && !strings.HasPrefix(term, "at ") {
		return p.condition(term)
	}
	f, err := fields(text)
	if err != nil {
		return err
	}
	if len(f) == 0 {
		return errors.New("it is empty")
	}
	c := &cursor{rest: f[1:]}
	if err := p.statement(f[0], c); err != nil {
		return fmt.Errorf("%s: %w", f[0], err)
	}
	if c.err != nil {
		return fmt.Errorf("%s: %w", f[0], c.err)
	}
	if len(c.rest) > 0 {
		return fmt.Errorf("%s: %s is too much", f[0], strconv.Quote(c.rest[0]))
	}
	return nil
}

// condition reads a condition of the last conjunction.
func (p *parser) condition(term string) error {
	if p.schedule == nil || len(p.schedule.When) == 0 {
		return errors.New("a condition outside of a schedule")
	}
	x, err := smtlib.ParseTermOfRun(p.set.Arena, term)
	if err != nil {
		return fmt.Errorf("a condition: %w", err)
	}
	if p.set.Arena.Width(x) != 1 {
		return errors.New("a condition is neither true nor false")
	}
	last := &p.schedule.When[len(p.schedule.When)-1]
	*last = append(*last, x)
	return nil
}

func (p *parser) statement(word string, c *cursor) error {
	s := p.set
	switch word {
	case "program", "code", "option", "processors", "flag", "marker", "decision", "note", "deferred", "epoch", "end":
		if p.schedule != nil && !p.finished {
			return errors.New("the schedule before it has no end")
		}
		if word != "epoch" && word != "end" && p.epoch != nil {
			return errors.New("it comes before the epochs")
		}
	case "goroutine", "ready", "input", "open", "schedule", "shape", "from", "via", "alive", "cell", "state", "where":
		if p.epoch == nil {
			return errors.New("it is of no epoch")
		}
		if p.schedule != nil && (word != "schedule" || !p.finished) {
			return errors.New("it comes before the schedules")
		}
	case "when", "example", "reached", "arguments", "infeasible?", "infeasible", "race", "node", "ends":
		if p.schedule == nil || p.finished {
			return errors.New("it is of no schedule")
		}
	case "at", "next":
		if p.schedule == nil || !p.finished {
			return errors.New("it is of no end")
		}
	}
	switch word {
	case "program":
		s.Program = c.text()
	case "code":
		s.Code = c.text()
	case "option":
		s.Options = append(s.Options, c.text())
	case "processors":
		s.Processors = c.number()
	case "flag":
		s.Flags = append(s.Flags, c.text())
	case "note":
		s.Notes = append(s.Notes, c.text())
	case "deferred":
		s.Deferred = append(s.Deferred, c.text())
	case "marker":
		s.Markers = append(s.Markers, Marker{Kind: choose[MarkerKind](c, markerWords), Position: c.text(), Function: c.text()})
	case "decision":
		d := Decision{Position: c.text(), Function: c.text(), Why: c.text()}
		if d.Range = len(c.rest) > 0 && c.rest[0] == "range"; d.Range {
			c.next()
		}
		s.Decisions = append(s.Decisions, d)
	case "epoch":
		if n := c.number(); c.err == nil && n != len(s.Epochs) {
			return fmt.Errorf("it has the number %d, and not %d", n, len(s.Epochs))
		}
		p.epoch, p.schedule = new(Epoch), nil
		s.Epochs = append(s.Epochs, p.epoch)
	case "end":
		p.ended = true
	case "goroutine":
		p.epoch.Goroutines = append(p.epoch.Goroutines, c.start())
	case "shape":
		p.epoch.Begin = &Beginning{Shape: c.text()}
	case "from", "via", "alive", "cell", "state", "where":
		return p.beginning(word, c)
	case "ready":
		p.epoch.Ready = true
	case "input":
		p.epoch.Inputs = append(p.epoch.Inputs, c.input())
	case "open":
		p.epoch.Open = append(p.epoch.Open, c.text())
	case "schedule":
		p.schedule, p.finished = new(Schedule), false
		p.epoch.Schedules = append(p.epoch.Schedules, p.schedule)
	case "when":
		p.schedule.When = append(p.schedule.When, nil)
	case "example":
		if p.schedule.Example == nil {
			p.schedule.Example = make(map[string]uint64)
		}
		name := c.text()
		p.schedule.Example[name] = c.unsigned()
	case "reached":
		if p.schedule.Reached == nil {
			p.schedule.Reached = make(map[string]uint64)
		}
		name := c.text()
		p.schedule.Reached[name] = c.unsigned()
	case "arguments":
		for p.schedule.Arguments = []string{}; c.err == nil && len(c.rest) > 0; {
			p.schedule.Arguments = append(p.schedule.Arguments, c.text())
		}
	case "infeasible?":
		p.schedule.Infeasible = true
	case "infeasible":
		p.schedule.Excluded = true
	case "conservative":
		p.schedule.Conservative = true
	case "race":
		p.schedule.Races = append(p.schedule.Races, [2]string{c.text(), c.text()})
	case "node":
		if n := c.number(); c.err == nil && n != len(p.schedule.Nodes) {
			return fmt.Errorf("it has the number %d, and not %d", n, len(p.schedule.Nodes))
		}
		p.schedule.Nodes = append(p.schedule.Nodes, c.node(p.ops))
	case "ends":
		p.finished = true
		p.schedule.End.Kind = choose[EndKind](c, endWords)
		if c.err == nil && p.schedule.End.Kind == NewEpoch {
			p.schedule.End.Epoch = c.number()
		}
		if p.schedule.End.Kind == Early {
			p.schedule.End.By = -1
			if len(c.rest) > 0 {
				p.schedule.End.By = c.number()
			}
		}
	case "next":
		for c.err == nil && len(c.rest) > 0 {
			if c.rest[0] == "-1" {
				c.next()
				p.schedule.End.Next = append(p.schedule.End.Next, -1)
				continue
			}
			p.schedule.End.Next = append(p.schedule.End.Next, c.number())
		}
	case "at":
		p.schedule.End.Goroutines = append(p.schedule.End.Goroutines, c.start())
	default:
		return errors.New("it is not known")
	}
	return nil
}

// beginning reads what is said of the states in which an epoch begins.
func (p *parser) beginning(word string, c *cursor) error {
	b := p.epoch.Begin
	if b == nil {
		return errors.New("it comes before the shape")
	}
	switch word {
	case "from":
		b.From = c.number()
	case "via":
		if b.Via == nil {
			b.Via = make(map[string]uint64)
		}
		name := c.text()
		b.Via[name] = c.unsigned()
	case "alive":
		b.Alive = true
	case "cell":
		b.Cells = append(b.Cells, c.input())
	case "state":
		values := []uint64{}
		for len(c.rest) > 0 && c.err == nil {
			values = append(values, c.unsigned())
		}
		b.States = append(b.States, values)
	case "where":
		x, err := smtlib.ParseTermOfRun(p.set.Arena, c.text())
		if err != nil {
			return fmt.Errorf("a condition: %w", err)
		}
		if p.set.Arena.Width(x) != 1 {
			return errors.New("a condition is neither true nor false")
		}
		b.Where = append(b.Where, x)
	}
	return nil
}

// A cursor takes the words of a line one by one. After an error, what it gives means nothing.
type cursor struct {
	rest []string
	err  error
}

func (c *cursor) next() string {
	if len(c.rest) == 0 {
		c.fail("something is missing")
		return ""
	}
	w := c.rest[0]
	c.rest = c.rest[1:]
	return w
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *cursor) text() string {
	w := c.next()
	t, err := strconv.Unquote(w)
	if err != nil {
		c.fail("%q is no quoted text", w)
	}
	return t
}

func (c *cursor) number() int {
	w := c.next()
	n, err := strconv.ParseInt(w, 10, 32)
	if err != nil {
		c.fail("%q is no number", w)
	}
	return int(n)
}

func (c *cursor) unsigned() uint64 {
	w := c.next()
	n, err := strconv.ParseUint(w, 10, 64)
	if err != nil {
		c.fail("%q is no number", w)
	}
	return n
}

func choose[T ~uint8](c *cursor, words []string) T {
	w := c.next()
	for i, s := range words {
		if s == w {
			return T(i)
		}
	}
	c.fail("%q is not known", w)
	return 0
}

func (c *cursor) start() Start {
	g := Start{Kind: choose[PlaceKind](c, placeWords)}
	for c.err == nil && len(c.rest) > 0 {
		g.Stack = append(g.Stack, c.text())
	}
	return g
}

func (c *cursor) input() Input {
	in := Input{Name: c.text()}
	width := c.number()
	if c.err == nil && (width < 1 || width > 64) {
		c.fail("an input of %d bits", width)
	}
	in.Width = uint8(width)
	in.Type = c.text()
	in.Root.Kind = choose[RootKind](c, rootWords)
	switch in.Root.Kind {
	case Sym:
		in.Root.Name = c.text()
		if len(c.rest) > 0 && c.rest[0] == "range" {
			c.next()
			in.Ranged, in.Low, in.Size = true, c.unsigned(), c.unsigned()
		}
	case Global:
		in.Root.Name = c.text()
	case Decided:
		in.Root.Goroutine, in.Root.Position, in.Root.Time = c.number(), c.text(), c.number()
	case Local, Evaluated, Counter:
		in.Root.Goroutine, in.Root.Frame = c.number(), c.number()
		in.Root.Name, in.Root.Position = c.text(), c.text()
	}
	for c.err == nil && len(c.rest) > 0 {
		in.Steps = append(in.Steps, Step(c.text()))
	}
	return in
}

func (c *cursor) node(ops map[string]schedule.Op) Node {
	n := Node{Goroutine: c.number(), Child: -1, From: -1}
	w := c.next()
	op, ok := ops[w]
	switch {
	case w == "bypass":
		n.Bypass = true
	case ok && op != schedule.NoOp:
		n.Op = op
	default:
		c.fail("%q is no operation", w)
	}
	n.Position = c.text()
	for c.err == nil && len(c.rest) > 0 {
		switch w := c.next(); w {
		case "child":
			n.Child = c.number()
		case "alt":
			n.Alt = c.number()
		case "from":
			n.From = c.number()
		case "after":
			for c.err == nil && len(c.rest) > 0 {
				n.After = append(n.After, c.number())
			}
		default:
			c.fail("%q is not known", w)
		}
	}
	return n
}

// fields splits a line at spaces outside of quoted text.
func fields(text string) ([]string, error) {
	var list []string
	for {
		text = strings.TrimLeft(text, " ")
		if text == "" {
			return list, nil
		}
		if text[0] == '"' {
			q, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, errors.New("a quoted text does not end")
			}
			list, text = append(list, q), text[len(q):]
			if text != "" && text[0] != ' ' {
				return nil, errors.New("a quoted text is not followed by a space")
			}
			continue
		}
		w, rest, _ := strings.Cut(text, " ")
		list, text = append(list, w), rest
	}
}

// Holds reports whether the schedule is for an input. Variables that value does not know are zero.
func (s *Set) Holds(sc *Schedule, value func(name string) uint64) bool {
	ev := expr.NewEvaluator(s.Arena)
	ev.Start(func(v expr.ID) uint64 { return value(s.Arena.VarName(v)) })
	for _, conj := range sc.When {
		all := true
		for _, c := range conj {
			all = all && ev.Eval(c) == 1
		}
		if all {
			return true
		}
	}
	return false
}
