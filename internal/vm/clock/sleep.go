package clock

import (
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// SleepName is the name of the primitive in which a goroutine sleeps.
const SleepName = "time.sleep"

// Sleep lets g, outside of bubbles, sleep for d.
func Sleep(m *state.State, g *state.Goroutine, d symbolic.Operand) {
	g.When, g.Wakes = DueAfter(m, g, d)
	g.Held = HoldsBack(m, g, g.When, g.Wakes)
	if d.Sym == expr.None {
		waited(m, g, int64(d.N))
	}
}

// CanWake reports whether g, which sleeps outside of bubbles, can wake up. If it sleeps
// because of Polls, that is not early.
func CanWake(m *state.State, g *state.Goroutine) bool {
	if g.Prim.Name != SleepName {
		return g.When <= m.Now && !TimeCut(m, g.Late)
	}
	return m.HasCome(g.When) && !g.Held && !TimeCut(m, g.Late)
}

// SleepsForEver reports whether g sleeps, which the program asked for, until after the last time
// that the clock can represent.
func SleepsForEver(g *state.Goroutine) bool {
	return g.Sleeps() && g.Prim.Name == SleepName && g.When == state.Never
}
