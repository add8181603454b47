package toy

import (
	"fmt"
	"strings"
)

// String prints the program in a notation close to Go's.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "inputs %v below %d; cells", p.Inputs, p.Domain)
	for i, c := range p.Cells {
		fmt.Fprintf(&b, " x%d=%d", i, c.Init)
		if c.Plain {
			b.WriteString("(plain)")
		}
	}
	fmt.Fprintf(&b, "; capacities %v\n", p.Chans)
	for i, f := range p.Funcs {
		fmt.Fprintf(&b, "func f%d:\n", i)
		p.print(&b, f, "\t")
	}
	return b.String()
}

func (p *Program) print(b *strings.Builder, body []Stmt, indent string) {
	for i := range body {
		s := &body[i]
		fmt.Fprintf(b, "%s%s\n", indent, p.line(s))
		if s.Op == If {
			p.print(b, s.Then, indent+"\t")
			if len(s.Else) > 0 {
				fmt.Fprintf(b, "%selse\n", indent)
				p.print(b, s.Else, indent+"\t")
			}
		}
	}
}

func (p *Program) line(s *Stmt) string {
	x, y := p.expr(&s.X), p.expr(&s.Y)
	switch s.Op {
	case Load:
		return fmt.Sprintf("r%d = x%d", s.Dst, s.Obj)
	case Store:
		return fmt.Sprintf("x%d = %s", s.Obj, x)
	case Add:
		return fmt.Sprintf("r%d = x%d.Add(%s)", s.Dst, s.Obj, x)
	case Swap:
		return fmt.Sprintf("r%d = x%d.CompareAndSwap(%s, %s)", s.Dst, s.Obj, x, y)
	case Set:
		return fmt.Sprintf("r%d = %s", s.Dst, x)
	case If:
		return fmt.Sprintf("if %s // branch %d", x, s.ID)
	case Lock, Unlock, RLock, RUnlock:
		return fmt.Sprintf("mu%d.%s", s.Obj, [...]string{Lock: "Lock", Unlock: "Unlock", RLock: "RLock", RUnlock: "RUnlock"}[s.Op])
	case TryLock:
		return fmt.Sprintf("r%d = mu%d.TryLock", s.Dst, s.Obj)
	case Send:
		return fmt.Sprintf("c%d <- %s", s.Obj, x)
	case Recv:
		return fmt.Sprintf("r%d = <-c%d", s.Dst, s.Obj)
	case Close:
		return fmt.Sprintf("close(c%d)", s.Obj)
	case Select:
		var cases []string
		for _, c := range s.Cases {
			if c.Send {
				cases = append(cases, fmt.Sprintf("c%d <- %s", c.Chan, p.expr(&c.X)))
			} else {
				cases = append(cases, fmt.Sprintf("r%d = <-c%d", c.Dst, c.Chan))
			}
		}
		if s.Default {
			cases = append(cases, "default")
		}
		return fmt.Sprintf("r%d = select %s", s.Dst, strings.Join(cases, " | "))
	case GroupAdd:
		return fmt.Sprintf("wg%d.Add(%d)", s.Obj, s.X.N)
	case GroupWait:
		return fmt.Sprintf("wg%d.Wait", s.Obj)
	case CondWait:
		return fmt.Sprintf("cond%d.Wait", s.Obj)
	case CondSignal:
		return fmt.Sprintf("cond%d.Signal", s.Obj)
	case Broadcast:
		return fmt.Sprintf("cond%d.Broadcast", s.Obj)
	case Choose:
		return fmt.Sprintf("r%d = choose(%d)", s.Dst, s.X.N)
	case Spawn:
		return fmt.Sprintf("go f%d", s.Obj)
	default:
		return "fail"
	}
}

func (p *Program) expr(x *Expr) string {
	switch x.Kind {
	case Const:
		return fmt.Sprint(x.N)
	case Local:
		return fmt.Sprintf("r%d", x.N)
	case Input:
		return p.Inputs[x.N]
	}
	op := [...]string{Plus: "+", Minus: "-", Times: "*", Equal: "==", Less: "<"}[x.Kind]
	return fmt.Sprintf("%s %s %s", p.expr(x.X), op, p.expr(x.Y))
}
