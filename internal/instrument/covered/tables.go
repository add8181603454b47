package covered

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// operators are those of conditions that a program can compute.
var operators = []expr.Op{
	expr.Const, expr.Var, expr.Not, expr.Neg, expr.And, expr.Or, expr.Xor, expr.Add, expr.Sub, expr.Mul, expr.UDiv, expr.SDiv, expr.URem,
	expr.SRem, expr.Shl, expr.LShr, expr.AShr, expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle, expr.Ite, expr.Extract, expr.Concat,
	expr.ZExt, expr.SExt, expr.UMulHi,
}

// operations are those of nodes, by the names of their constants.
var operations = map[string]schedule.Op{
	"opLock": schedule.Lock, "opUnlock": schedule.Unlock, "opRLock": schedule.RLock, "opRUnlock": schedule.RUnlock,
	"opTryFail": schedule.TryFail, "opLockIntent": schedule.LockIntent,
	"opAtomicRead": schedule.AtomicRead, "opAtomicWrite": schedule.AtomicWrite, "opAtomicUpdate": schedule.AtomicUpdate,
	"opSend": schedule.Send, "opRecv": schedule.Recv, "opRecvClosed": schedule.RecvClosed, "opClose": schedule.Close,
	"opSelectDefault": schedule.SelectDefault, "opLenChan": schedule.LenChan,
	"opWaitGroupAdd": schedule.WaitGroupAdd, "opWaitGroupWait": schedule.WaitGroupWait,
	"opCondWait": schedule.CondWait, "opCondWake": schedule.CondWake, "opCondSignal": schedule.CondSignal,
	"opSpawn": schedule.Spawn, "opOnce": schedule.Once, "opOnceSeen": schedule.OnceSeen,
}

// A writer writes the tables of package everyway/cover.
type writer struct {
	*program
	bytes.Buffer
	places  []string
	numbers map[string]int // of places
	terms   map[term]int
	list    []string // the terms
	summary Summary
}

// A term is an expression of an epoch, whose inputs have numbers of its own.
type term struct {
	epoch int // 0 if there is no variable in it
	of    expr.ID
}

// tables returns the source of the tables of package everyway/cover.
func (p *program) tables(o Options) ([]byte, *Summary, error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	w := &writer{program: p, numbers: map[string]int{}, terms: map[term]int{}}
	w.summary.Sites, w.summary.Variables = len(p.sites), p.places
	w.WriteString("package cover\n\n")
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		fmt.Fprintf(w, "const %s = %d\n", name, operations[name])
	}
	for _, op := range operators {
		fmt.Fprintf(w, "const op%s = %d\n", op, op)
	}
	most, random := 1, false
	for _, e := range p.set.Epochs {
		for _, in := range e.Inputs {
			random = random || in.Root.Kind == cover.Sym
		}
		for _, sc := range e.Schedules {
			most = max(most, goroutines(e, sc))
		}
	}
	size := 1
	for size < most {
		size *= 2
	}
	fmt.Fprintf(w, "\nconst (\n\tmost = %d\n\tslots = %d\n\tallow = %t\n\tdrawsRandomly = %t\n\tprocessors = %d\n\n)\n\nvar flags = %#v\n", size, max(p.places, len(p.globals)), o.Allow, random, p.set.Processors, []string(p.set.Flags))
	fmt.Fprintf(w, "\nvar epochs = [...]epoch{\n")
	for i, e := range p.set.Epochs {
		if err := w.epoch(i, e); err != nil {
			return nil, nil, err
		}
	}
	fmt.Fprintf(w, "}\n\nvar terms = [...]term{%s{}}\n", strings.Join(w.list, ""))
	fmt.Fprintf(w, "\nvar sites = [...]site{\n")
	for _, s := range p.sites {
		var list []string
		for _, place := range s.places {
			if n, ok := w.numbers[place]; ok {
				list = append(list, strconv.Itoa(n))
			}
		}
		fmt.Fprintf(w, "{%q, []int32{%s}},\n", s.name, strings.Join(list, ", "))
	}
	fmt.Fprintf(w, "}\n\nvar places = [...]string{\n")
	for _, place := range w.places {
		fmt.Fprintf(w, "%q,\n", place)
	}
	fmt.Fprintf(w, "\"\"}\n")
	text, err := format.Source(w.Bytes())
	if err != nil {
		return nil, nil, fmt.Errorf("writing the tables of schedules: %w", err)
	}
	w.summary.Terms = len(w.list)
	return text, &w.summary, nil
}

// goroutines returns how many take part in a schedule.
func goroutines(e *cover.Epoch, sc *cover.Schedule) int {
	n := len(e.Goroutines)
	for _, node := range sc.Nodes {
		n = max(n, node.Child+1)
	}
	return n
}

// place returns the number of a place.
func (w *writer) place(position string) int {
	if position == "" {
		return -1
	}
	n, ok := w.numbers[position]
	if !ok {
		n = len(w.places)
		w.places = append(w.places, position)
		w.numbers[position] = n
	}
	return n
}

func (w *writer) epoch(number int, e *cover.Epoch) error {
	var starts []string
	for _, g := range e.Goroutines {
		starts = append(starts, g.String())
	}
	fmt.Fprintf(w, "{name: %q, goroutines: %d, plans: []plan{\n", strings.ReplaceAll(strings.Join(starts, ", "), `"`, ""), len(e.Goroutines))
	for _, sc := range e.Schedules {
		if err := w.schedule(e, sc); err != nil {
			return err
		}
	}
	t, err := newTree(w.set.Arena, e)
	if err != nil {
		return err
	}
	w.summary.Decisions += len(t.decisions)
	fmt.Fprintf(w, "}, root: %d, tree: []decision{", t.root)
	for _, d := range t.decisions {
		n, err := w.term(number, e, d.condition)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "{%d, %d, %d},", n, d.yes, d.no)
	}
	fmt.Fprintf(w, "}, inputs: []input{\n")
	apart := map[int]bool{} // goroutines that conditions are about
	for i := range e.Inputs {
		if err := w.input(number, i, &e.Inputs[i], apart); err != nil {
			return err
		}
	}
	groups := alike(e, apart)
	if groups != "" && slices.ContainsFunc(e.Inputs, func(in cover.Input) bool { return in.Root.Kind == cover.Decided }) {
		return refuse("epoch %d: variables tell apart goroutines that are at equal places, and something is decided after that: which of them is which is not known in time", number)
	}
	fmt.Fprintf(w, "}, alike: [][]int32{%s}},\n", groups)
	return nil
}

// alike returns the groups of goroutines at equal places, one of which conditions are about.
func alike(e *cover.Epoch, apart map[int]bool) string {
	groups := map[string][]int{}
	for i, g := range e.Goroutines {
		groups[g.String()] = append(groups[g.String()], i)
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		group := groups[key]
		if len(group) < 2 || !slices.ContainsFunc(group, func(g int) bool { return apart[g] }) {
			continue
		}
		fmt.Fprintf(&b, "{%s},", numbers(group))
	}
	return b.String()
}

func numbers(list []int) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ", ")
}

func (w *writer) input(epoch, number int, in *cover.Input, apart map[int]bool) error {
	v := w.inputs[input{epoch, number}]
	if in.Root.Kind == cover.Decided {
		d := slices.IndexFunc(w.set.Decisions, func(d cover.Decision) bool { return d.Position == in.Root.Position })
		fmt.Fprintf(w, "{kind: decided, name: %q, slot: %d, goroutine: %d, time: %d, width: 1},\n",
			in.Name, d, in.Root.Goroutine, in.Root.Time)
		return nil
	}
	if v == nil {
		// It is drawn, or no condition is about it.
		fmt.Fprintf(w, "{name: %q, width: %d", in.Root.Name, in.Width)
		if in.Ranged {
			fmt.Fprintf(w, ", ranged: true, low: %d, size: %d", in.Low, in.Size)
		}
		fmt.Fprintf(w, "},\n")
		return nil
	}
	path, err := w.path(v.typ, in)
	if err != nil {
		return err
	}
	var steps []string
	for _, s := range path {
		steps = append(steps, fmt.Sprintf("{%s, %d, %d}", s.kind, s.n, s.size))
	}
	kind := "global"
	if in.Root.InFrame() {
		kind = "local"
		apart[in.Root.Goroutine] = true
	}
	fmt.Fprintf(w, "{kind: %s, name: %q, slot: %d, goroutine: %d, width: %d, steps: []pathStep{%s}},\n",
		kind, in.Name, v.slot, in.Root.Goroutine, in.Width, strings.Join(steps, ", "))
	return nil
}

func (w *writer) schedule(e *cover.Epoch, sc *cover.Schedule) error {
	n := goroutines(e, sc)
	nodes := make([][]string, n)
	// at is where a node is: its number among those of its goroutine.
	at := make([]int, len(sc.Nodes))
	for i, node := range sc.Nodes {
		at[i] = len(nodes[node.Goroutine])
		after := func(j int) string { return fmt.Sprintf("{%d, %d}", sc.Nodes[j].Goroutine, at[j]) }
		kind := strconv.Itoa(int(node.Op))
		if node.Bypass {
			kind = "bypass"
		}
		text := fmt.Sprintf("{place: %d, kind: %s, alt: %d, child: %d", w.place(node.Position), kind, node.Alt, node.Child)
		from := "{0, -1}"
		if node.From >= 0 {
			from = after(node.From)
		}
		text += ", from: after" + from
		if len(node.After) > 0 {
			var list []string
			for _, j := range node.After {
				list = append(list, after(j))
			}
			text += ", after: []after{" + strings.Join(list, ", ") + "}"
		}
		nodes[node.Goroutine] = append(nodes[node.Goroutine], text+"}")
	}
	fmt.Fprintf(w, "{nodes: [][]node{\n")
	for _, list := range nodes {
		fmt.Fprintf(w, "{%s},\n", strings.Join(list, ", "))
	}
	fmt.Fprintf(w, "}, kind: %s, when: %q", map[cover.EndKind]string{
		cover.Exit: "exits", cover.NewEpoch: "goesOn", cover.Deadlock: "deadlocks", cover.Early: "dies",
	}[sc.End.Kind], cmp.Or(w.set.When(sc), "all states"))
	if sc.End.Kind == cover.Early {
		fmt.Fprintf(w, ", by: %d", sc.End.By)
	}
	if !sc.End.Kind.Ends() {
		fmt.Fprintf(w, ", ends: []end{")
		for _, g := range sc.End.Goroutines {
			place := -1
			if len(g.Stack) > 0 {
				place = w.place(g.Stack[0])
			}
			kind, ok := map[cover.PlaceKind]string{cover.Marked: "marked", cover.Blocked: "blocked", cover.Ended: "ended"}[g.Kind]
			if !ok {
				return fmt.Errorf("a goroutine ends an epoch at %s", g)
			}
			fmt.Fprintf(w, "{%s, %d},", kind, place)
		}
		fmt.Fprintf(w, "}")
	}
	if sc.End.Kind == cover.NewEpoch {
		fmt.Fprintf(w, ", next: %d, numbers: []int32{%s}", sc.End.Epoch, numbers(sc.End.Next))
	}
	fmt.Fprintf(w, "},\n")
	return nil
}

// term returns the number of the term for an expression.
func (w *writer) term(epoch int, e *cover.Epoch, x expr.ID) (int, error) {
	a := w.set.Arena
	if n, ok := w.terms[term{epoch, x}]; ok {
		return n, nil
	}
	op := a.Op(x)
	if op == expr.Select {
		if y := element(a, a.Arg(x, 0), a.Arg(x, 1)); y != expr.None {
			return w.term(epoch, e, y)
		}
	}
	if op >= expr.FAdd { // those of floating-point numbers are the last ones
		return 0, refuse("epoch %d: the condition %s is computed with floating-point numbers, and programs that are built decide by integers: compare integers, or draw the number with sym.Float64, which branches decide by as the program runs", epoch, a.String(x))
	}
	if !slices.Contains(operators, op) {
		return 0, refuse("epoch %d: the condition %s cannot be decided by a program", epoch, a.String(x))
	}
	var args [3]int
	of := uint8(0)
	for i := range op.NumArgs() {
		n, err := w.term(epoch, e, a.Arg(x, i))
		if err != nil {
			return 0, err
		}
		args[i] = n
		if i == 0 {
			of = a.Width(a.Arg(x, 0))
		}
	}
	value := uint64(0)
	lo := uint8(0)
	switch op {
	case expr.Const:
		value, _ = a.ConstValue(x)
	case expr.Var:
		i := slices.IndexFunc(e.Inputs, func(in cover.Input) bool { return in.Name == a.VarName(x) })
		if i < 0 {
			return 0, fmt.Errorf("epoch %d has no input %s", epoch, a.VarName(x))
		}
		value = uint64(i)
	case expr.Extract:
		lo = a.ExtractLo(x)
	}
	n := len(w.list)
	w.terms[term{epoch, x}] = n
	w.list = append(w.list, fmt.Sprintf("{%d, %d, %d, %d, %d, %d, %d, %d},\n", op, a.Width(x), lo, of, args[0], args[1], args[2], value))
	return n, nil
}

// maxElements is how long an array may be of which a program decides which element it takes.
const maxElements = 256

// element returns the element of an array at an index, a choice among all that it may be; none if these are too many.
func element(a *expr.Arena, array, index expr.ID) expr.ID {
	width, _ := a.ArrayWidths(array)
	if a.Op(array) == expr.Store {
		below := element(a, a.Arg(array, 0), index)
		if below == expr.None {
			return expr.None
		}
		return a.Ite(a.Eq(index, a.Arg(array, 1)), a.Arg(array, 2), below)
	}
	last := a.NumArgs(array) - 1 // what is at all other indexes
	if last > maxElements {
		return expr.None
	}
	x := a.Arg(array, last)
	for i := last - 1; i >= 0; i-- {
		x = a.Ite(a.Eq(index, a.Const(uint64(i), width)), a.Arg(array, i), x)
	}
	return x
}
