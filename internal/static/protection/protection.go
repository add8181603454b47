package protection

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/callgraph"
	"github.com/everyway-go/everyway/internal/static/control"
	"github.com/everyway-go/everyway/internal/static/lockset"
	"github.com/everyway-go/everyway/internal/static/pointsto"
	"github.com/everyway-go/everyway/internal/static/reaching"
)

// A Config says what a Program is made of.
type Config struct {
	Calls       *callgraph.Graph
	Pointers    *pointsto.Result
	Definitions *reaching.Program
	Locks       *lockset.Result
	Control     func(*ssa.Function) *control.Graph
	// Early reports whether an instruction is only executed while there is one goroutine.
	Early func(ssa.Instruction) bool
	// Beginning is the goroutine in which a target begins; nil if nothing is known of it.
	Beginning *Beginning
	// Own reports whether a function is looked at for numbers: those of the standard library are not.
	Own func(*ssa.Function) bool
}

// A Program knows the locks of a program, and what they protect.
type Program struct {
	Config
	waits map[*callgraph.Node]bool // what may wait for a condition
	loose []ssa.CallInstruction    // calls that may unlock what their goroutine has not locked

	guards  map[ssa.Value][]guard // see guardsOf
	bounds  []Bound
	numbers *bounding // what has found the bounds, nil if nobody has asked for them

	relations []Relation
	related   bool
}

// New returns what is known of a program.
func New(cfg Config) *Program {
	p := &Program{Config: cfg, waits: make(map[*callgraph.Node]bool), guards: make(map[ssa.Value][]guard)}
	var work []*callgraph.Node
	for _, n := range cfg.Calls.Nodes {
		if n.Name == conditionWait {
			p.waits[n] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range n.Callers() {
			if s.Mode != callgraph.Go && !p.waits[s.Caller] {
				p.waits[s.Caller] = true
				work = append(work, s.Caller)
			}
		}
	}
	for _, n := range cfg.Calls.Nodes {
		if strings.HasPrefix(n.Name, "sync.") || n.Body == nil {
			continue
		}
		for _, s := range n.Sites {
			if s.Instr != nil && s.Mode != callgraph.Go && p.isOurs(s) && !p.isBalanced(s) {
				p.loose = append(p.loose, s.Instr)
			}
		}
	}
	return p
}

// conditionWait is a function that unlocks and locks again.
const conditionWait = "sync.(*Cond).Wait"

// unlocks are the functions that unlock their receiver, and locks those that lock it.
var (
	unlocks = map[string]bool{
		"sync.(*Mutex).Unlock": true, "sync.(*RWMutex).Unlock": true, "sync.(*RWMutex).RUnlock": true,
		"sync.(*rlocker).Unlock": true,
	}
	locks = map[string]bool{"sync.(*Mutex).Lock": true, "sync.(*RWMutex).Lock": true}
)

// callees returns the functions that a site may call.
func (p *Program) callees(s *callgraph.Site) []*callgraph.Node {
	return slices.DeleteFunc(slices.Clone(s.Callees()), func(n *callgraph.Node) bool { return !p.Pointers.MayCall(s, n) })
}

// isOurs reports whether a call is one of the program's own, or may unlock what the program's own code has made.
func (p *Program) isOurs(s *callgraph.Site) bool {
	if p.Own(s.Caller.Body) {
		return true
	}
	call := s.Instr.Common()
	if !slices.ContainsFunc(p.callees(s), func(c *callgraph.Node) bool { return unlocks[c.Name] }) {
		return false
	}
	if call.IsInvoke() {
		return len(p.Pointers.Receivers(call.Value)) > 0
	}
	return len(call.Args) > 0 && len(p.Pointers.Of(call.Args[0])) > 0
}

// isBalanced reports whether a call, if it may unlock something, unlocks what its goroutine has
// certainly locked. Of what a condition has for a lock it is asked that the goroutine holds
// something.
func (p *Program) isBalanced(s *callgraph.Site) bool {
	may := false
	for _, c := range p.callees(s) {
		if c.Name == conditionWait && len(p.Locks.Must(s.Instr)) == 0 {
			return false
		}
		may = may || unlocks[c.Name]
	}
	if !may {
		return true
	}
	call := s.Instr.Common()
	if call.IsInvoke() || len(call.Args) == 0 {
		return false
	}
	is := func(at ssa.Instruction) bool { return slices.Contains(p.Locks.Must(at), pathOf(call.Args[0])) }
	if s.Mode == callgraph.Defer { // it is made when the function ends
		return !slices.ContainsFunc(s.Instr.Parent().Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
				_, runs := instr.(*ssa.RunDefers)
				return runs && s.Instr.Block().Dominates(b) && !is(instr)
			})
		}) && is(s.Instr)
	}
	return is(s.Instr)
}

// A guard is a lock that protects something: that of a package variable, or the one to which fields
// lead in the struct that has what it protects.
type guard struct {
	global lockset.Path // Root is nil for the others
	strct  types.Type
	fields string // as in lockset.Path
}

func (g guard) is(other guard) bool {
	return g.global == other.global && g.fields == other.fields &&
		(g.strct == other.strct || g.strct != nil && other.strct != nil && types.Identical(g.strct, other.strct))
}

// pathOf returns the path of an address: the value from which fields lead there.
func pathOf(addr ssa.Value) lockset.Path {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		p := pathOf(a.X)
		p.Fields += strconv.Itoa(a.Field) + "."
		return p
	case *ssa.ChangeType:
		return pathOf(a.X)
	}
	return lockset.Path{Root: addr}
}

// containers returns the addresses of the structs that an address is a part of, the innermost one first.
func containers(addr ssa.Value) (list []ssa.Value) {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			if _, isSlice := a.X.Type().Underlying().(*types.Slice); isSlice {
				return list
			}
			addr = a.X
		case *ssa.ChangeType:
			addr = a.X
		default:
			return list
		}
		if s := pointed(addr); s != nil {
			if _, ok := s.Underlying().(*types.Struct); ok {
				list = append(list, addr)
			}
		}
	}
}

// pointed returns the type of what a pointer points to, nil if it is none.
func pointed(v ssa.Value) types.Type {
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	return ptr.Elem()
}

// exclusive returns the locks that a goroutine certainly holds at an instruction so that nobody else does.
func (p *Program) exclusive(at ssa.Instruction) []lockset.Path {
	var list []lockset.Path
	for _, path := range p.Locks.Must(at) {
		if isMutex(path) {
			list = append(list, path)
			continue
		}
		for _, h := range p.Locks.Held([]ssa.Instruction{at}) {
			if h.Sure && h.Path == path && len(h.By) > 0 && !slices.ContainsFunc(h.By, isRead) {
				list = append(list, path)
				break
			}
		}
	}
	return list
}

// isMutex reports whether a lock is a Mutex, and not an RWMutex.
func isMutex(path lockset.Path) bool {
	t := pointed(path.Root)
	for _, f := range path.FieldNumbers() {
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		t = s.Field(f).Type()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync" && named.Obj().Name() == "Mutex"
}

// isRead reports whether a site locks for reading, as far as that is known.
func isRead(s *callgraph.Site) bool {
	return slices.ContainsFunc(s.Callees(), func(n *callgraph.Node) bool {
		return !locks[n.Name] && n.Name != "sync.(*Mutex).TryLock" && n.Name != "sync.(*RWMutex).TryLock"
	})
}

// guardsAt returns the locks of some paths as guards of what is at an address.
func guardsAt(paths []lockset.Path, addr ssa.Value) (list []guard) {
	for _, path := range paths {
		if _, ok := path.Root.(*ssa.Global); ok {
			list = append(list, guard{global: path})
		}
		for _, c := range containers(addr) {
			at := pathOf(c)
			if rest, ok := strings.CutPrefix(path.Fields, at.Fields); ok && at.Root == path.Root {
				list = append(list, guard{strct: pointed(c), fields: rest})
			}
		}
	}
	return list
}

// guardsOf returns the locks that protect what is at an address: all who write there hold them.
func (p *Program) guardsOf(addr ssa.Value) []guard {
	list, known := p.guards[addr]
	if known {
		return list
	}
	first := true
	if !p.Definitions.Written(addr, func(w ssa.Instruction) bool {
		if p.isAlone(w) {
			return false
		}
		to := reaching.Written(w)
		if to == nil {
			return true
		}
		held := guardsAt(p.exclusive(w), to)
		if first {
			list, first = held, false
		} else {
			list = slices.DeleteFunc(list, func(g guard) bool { return !slices.ContainsFunc(held, g.is) })
		}
		return len(list) == 0
	}) {
		list = slices.DeleteFunc(slices.Clone(list), p.isLoose)
	} else {
		list = nil
	}
	p.guards[addr] = list
	return list
}

// isAlone reports whether an instruction writes while nobody else can know of what it writes.
func (p *Program) isAlone(w ssa.Instruction) bool {
	if p.Early(w) {
		return true
	}
	to := reaching.Written(w)
	if to == nil {
		return false
	}
	alloc, ok := reaching.Root(to).(*ssa.Alloc)
	return ok && !reaching.Leaks(alloc, w)
}

// isLoose reports whether a goroutine may unlock a lock that another one has locked.
func (p *Program) isLoose(g guard) bool {
	return slices.ContainsFunc(p.loose, func(call ssa.CallInstruction) bool {
		for _, c := range p.callees(p.Calls.Site(call)) {
			if c.Name == conditionWait {
				return true
			}
		}
		return p.mayBe(g, call.Common())
	})
}

// mayBe reports whether a call of a method of a lock may be about a lock that is a guard.
func (p *Program) mayBe(g guard, call *ssa.CallCommon) bool {
	switch {
	case call.IsInvoke():
		return p.among(g, p.Pointers.Receivers(call.Value))
	case len(call.Args) == 0:
		return true
	}
	addr := call.Args[0]
	if g.global.Root == nil {
		for _, c := range containers(addr) {
			if rest, ok := strings.CutPrefix(pathOf(addr).Fields, pathOf(c).Fields); ok && types.Identical(pointed(c), g.strct) {
				return rest == g.fields
			}
		}
	}
	return p.among(g, p.Pointers.Of(addr))
}

// among reports whether a guard may be one of some locks. If there are none, it is not known which ones they are.
func (p *Program) among(g guard, labels []pointsto.Label) bool {
	if len(labels) == 0 {
		return true
	}
	var of []pointsto.Label
	if g.global.Root != nil {
		of = p.Locks.Labels(g.global)
	}
	return slices.ContainsFunc(labels, func(l pointsto.Label) bool {
		if g.global.Root != nil {
			return slices.Contains(of, l)
		}
		return l.Type == nil || hasPart(l.Type, g.strct)
	})
}

// hasPart reports whether a variable of a type, or an element of it, is or has a part of another one.
func hasPart(t, part types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		t = u.Elem()
	case *types.Map:
		t = u.Elem()
	case *types.Chan:
		t = u.Elem()
	}
	return isIn(part, t)
}

// isIn reports whether a variable of a type is or has a part of another one.
func isIn(part, t types.Type) bool {
	if types.Identical(t, part) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if isIn(part, f.Type()) {
				return true
			}
		}
	case *types.Array:
		return isIn(part, t.Elem())
	}
	return false
}
