package state

import (
	"maps"
	"math"
	"slices"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/region"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/variant"
	"github.com/everyway-go/everyway/schedule"
)

// A Function is a linked code.Func. Its constants are converted to words, and its callees
// are resolved when they are first called.
type Function struct {
	*code.Func
	// Fused, Regs and Direct are what the dispatch loop needs for every call.
	Fused  []code.Instr // the code, with frequent pairs of instructions fused
	Regs   int
	Direct bool // a call may not need a frame, since the function is intrinsic or has a native implementation

	Summarised bool // a summary may take the place of the code, see package walk

	// Excess, if it is not "", says which package variable the function refers to that alone
	// exceeds the limit on memory. The function has so many registers then that a call of it
	// always comes to State.Push, which ends the run.
	Excess string

	ID             int32
	ConstWords     []heap.Word // the words of all constants, one after another
	ConstAt        []int32
	Linked         []*Function
	LinkedBuiltins []*Function
	Caches         []MethodCache      // by index in Methods
	Value          *heap.Object       // the function as a value, without bindings; nil until it is needed
	Prim           *Primitive         // for an intrinsic function, its primitive, if it has one
	Native         int                // the number of the native implementation, 0 if there is none
	Variants       []variant.Variant  // the code that frames with symbolic registers run
	needed         *code.Needed       // computed on first use
	bisimulation   *code.Bisimulation // likewise
	Regions        *RegionCode        // computed on first use
	SetOnce        []bool             // by captured variable, see package symmetry; computed on first use
}

// A MethodCache remembers the result of the last call of a method through an interface.
type MethodCache struct {
	Type *heap.Object
	Func *Function
}

// RegionCode is the code of a function for frames that are in a region. It is the code
// for concrete frames, with the instructions marked at which regions end.
type RegionCode struct {
	*region.Set
	Code []code.Instr
}

// pcInstrBits is the number of bits of a program counter that hold the instruction, twice: a
// program that looks for the line of a call subtracts 1 from its return address.
const pcInstrBits = 24

// PCOf returns the program counter of an instruction, as package runtime reports it.
func PCOf(fn *Function, instr int32) uint64 {
	return uint64(fn.ID+1)<<pcInstrBits | uint64(instr)<<1
}

// AtPC returns the function and the instruction of a program counter. The function is nil
// if pc is not a valid program counter.
func (m *State) AtPC(pc uint64) (fn *Function, instr int32) {
	i := pc >> pcInstrBits
	if i == 0 || i > uint64(len(m.Funcs)) {
		return nil, 0
	}
	fn, instr = m.Funcs[i-1], int32((pc&(1<<pcInstrBits-1)+1)>>1)
	if int(instr) > len(fn.Pos) { // a return address may be just after the last instruction
		return nil, 0
	}
	return fn, instr
}

// DependsOn says what the transitions of a parked goroutine depend on.
type DependsOn uint8

const (
	OnAll      DependsOn = iota // the whole state of the run
	OnCell                      // the cell that the first argument points to, and its shadow
	OnChannel                   // the state of a channel (see ChanContent)
	OnPartners                  // the state of channels, and the goroutines that wait there
	OnNothing                   // nothing: they change only by sched.Scheduler.Reconsider
)

// NeededBefore returns the registers whose values are needed at an instruction or after
// it, as a bit set.
func (fn *Function) NeededBefore(pc int32) []uint64 {
	if fn.needed == nil {
		fn.needed = fn.Needed()
	}
	return fn.needed.Before(int(pc))
}

// Bisimulation says which instructions continue in the same way.
func (fn *Function) Bisimulation() *code.Bisimulation {
	if fn.bisimulation == nil {
		fn.bisimulation = fn.Func.Bisimulation()
	}
	return fn.bisimulation
}

// A Primitive is what the scheduler knows of the implementation of a function without a
// Go body.
type Primitive struct {
	Name   string // of the function, as in code.Func.Name
	Number int    // in the machine's table of implementations
	// Transitions is not nil if the primitive is a visible operation. It appends to the
	// slice the transitions of a goroutine that is parked at the operation: one for each
	// way to carry it out in the current state or, if there is none, one with Enabled
	// unset.
	Transitions func(g *Goroutine, to []run.Transition) []run.Transition
	// DependsOn says what the transitions depend on, besides the arguments and the
	// goroutine's phase. They are not computed again while that has not changed.
	DependsOn DependsOn
	// MayOnlyRead says that the operation may turn out to change nothing.
	MayOnlyRead bool
	// Hides is not nil if a plan may hide the operation, and reports whether it may do so as g calls it by function fn.
	Hides func(g *Goroutine, fn *Function) bool
	// Learns says that the operation acquires the clock of the cell to which the first argument
	// points, and accesses nothing before but that cell, unless its transition commutes; Awaits
	// that it does so, in one of its phases, of what the operation left there that has let it go
	// on, if it had to wait.
	Learns, Awaits bool
	// Sleeps says that a goroutine whose phase is not 0 sleeps until Goroutine.When.
	Sleeps bool
	// Counts says that the cell of the first argument has a counter, which is made concrete.
	Counts bool
	// Shadows says that the implementation handles symbolic values. For other primitives
	// the arguments are made concrete.
	Shadows bool
}

// GroupWaitName is the name of the primitive in which a goroutine waits for a wait group. It
// makes a difference whether it has had to wait (Goroutine.Blocked).
const GroupWaitName = "sync.wgWait"

// Traps show a run to somebody while it goes on. They are set before a machine boots, and do not change after.
// Functions without traps run as fast as without any.
type Traps struct {
	// At returns the instructions of a function at which there is a trap; nil if there are no traps at all.
	At func(f *code.Func) []int32
	// Sprung is called before an instruction with a trap is carried out, each time that a goroutine comes to it: if it
	// waits there, once more when its step has been granted. Sprung may look at everything, and must change
	// nothing. If it returns false, the run stops there.
	Sprung func(g *Goroutine, f *Frame) bool

	instr code.Instr // the last one with a trap
}

// SetTraps sets the traps of f, whose code has just been set, and its stops.
func (m *State) SetTraps(f *Function) {
	if m.Traps.At != nil && f.Native == 0 {
		variant.Trap(f.Fused, f.Code, m.Traps.At(f.Func))
	}
	if at := m.Stops.of[f.ID]; len(at) > 0 {
		m.trapStops(f, at)
	}
}

// Sprung is called when g comes to in, an instruction of f with a trap. It returns the instruction to carry
// out, nil if the run stops or the goroutine waits there.
func (m *State) Sprung(g *Goroutine, f *Frame, in *code.Instr) *code.Instr {
	if m.Stops.of != nil && !m.stop(g, f) {
		return nil
	}
	if m.Decisions.At != nil {
		if t := m.decide(g, f); t != nil {
			return t
		}
	}
	if m.Traps.Sprung != nil && !m.Traps.Sprung(g, f) {
		m.Stop(run.Stopped, "")
		return nil
	}
	t := &m.Traps.instr
	*t = *in
	t.Op -= variant.Trapped
	return t
}

// Decisions are conditional jumps that somebody decides, whatever their conditions say. The jumps
// are set before a machine boots, and do not change after; who decides may be another one in each
// run.
type Decisions struct {
	At map[run.SiteID]bool // no copies of jumps
	// Decide returns whether a jump is taken, and false if it is not decided. Of a copy of a jump,
	// what is given and returned is of the original: that it would be taken, and is.
	Decide func(g *Goroutine, site run.SiteID, taken bool) (takes, ok bool)
	// Pass reports whether an instruction that panics is passed over, with zero as its result; nil if none is.
	Pass func(g *Goroutine, site run.SiteID) bool
	// Free reports whether what an instruction with an index yields may be anything, so that the
	// index is not made concrete: the element is that of the run, and no condition says so. It is
	// nil if none may, as where it matters what the run does with the element.
	Free func(site run.SiteID) bool
	// Jump is the jump to carry out instead of one that was decided: without what it counts for, so
	// that it is not carried out again after a pause.
	Jump code.Instr
}

// decide returns the jump to carry out instead of the one that f is at, if that is decided.
func (m *State) decide(g *Goroutine, f *Frame) *code.Instr {
	origin := f.Func.Origin(int(f.PC))
	site := run.SiteID{Func: f.Func.ID, Instr: int32(origin)}
	if !m.Decisions.At[site] || m.Decisions.Decide == nil {
		return nil
	}
	would, _ := jumps(f, g.Stack[f.Base:])
	taken, ok := m.Decisions.Decide(g, site, would == run.JumpTo)
	if !ok {
		return nil
	}
	if origin != int(f.PC) {
		taken = !taken // the copy of a jump is its inverse
	}
	t := &m.Decisions.Jump
	*t = code.Instr{Op: code.Jmp, D: f.Func.Code[f.PC].D}
	if !taken {
		t.D = f.PC + 1
	}
	return t
}

// Pass passes over the instruction at which g panics, a computation or the call of a function or a
// method that is not known, if somebody wants so. It does not pass over other instructions, such as
// a panic of the program. It reports whether it does.
func (m *State) Pass(g *Goroutine) bool {
	f := g.Top()
	if m.Decisions.Pass == nil || f == nil || f.Func.Code == nil || int(f.PC) >= len(f.Func.Code) {
		return false
	}
	in := &f.Func.Code[f.PC]
	calls := (in.Op == code.CallFn || in.Op == code.CallIface) && in.K == code.ModeCall
	if _, target := in.Flow(); target >= 0 || in.Op >= code.Closure && !calls || !m.Decisions.Pass(g, run.SiteID{Func: f.Func.ID, Instr: int32(f.Func.Origin(int(f.PC)))}) {
		return false
	}
	m.Preserve(g)
	writes := f.Func.Writes(in)
	if calls {
		writes = []code.Run{f.Func.CallResults(in)}
	}
	for _, w := range writes {
		first := int(f.Base) + int(w.First)
		clear(g.Stack[first : first+w.Words])
		if f.Symbolic {
			clear(g.Sym[first : first+w.Words])
		}
	}
	f.PC++
	return true
}

// Stops are the instructions before which goroutines stop: those of the plan (run.Visible), which let a scheduler
// see where goroutines are, and the places of a goal (run.Goal). They are traps that are set when a run begins.
// The head of a loop may have been compiled twice: both copies are one place then.
type Stops struct {
	of     map[int32][]int32 // the instructions, by the number of their function; nil if there are none
	places map[run.SiteID][]int
	waits  map[run.SiteID][]int // likewise, of the operations in which a goroutine may wait
	plan   map[run.SiteID]bool  // of which of was made
	goal   *run.Goal            // likewise
}

// Any reports whether there are stops.
func (s *Stops) Any() bool { return s.of != nil }

// In reports whether there are stops in a function.
func (s *Stops) In(f *Function) bool { return s.of != nil && len(s.of[f.ID]) > 0 }

// SetStops sets the stops of the run that begins.
func (m *State) SetStops() {
	s, plan := &m.Stops, m.Plan.Visible.Stops
	if s.goal == m.Goal && maps.Equal(s.plan, plan) && (s.of != nil || len(m.Decisions.At) == 0) {
		return
	}
	for id := range s.of {
		if f := m.function(run.SiteID{Func: id}); f != nil {
			f.Fused = variant.Fuse(f.Code)
			if m.Traps.At != nil && f.Native == 0 {
				variant.Trap(f.Fused, f.Code, m.Traps.At(f.Func))
			}
			f.Variants, f.Regions = nil, nil
		}
	}
	*s = Stops{plan: plan, goal: m.Goal}
	add := func(site run.SiteID) {
		if s.of == nil {
			s.of = make(map[int32][]int32)
		}
		if !slices.Contains(s.of[site.Func], site.Instr) {
			s.of[site.Func] = append(s.of[site.Func], site.Instr)
		}
	}
	for site := range plan {
		add(site)
	}
	for site := range m.Decisions.At {
		add(site)
	}
	if m.Goal != nil {
		s.places = make(map[run.SiteID][]int)
		for i, sites := range m.Goal.Places {
			for _, site := range sites {
				add(site)
				s.places[site] = append(s.places[site], i)
			}
		}
		s.waits = make(map[run.SiteID][]int)
		for i, sites := range m.Goal.Waits {
			for _, site := range sites {
				s.waits[site] = append(s.waits[site], i)
			}
		}
	}
	for id, at := range s.of {
		if f := m.function(run.SiteID{Func: id}); f != nil {
			m.trapStops(f, at)
			f.Variants, f.Regions = nil, nil
		}
	}
}

// trapStops sets traps at the stops of a function.
func (m *State) trapStops(f *Function, at []int32) {
	traps := slices.DeleteFunc(slices.Clone(at), func(i int32) bool { return int(i) >= len(f.Code) })
	for copied, of := range f.Repeats {
		if slices.Contains(at, int32(of)) {
			traps = append(traps, int32(copied))
		}
	}
	traps = slices.DeleteFunc(traps, func(i int32) bool { return f.Fused[i].Op >= variant.Trapped })
	variant.Trap(f.Fused, f.Code, traps)
}

// stop is called when g comes to an instruction with a trap. It returns false if g stops there.
func (m *State) stop(g *Goroutine, f *Frame) bool {
	site := run.SiteID{Func: f.Func.ID, Instr: int32(f.Func.Origin(int(f.PC)))}
	places := m.Stops.places[site]
	if places == nil && !slices.Contains(m.Stops.of[site.Func], site.Instr) {
		return true
	}
	if places == nil && m.Decisions.At[site] && !m.Stops.plan[site] {
		return true
	}
	next := int64(run.Stops)
	switch {
	case m.SuspendBoot(g): // what comes after a place of the goal is part of every run
		return false
	case g.Granted && g.At != AtStop:
		return true // it has been here, and has waited since for its turn to carry out the instruction
	case len(places) > 0 && len(m.Goal.Places) == 1:
		m.Trace.Reached = &run.Reached{Goroutines: []run.StackTrace{m.StackTrace(g, len(g.Frames))}}
		return m.Stop(run.Stopped, "")
	case g.Granted && g.Pending.Delta == run.Arrives:
		g.Granted = false
		next = run.Leaves
	case g.Granted:
		g.Granted = false
		return true
	case len(places) > 0:
		next = run.Arrives
	}
	g.Pending = run.Transition{
		Decision: run.Decision{Goroutine: g.ID},
		Op:       schedule.Yield, Object: run.NoObject, Cells: 1, Partner: -1, Site: site, Enabled: true, Delta: next,
	}
	g.Pending.State, g.Pending.Offset = jumps(f, g.Stack[f.Base:])
	if next != run.Stops {
		// The order of these steps makes a difference, as that of updates of a variable does.
		g.Pending.Op, g.Pending.Object, g.Pending.Offset = schedule.AtomicUpdate, run.GoalObject, 0
	}
	m.Park(g, AtStop)
	m.Fault = NoFault
	if next == run.Leaves {
		m.noteReached()
	}
	return false
}

// stayAtGoal is called when g is to wait for a visible operation. If that is a part of what stands
// at a place of the goal, and not the first, g is there until it goes on with that part: as when it
// waits in a call of Wait. It is at the place from one step of its own on, and until another. It
// reports whether g waits for one of these first.
func (m *State) stayAtGoal(g *Goroutine, at parkedAt) bool {
	if len(m.Stops.waits) == 0 || at != AtPrimitive && at != AtCommunication {
		return false
	}
	next := int64(run.Arrives)
	switch leaves := g.Pending.Delta == run.Leaves; {
	case g.At == AtStop && leaves, g.At == AtGoal && leaves:
		return false // it has just left the place, to go on with this part
	case g.At == AtGoal:
		next = run.Leaves
	}
	of := m.Stops.waits[m.goalSite(g)]
	if len(of) == 0 {
		return false
	}
	site := m.Goal.Places[of[0]][0] // of several instances, one stands for all
	g.Pending = run.Transition{
		Decision: run.Decision{Goroutine: g.ID},
		Op:       schedule.AtomicUpdate, Object: run.GoalObject, Cells: 1, Partner: -1, Site: site, Enabled: true, Delta: next, State: run.NoJump,
	}
	m.Park(g, AtGoal)
	if next == run.Leaves {
		m.noteReached()
	}
	return true
}

// goalSite returns the innermost site outside the standard library on the stack of g, as the places of a goal have it.
func (m *State) goalSite(g *Goroutine) run.SiteID {
	at := m.CallerOf(g)
	if f := m.function(at); f != nil {
		at.Instr = int32(f.Origin(int(at.Instr)))
	}
	return at
}

// isAtPlace reports whether g is at a place of the goal: before it, or in its operation, in which
// it has had to wait, or which it has gone on with in part.
func (m *State) isAtPlace(g *Goroutine, i int) bool {
	if g.Status != Parked {
		return false
	}
	switch g.At {
	case AtStop:
		return g.Pending.Delta == run.Leaves && slices.Contains(m.Stops.places[g.Pending.Site], i)
	case AtGoal:
		return g.Pending.Delta == run.Leaves && slices.Contains(m.Stops.waits[m.goalSite(g)], i)
	case AtPrimitive, AtCommunication:
		return g.Blocked && slices.Contains(m.Stops.waits[m.goalSite(g)], i)
	}
	return false
}

// noteReached ends the run if different goroutines are at all places of the goal.
func (m *State) noteReached() {
	at := make([]*Goroutine, len(m.Goal.Places))
	var match func(i int) bool
	match = func(i int) bool {
		if i == len(at) {
			return true
		}
		for _, g := range m.Goroutines {
			if !slices.Contains(at[:i], g) && m.isAtPlace(g, i) {
				if at[i] = g; match(i + 1) {
					return true
				}
			}
		}
		at[i] = nil
		return false
	}
	if !match(0) {
		return
	}
	reached := &run.Reached{}
	for _, g := range at {
		reached.Goroutines = append(reached.Goroutines, m.StackTrace(g, len(g.Frames)))
	}
	m.Trace.Reached = reached
	m.Stop(run.Stopped, "")
}

// jumps says whether the instruction at which f is, with registers r, is a conditional jump that
// will be taken, and if it compares numbers, how far they are apart. Of a copy, it says so of the
// original.
func jumps(f *Frame, r []heap.Word) (outcome int64, apart int32) {
	in := &f.Func.Code[f.PC]
	var a, b uint64
	switch in.Op {
	case code.JmpIf, code.JmpIfNot, code.JmpEqI, code.JmpNeI, code.JmpLtSI, code.JmpLeSI, code.JmpGtSI, code.JmpGeSI:
		a, b = r[in.A].N, uint64(int64(in.C))
	case code.JmpEq, code.JmpNe, code.JmpLtS, code.JmpLeS, code.JmpLtU, code.JmpLeU:
		a, b = r[in.A].N, r[in.B].N
	}
	taken := false
	switch in.Op {
	case code.JmpIf:
		taken = a != 0
	case code.JmpIfNot:
		taken = a == 0
	case code.JmpEq, code.JmpEqI:
		taken = a == b
	case code.JmpNe, code.JmpNeI:
		taken = a != b
	case code.JmpLtS, code.JmpLtSI:
		taken = int64(a) < int64(b)
	case code.JmpLeS, code.JmpLeSI:
		taken = int64(a) <= int64(b)
	case code.JmpLtU:
		taken = a < b
	case code.JmpLeU:
		taken = a <= b
	case code.JmpGtSI:
		taken = int64(a) > int64(b)
	case code.JmpGeSI:
		taken = int64(a) >= int64(b)
	case code.JmpNil:
		taken = r[in.A].IsNil()
	case code.JmpNotNil:
		taken = !r[in.A].IsNil()
	default:
		return run.NoJump, 0
	}
	if d := int64(a - b); in.Op != code.JmpIf && in.Op != code.JmpIfNot {
		apart = int32(min(max(d, -d, 0), math.MaxInt32))
	}
	if taken != (f.Func.Origin(int(f.PC)) != int(f.PC)) { // the copy of a jump is its inverse
		return run.JumpTo, apart
	}
	return run.JumpPast, apart
}
