package reach

import "github.com/everyway-go/everyway/internal/vm/state"

// ForgetTimers removes timers outside of bubbles that nobody can see fire: they send to a channel
// that nothing can reach, and nothing can stop or reset them. As with the collector of Go's
// runtime, which has them go away as well, they are looked for when there are many.
//
// Only those go that could not have fired yet, whatever was done earlier or later since time has
// passed last: what fires is compared with the steps before, one of which may have been at the
// channel.
func ForgetTimers(m *state.State) {
	if !m.HasManyTimers() {
		return
	}
	forgettable := func(t *state.Timer) bool { return t.Bubble == nil && t.Channel() != nil && !m.HasCome(t.When) }
	seen := NewObjects(&m.Heap)
	for _, g := range m.Live {
		seen.AddGoroutine(g)
	}
	seen.AddVariables(m)
	seen.addCollectables(m)
	seen.AddWords(m.Pools)
	seen.AddWords(m.OldPools)
	for _, t := range m.Timers {
		if !forgettable(t) {
			seen.AddTimer(t)
		}
	}
	m.RemoveTimers(func(t *state.Timer) bool {
		return forgettable(t) && !seen.Has(t.Channel()) && !seen.Has(t.Cell.Object)
	})
}
