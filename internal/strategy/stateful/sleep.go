package stateful

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A sleeper is a thread in the sleep set of a state (Godefroid: Partial-Order Methods for the
// Verification of Concurrent Systems, LNCS 1032, 1996, chapter 5), with the number of a label of
// its next step: that has been tried in an earlier state, and is independent of all that has come
// since. A thread whose next step has several labels is there with each.
type sleeper struct {
	who   who
	label int32
}

// sleepers is a sleep set.
type sleepers []sleeper

// takePart reports whether a thread in s takes part in t.
func (s sleepers) takePart(t *run.Transition) bool {
	return slices.ContainsFunc(s, func(x sleeper) bool {
		return x.who == whoTakes(t) || t.Partner >= 0 && x.who == (who{goroutine: t.Partner})
	})
}

// without removes the threads from s of which a label is woken.
func (s sleepers) without(woken func(x sleeper) bool) sleepers {
	for i := 0; i < len(s); i++ {
		if w := s[i].who; woken(s[i]) {
			s = slices.DeleteFunc(s, func(x sleeper) bool { return x.who == w })
			i = -1
		}
	}
	return s
}
