package narrative

import (
	"fmt"
	"strings"

	"github.com/everyway-go/everyway/schedule"
)

// Why says in which order of two steps the run would pass, empty if none is known.
func (n *Narrative) Why() string {
	why := n.run.Finding.Why
	if why == nil {
		return ""
	}
	return fmt.Sprintf("it passes if %s before %s", n.act(&why.Then), n.act(&why.First))
}

// act says what a goroutine does, and where.
func (n *Narrative) act(s *schedule.WhyStep) string {
	what := s.Op.String()
	switch s.Op {
	case schedule.Read, schedule.AtomicRead:
		what = "reads"
	case schedule.Write, schedule.AtomicWrite:
		what = "writes"
	case schedule.AtomicUpdate:
		what = "changes"
	case schedule.Lock, schedule.LockIntent:
		what = "locks"
	case schedule.RLock:
		what = "read-locks"
	case schedule.Send:
		what = "sends on"
	case schedule.Recv, schedule.RecvClosed:
		what = "receives from"
	case schedule.Close:
		what = "closes"
	case schedule.SelectDefault:
		what = "takes the default instead of"
	case schedule.WaitGroupAdd:
		what = "adds to"
	case schedule.WaitGroupWait:
		what = "waits for"
	case schedule.CondWait:
		what = "begins to wait for"
	case schedule.CondSignal:
		what = "signals"
	}
	pos := s.Pos
	if strings.HasPrefix(pos, "$GOROOT/") {
		pos = "" // in a function of the standard library that the goroutine was started with
	}
	text := strings.TrimSpace(fmt.Sprintf("%s %s %s", n.Goroutine(s.Goroutine), what, s.Var))
	if s.Event >= 0 && s.Event < len(n.run.Events) {
		if own := n.run.Events[s.Event].Own; own != "" {
			return text + fmt.Sprintf(" (%s, called at %s)", n.position(pos), n.position(own))
		}
	}
	return text + n.where(s.Goroutine, pos)
}
