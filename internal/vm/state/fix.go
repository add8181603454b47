package state

import (
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
		m.HoldsWithin(in.Site, randomBound)
	}
}

// keyBits is the number of bits of keys, nonces and names that a condition may depend on
// if both of its sides are searched.
const keyBits = 64

// fixGuesses fixes the random numbers that cond depends on, if they are so many bits of keys,
// nonces or names that cond is a guess of them: no search should show a program that fails
// because two names are the same.
func (m *State) fixGuesses(g *Goroutine, cond expr.ID) {
	vars, bits := m.Arena.Vars(nil, cond), 0
	for _, v := range vars {
		if run.SourceOf(m.Arena.VarName(v)) == run.RandomKey {
			bits += int(m.Arena.Width(v))
		}
	}
	if bits <= keyBits {
		return
	}
	for _, v := range vars {
		if run.SourceOf(m.Arena.VarName(v)) == run.RandomKey {
			m.fixVariable(g, v)
		}
	}
}
