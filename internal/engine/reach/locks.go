package reach

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/place"
	"github.com/everyway-go/everyway/internal/static/reaching"
	"github.com/everyway-go/everyway/internal/strategy"
)

// A lockCall is a call that takes or gives back a lock.
type lockCall struct {
	lock    ssa.Value // the address of the lock, or an interface that holds it
	takes   bool
	reading bool
}

// lockCallOf returns what a call does with a lock, false if that is nothing.
func lockCallOf(call *ssa.CallCommon) (lockCall, bool) {
	name := ""
	var lock ssa.Value
	if call.IsInvoke() {
		if pkg := call.Method.Pkg(); pkg == nil || pkg.Path() != "sync" {
			return lockCall{}, false
		}
		name, lock = call.Method.Name(), call.Value
	} else {
		callee := call.StaticCallee()
		if callee == nil || len(call.Args) == 0 {
			return lockCall{}, false
		}
		if pkg := place.PackageOf(callee); pkg == nil || pkg.Path() != "sync" || callee.Signature.Recv() == nil {
			return lockCall{}, false
		}
		name, lock = callee.Name(), call.Args[0]
	}
	switch name {
	case "Lock":
		return lockCall{lock, true, false}, true
	case "RLock":
		return lockCall{lock, true, true}, true
	case "Unlock":
		return lockCall{lock, false, false}, true
	case "RUnlock":
		return lockCall{lock, false, true}, true
	}
	return lockCall{}, false
}

// takes returns the lock that an instruction takes, false if it takes none.
func takes(instr ssa.Instruction) (lockCall, bool) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return lockCall{}, false
	}
	c, ok := lockCallOf(&call.Call)
	return c, ok && c.takes
}

// Acquisitions implements strategy.Guide.
func (g *Guide) Acquisitions(l strategy.Location) []strategy.Location {
	defer g.lock()()
	var list []ssa.Instruction
	to := g.instr(l)
	for _, b := range to.Parent().Blocks {
		for _, instr := range b.Instrs {
			if _, ok := takes(instr); ok && instr != to && g.leads(instr, to) {
				list = append(list, instr)
			}
		}
	}
	return g.locations(list)
}

// leads reports whether a path in the control flow leads from one instruction to another.
func (g *Goal) leads(from, to ssa.Instruction) bool {
	found := false
	g.follow(from, func(instr ssa.Instruction) bool {
		found = found || instr == to
		return found
	})
	return found
}

// Releases implements strategy.Guide. A lock that is given back by a deferred call is where those are made.
func (g *Guide) Releases(l strategy.Location) []strategy.Location {
	defer g.lock()()
	acquired, ok := takes(g.instr(l))
	if !ok {
		return nil
	}
	aliases := g.aliases()
	gives := func(call *ssa.CallCommon) bool {
		c, ok := lockCallOf(call)
		return ok && !c.takes && c.reading == acquired.reading && sameLock(aliases, c.lock, acquired.lock)
	}
	deferred := false
	var list []ssa.Instruction
	g.follow(g.instr(l), func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Call:
			if gives(&instr.Call) {
				list = append(list, instr)
				return true
			}
		case *ssa.Defer:
			deferred = deferred || gives(&instr.Call)
		}
		return false
	})
	if deferred {
		for _, b := range g.instr(l).Parent().Blocks {
			for _, instr := range b.Instrs {
				if _, ok := instr.(*ssa.RunDefers); ok {
					list = append(list, instr)
				}
			}
		}
	}
	return g.locations(list)
}

// SameLock implements strategy.Guide.
func (g *Guide) SameLock(l, m strategy.Location) bool {
	defer g.lock()()
	a, ok := takes(g.instr(l))
	b, also := takes(g.instr(m))
	return ok && also && (!a.reading || !b.reading) && sameLock(g.aliases(), a.lock, b.lock)
}

// sameLock reports whether two locks may be the same.
func sameLock(aliases reaching.Aliases, a, b ssa.Value) bool {
	return a == b || aliases.May(a, b)
}
