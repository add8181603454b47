package state

import (
	"math/bits"
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
		m.AddBound(in.Site, run.OneNumber)
	}
}

// A condition on random numbers of run.RandomKey is a guess of them if it depends on more than
// keyBits bits, or if it is a comparison for equality of values of more than guessedBits bits,
// together with those that have been equal before in the run.
const (
	keyBits     = 64
	guessedBits = 8
)

// fixGuesses fixes the random numbers of run.RandomKey that cond, which has the given value,
// depends on if cond is a guess of them. A program that fails because two names are the same,
// or because a seed is 0, need not be found, and a loop that draws a seed until it is not 0
// need not be unrolled. It reports whether cond depends on nothing else.
func (m *State) fixGuesses(g *Goroutine, cond expr.ID, holds bool) bool {
	a := m.Arena
	vars := a.Vars(nil, cond)
	all := len(vars)
	vars = slices.DeleteFunc(vars, func(v expr.ID) bool { return run.SourceOf(a.VarName(v)) != run.RandomKey })
	if len(vars) == 0 {
		return false
	}
	of := 0
	for _, v := range vars {
		of += int(a.Width(v))
	}
	if of > keyBits || m.Guessed+max(m.equalBits(cond, true), m.equalBits(cond, false)) > guessedBits {
		for _, v := range vars {
			m.fixVariable(g, v)
		}
		return len(vars) == all
	}
	m.Guessed += m.equalBits(cond, holds)
	return false
}

// equalBits returns how many bits the values have that are found to be equal if the condition x
// has the given value.
func (m *State) equalBits(x expr.ID, holds bool) int {
	a := m.Arena
	switch op := a.Op(x); {
	case op == expr.Not:
		return m.equalBits(a.Arg(x, 0), !holds)
	case op == expr.Eq && holds:
		return bits.Len64(max(a.Spread(a.Arg(x, 0)), a.Spread(a.Arg(x, 1))))
	case (op == expr.And || op == expr.Or) && a.Width(x) == 1:
		first, second := m.equalBits(a.Arg(x, 0), holds), m.equalBits(a.Arg(x, 1), holds)
		if (op == expr.And) == holds {
			return first + second // both are as x is
		}
		return min(first, second)
	}
	return 0
}
