package state

import (
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// A Use says what a value is needed for that may depend on readings of the clock and on
// random numbers.
type Use uint8

// The uses.
const (
	// Mixed: the value becomes part of something from which it is hard to tell what it was,
	// such as a product that overflows.
	Mixed Use = iota
	// Divided: it is divided, or combined with another by exclusive or.
	Divided
	// Scaled: only the remainder of a division is of interest, or it becomes a float, or part
	// of a product that does not overflow.
	Scaled
	// Indexed: it is the index of an element in a table.
	Indexed
	// Concrete: it has to be concrete.
	Concrete
)

// fewValues is the number of values, less one, that a random number has at most if each of
// them is tried where it has to be concrete.
const fewValues = 1<<8 - 1

// randomBound is what a verdict says of random numbers that have been fixed.
const randomBound = "one value of a random number that is hashed, multiplied, formatted or the like"

// Fix gives those readings of the clock and random numbers that x depends on the values that
// they have in this run, as far as the use of x asks for it. Searching for others is left
// out: it would be hopeless where they are hashed, and without end where they are printed.
// Fix reports whether x has only one value then.
//
// Random numbers that the program draws to decide something remain inputs: they are compared,
// scaled, and used as indices. One of which x has only a few values is not even fixed if x
// has to be concrete. Those of run.RandomKey are fixed at more uses.
func (m *State) Fix(g *Goroutine, x expr.ID, use Use) bool {
	if m.ClockReadings == 0 && m.Draws == 0 {
		return false
	}
	vars := m.Arena.Vars(nil, x)
	few := m.Arena.Spread(x) <= fewValues || m.randomBits(vars) <= 8
	only := true
	for _, v := range vars {
		fixed := false
		switch run.SourceOf(m.Arena.VarName(v)) {
		case run.ClockReading:
			fixed = use != Indexed
		case run.RandomDraw:
			fixed = use == Mixed || use == Concrete && !few
		case run.RandomKey:
			fixed = use != Scaled
		}
		if !fixed {
			only = false
			continue
		}
		m.fixVariable(g, v)
	}
	return only
}

// randomBits returns how many bits the random numbers of a program's own among vars have.
func (m *State) randomBits(vars []expr.ID) (n int) {
	for _, v := range vars {
		if run.SourceOf(m.Arena.VarName(v)) == run.RandomDraw {
			n += int(m.Arena.Width(v))
		}
	}
	return n
}

// fixVariable adds to the path condition that the input variable v has the value that it has
// in this run. A search does not negate that; the verdict names it as a bound.
func (m *State) fixVariable(g *Goroutine, v expr.ID) {
	i := len(m.Trace.Inputs) - 1
	for m.Trace.Inputs[i].Sym != v { // most likely a late one
		i--
	}
	in := &m.Trace.Inputs[i]
	m.AddCondition(g, m.Arena.Eq(v, m.Arena.Const(in.Value, m.Arena.Width(v))), true, run.Assumed)
	if run.SourceOf(in.Name) == run.ClockReading {
		m.Trace.Bounds.Add(run.ReadingValues)
	} else {
		m.AddBound(in.Site, randomBound)
	}
}

// Both sides of a condition are searched if it depends on at most keyBits bits of random
// numbers of run.RandomKey and is no comparison for equality of more than guessedValues
// values, less one.
const (
	keyBits       = 64
	guessedValues = 1<<16 - 1
)

// fixGuesses fixes the random numbers of run.RandomKey that cond depends on, if cond is a
// guess of them. A program that fails because two names are the same, or because a seed is 0,
// need not be found, and a loop that draws a seed until it is not 0 need not be unrolled.
func (m *State) fixGuesses(g *Goroutine, cond expr.ID) {
	a := m.Arena
	vars, bits := a.Vars(nil, cond), 0
	vars = slices.DeleteFunc(vars, func(v expr.ID) bool { return run.SourceOf(a.VarName(v)) != run.RandomKey })
	for _, v := range vars {
		bits += int(a.Width(v))
	}
	if a.Op(cond) == expr.Not {
		cond = a.Arg(cond, 0)
	}
	if bits > keyBits || a.Op(cond) == expr.Eq && max(a.Spread(a.Arg(cond, 0)), a.Spread(a.Arg(cond, 1))) > guessedValues {
		for _, v := range vars {
			m.fixVariable(g, v)
		}
	}
}
