package oracle

import "fmt"

// cancellation writes what contexts are cancelled with, and how that is shown.
func (w *writer) cancellation() {
	for _, line := range []string{
		"",
		"type fault int",
		"",
		"func (fault) Error() string { return \"fault\" }",
		"",
		"func reason(err error) int {",
		"switch err {",
		"case nil:",
		fmt.Sprintf("return %d", notCancelled),
		"case context.Canceled:",
		fmt.Sprintf("return %d", cancelled),
		"case context.DeadlineExceeded:",
		fmt.Sprintf("return %d", deadlineExceeded),
		"}",
		fmt.Sprintf("return %d + int(err.(fault))", deadlineExceeded),
		"}",
	} {
		w.p("%s", line)
	}
}

// contexts declares the contexts of a program, and what cancels them.
func (w *writer) contexts(p *Program) {
	for k, c := range p.Contexts {
		switch c.Kind {
		case Calls:
			w.p("var s%d func() bool", k)
		case Causes:
			w.p("var e%d context.CancelCauseFunc", k)
		default:
			w.p("var e%d context.CancelFunc", k)
		}
		if c.Kind != Calls {
			w.p("var k%d context.Context", k)
			w.p("_, _ = k%d, e%[1]d", k)
		} else {
			w.p("_ = s%d", k)
		}
	}
}

// done writes the channel of a context.
func done(p *Program, ch int) string {
	k, _ := p.contextOf(ch)
	return fmt.Sprintf("k%d.Done()", k)
}

// context writes a statement about a context. It returns false for others.
func (w *writer) context(p *Program, b int, s *Stmt) bool {
	switch s.Op {
	case Derive:
		w.derive(p, s.Obj)
	case CancelContext:
		switch {
		case p.Contexts[s.Obj].Kind != Causes:
			w.p("e%d()", s.Obj)
		case s.X.Const == 0:
			w.p("e%d(nil)", s.Obj)
		default:
			w.p("e%d(fault(%d))", s.Obj, s.X.Const)
		}
	case ErrOf:
		w.p("r%d = reason(k%d.Err())", s.Dst, s.Obj)
	case CauseOf:
		w.p("r%d = reason(context.Cause(k%d))", s.Dst, s.Obj)
	case Withdraw:
		w.flag(s.Dst, fmt.Sprintf("s%d()", s.Obj))
	case Recv:
		if !p.ofContext(s.Obj) {
			return false
		}
		w.p("<-%s", done(p, s.Obj))
		w.p("r%d = %d", s.Dst, Closed)
	default:
		return false
	}
	if s.Show {
		w.p("show(%d, %d, %d, r%d)", w.index, b, s.ID, s.Dst)
	}
	return true
}

// derive writes how a context is made.
func (w *writer) derive(p *Program, k int) {
	parent := "context.Background()"
	if of := p.Contexts[k].Parent; of != NoParent {
		parent = fmt.Sprint("k", of)
	}
	switch p.Contexts[k].Kind {
	case Cancels:
		w.p("k%d, e%[1]d = context.WithCancel(%s)", k, parent)
	case Causes:
		w.p("k%d, e%[1]d = context.WithCancelCause(%s)", k, parent)
	case Expires:
		w.p("k%d, e%[1]d = context.WithTimeout(%s, %d * unit)", k, parent, p.Contexts[k].Units)
	case Calls:
		w.p("s%d = context.AfterFunc(%s, func() {", k, parent)
		w.body(p, p.Contexts[k].Body)
		w.p("})")
	}
}
