package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// An Outcome is how a run of a program ended, as far as it can be told from
// the outside.
type Outcome struct {
	// Failure is empty, one of the constants below, or the message with which Go would end
	// the process: "panic: …" or "fatal error: …".
	Failure string
	Failing int     // the body that failed, for messages
	Errors  []int   // the Error statements done
	Shown   []Shown // the lines printed
}

// Failed reports whether one body has failed, and ended the process.
func (o *Outcome) Failed() bool {
	if o.Failure == BubbleBlocked || o.Failure == BubbleRemains {
		return false
	}
	return strings.HasPrefix(o.Failure, "panic") || strings.HasPrefix(o.Failure, "fatal")
}

// Shown is a result that was printed.
type Shown struct {
	Body, Stmt, Value int
}

// Canonical returns the outcome as text, the same for all runs that differ
// only in the order of independent steps. When a body failed, what the others
// had done by then depends on that order, and only the failing one counts.
func (o *Outcome) Canonical(p *Program) string {
	var b strings.Builder
	ended := o.Failed()
	if p.Reused && ended || o.Failure == Negative {
		return o.Failure // others may go on until it ends the process, and fail themselves, since the counter is what it is
	}
	switch {
	case ended:
		fmt.Fprintf(&b, "%s in %d", o.Failure, p.Original(o.Failing))
		if 0 < o.Failing && o.Failing <= p.Copies {
			return b.String() // which of them did what else is not known
		}
	case o.Failure != "":
		b.WriteString(o.Failure)
	case len(o.Errors) > 0:
		b.WriteString("error")
	default:
		b.WriteString("ok")
	}
	bodyOf := map[int]int{}
	p.Each(func(body int, s *Stmt) { bodyOf[s.ID] = body })
	errs := slices.Clone(o.Errors)
	slices.Sort(errs)
	for _, e := range slices.Compact(errs) {
		if !ended || bodyOf[e] == o.Failing {
			fmt.Fprintf(&b, " e%d", e)
		}
	}
	for i := range p.Bodies {
		if ended && i != o.Failing {
			continue
		}
		for _, s := range o.Shown {
			if s.Body == i {
				fmt.Fprintf(&b, " %d:%d", s.Stmt, s.Value)
			}
		}
	}
	return b.String()
}
