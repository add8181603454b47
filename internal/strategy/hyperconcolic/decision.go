package hyperconcolic

import (
	"github.com/everyway-go/everyway/internal/run"
)

// A decision is a step or the choice of a value, in a form that is the same when independent
// steps come in another order. (A run.Decision names a partner by the order of creation.)
type decision struct {
	kind       run.DecisionKind
	goroutine  int32 // -1 for a timer
	alt        int32 // Step: the goroutine's case, or which timer of partner; Value: the value
	partner    int32 // Step: the goroutine that the step completes or wakes, or that has set the timer, else -1
	partnerAlt int32 // Step: the partner's case
}

// decisionOf returns the decision for t.
func decisionOf(t *run.Transition) decision {
	if t.Goroutine < 0 {
		timer := timerOf(t)
		return decision{goroutine: -1, alt: timer.number, partner: timer.creator}
	}
	return decision{goroutine: t.Goroutine, alt: int32(t.Case()), partner: t.Partner, partnerAlt: int32(t.PartnerCase())}
}

// is reports whether d is the decision for t.
func (d decision) is(t *run.Transition) bool {
	return t.Goroutine == d.goroutine && d == decisionOf(t)
}

// A timer is a timer in a form that is the same when independent steps come in another order:
// the goroutine that has set it, -1 for the passing of time, and which of its timers it is.
type timer struct {
	creator, number int32
}

// timerOf returns the timer of t, which is a step of no goroutine.
func timerOf(t *run.Transition) timer { return timer{int32(t.Delta), t.Timer()} }
