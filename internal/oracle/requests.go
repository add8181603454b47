package oracle

// Requests. Each goroutine makes a channel of its own. There is a channel on which these are sent,
// and who receives one has it in a local variable, which is nil at first. The channels of the
// program are others, the one of requests, a nil one, and those of the bodies.

// Channels that are named by who uses them, in statements of a program with Requests.
const (
	OwnChan = -2 // that of the goroutine
	RefChan = -3 // the one that it has received
)

// Request returns the index of the channel of requests.
func (p *Program) Request() int { return p.ownChan(0) - 2 }

// ownChan returns the index of the channel of a body.
func (p *Program) ownChan(body int) int { return len(p.Chans) - len(p.Bodies) + body }

// A reference is a statement of a body that has received a channel.
type reference struct {
	s         *Stmt
	body, ref int
}

// resolve returns the statement that body b is at, with the channels that it is about.
func (x *execution) resolve(s *Stmt, b, ref int) *Stmt {
	r := reference{s, b, ref}
	if found := x.resolved[r]; found != nil {
		return found
	}
	channel := func(ch int) int {
		switch {
		case ch == OwnChan:
			return x.p.ownChan(b)
		case ch == RefChan && ref < x.p.ownChan(0):
			return x.p.ownChan(0) - 1
		case ch == RefChan:
			return ref
		}
		return ch
	}
	value := func(e Expr) Expr {
		if e.Kind == Own {
			return Expr{Const: x.p.ownChan(b)}
		}
		return e
	}
	with := *s
	switch s.Op {
	case Send, Recv, Close, Len:
		with.Obj, with.X = channel(s.Obj), value(s.X)
	case Select:
		with.Case = nil
		for _, c := range s.Case {
			c.Chan, c.X = channel(c.Chan), value(c.X)
			with.Case = append(with.Case, c)
		}
	}
	if x.resolved == nil {
		x.resolved = map[reference]*Stmt{}
	}
	x.resolved[r] = &with
	return &with
}
