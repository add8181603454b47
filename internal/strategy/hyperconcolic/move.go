package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A move is a step or the choice of a value, told in a way that does not change
// when independent steps change places. (A vm.Decision names a partner by the
// order of creation.)
type move struct {
	kind      run.DecisionKind
	goroutine int32 // -1 for a timer
	own       int32 // Step: the goroutine's case, or the timer; Value: the value
	partner   int32 // Step: the goroutine that the step completes or wakes, else -1
	theirs    int32 // Step: the partner's case
}

// moveOf returns the move that o is.
func moveOf(o *run.Transition) move {
	if o.Goroutine < 0 {
		return move{goroutine: -1, own: o.Alt, partner: -1}
	}
	return move{goroutine: o.Goroutine, own: int32(o.Case()), partner: o.Partner, theirs: int32(o.PartnerCase())}
}

// is reports whether o is the move m.
func (m move) is(o *run.Transition) bool {
	return o.Goroutine == m.goroutine && m == moveOf(o)
}
