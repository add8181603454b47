package contexts

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// structureTypes are the types of a program in structureProgram and the functions that keep apart
// what two owners have. The name of everything ends in N.
const structureTypes = `
type nodeN struct {
	next *nodeN
	in   *listN
	val  int
}

type listN struct {
	head *nodeN
	all  []*nodeN
	n    int
}

type headsN interface{ first() *nodeN }

func (l *listN) first() *nodeN { return l.head }

type ownerN struct {
	list  *listN
	byVal map[int]*nodeN
	heads headsN
	x     int
}

var (
	keptN  *nodeN
	listsN = make(chan *listN, 4)
	anyN   any
)

func newListN() *listN { return new(listN).initN() }

func (l *listN) initN() *listN {
	l.head = nil
	return l
}

func newN() *ownerN {
	o := &ownerN{list: newListN(), x: 0}
	o.heads = newListN()
	o.byVal = make(map[int]*nodeN)
	return o
}

func (l *listN) pushN(n *nodeN) *nodeN {
	n.next = l.head
	n.in = l
	l.head = n
	l.all = append(l.all, n)
	return n
}

func (o *ownerN) addN(v int) {
	o.list.pushN(&nodeN{val: v})
	o.byVal[v] = o.list.head
	o.x++
}

func (o *ownerN) popN() *nodeN {
	n := o.list.head
	if n != nil {
		o.list.head = n.next
		n.next = nil
	}
	return n
}

func (o *ownerN) rotateN() {
	if n := o.popN(); n != nil {
		o.list.pushN(n)
	}
}

func pairN() (*nodeN, *nodeN) {
	n := &nodeN{val: 1}
	return n, n
}

func bothN() (*ownerN, *nodeN) {
	o := newN()
	n := o.list.pushN(&nodeN{})
	return o, n
}

func linkN(n, to *nodeN, depth int) {
	if depth > 0 {
		linkN(n, to, depth-1)
		return
	}
	n.next = to
}

func sameN(n *nodeN) *nodeN { return n }
`

// structureMethods are methods of these types that only package reflect and package errors call.
const structureMethods = `
func (n *nodeN) Error() string { return "node" }

func (l *listN) Push(n *nodeN) { l.pushN(n) }
`

// Operations on the owners a and b. Those that share come last.
var (
	separateOperations = []string{
		"a.addN(1)",
		"b.addN(2)",
		"a.rotateN()",
		"a.addN(3)\n\ta.popN()",
		"keptN = nil",
		"for i := range 2 {\n\t\tb.addN(i)\n\t}",
		"b.addN(7)",
		"a.list.initN()",
		"for _, o := range []*ownerN{a, b} {\n\t\to.list.head = &nodeN{val: 4}\n\t}",
		"a.list = newListN()",
		"for range 2 {\n\t\to := newN()\n\t\to.addN(3)\n\t\ta = o\n\t}",
		"b.list.pushN(&nodeN{val: 8})",
		"c := a\n\tif b.x > 1 {\n\t\tc = b\n\t}\n\tc.addN(5)",
		"defer a.rotateN()",
		"func() { a.addN(6) }()",
	}
	sharingOperations = []string{
		"a.list.head = b.list.head",
		"b.list = a.list",
		"n := &nodeN{}\n\ta.list.pushN(n)\n\tb.byVal[0] = n",
		"a.addN(1)\n\tkeptN = a.list.head\n\tb.list.head = keptN",
		"n := &nodeN{val: 9}\n\tfor _, o := range []*ownerN{a, b} {\n\t\to.list.head = n\n\t}",
		"a.addN(1)\n\tvar before *ownerN\n\tfor _, o := range []*ownerN{a, b} {\n\t\tif before != nil {\n\t\t\to.list.head = before.list.head\n\t\t}\n\t\tbefore = o\n\t}",
		"n, m := pairN()\n\ta.list.head = n\n\tb.list.head = m",
		"o, n := bothN()\n\ta = o\n\tb.list.head = n",
		"a.addN(1)\n\tb.addN(2)\n\tlinkN(a.list.head, b.list.head, 2)",
		"a.addN(1)\n\t*b.list = *a.list",
		"a.addN(1)\n\tb.byVal = maps.Clone(a.byVal)",
		"a.heads = b.list",
		"a.addN(1)\n\tb.list.all = append(b.list.all, a.list.all...)",
		"a.addN(1)\n\tb.addN(2)\n\tcopy(b.list.all, a.list.all)",
		"a.addN(1)\n\tb.list.all = slices.Clone(a.list.all)",
		"listsN <- a.list\n\tb.list = <-listsN",
		"a.addN(1)\n\tanyN = a.list.head\n\tb.list.head, _ = anyN.(*nodeN)",
		"a.addN(1)\n\tp := &b.list.head\n\t*p = a.list.head",
		"b.addN(1)\n\tn := b.list.head\n\tfunc() { a.list.head = n }()",
		"a.addN(1)\n\tset := func(o *ownerN, n *nodeN) { o.list.head = n }\n\tset(b, a.list.head)",
		"a.addN(1)\n\tb.list.head = sameN(a.list.head)",
		"a.addN(1)\n\tfor _, n := range a.byVal {\n\t\tb.list.head = n\n\t}",
		"var n *nodeN\n\tfor i := range 2 {\n\t\tif i == 1 {\n\t\t\tb.list.head = n\n\t\t}\n\t\tn = &nodeN{val: i}\n\t\tif i == 0 {\n\t\t\ta.list.head = n\n\t\t}\n\t}",
		"a.addN(1)\n\tdefer b.list.pushN(a.list.head)\n\tworkN(a, b, 1)",
		"a.heads = a.list\n\ta.addN(1)\n\tb.list.head = a.heads.first()",
		"b.addN(2)\n\t*a = *b",
		"a.addN(1)\n\tlist := [2]*nodeN{a.list.head}\n\tb.list.head = list[0]",
		"b = a",
		"a.addN(1)\n\tb.list, a.list = a.list, b.list\n\tb.list.head = a.list.pushN(b.list.head)",
	}
	// These are not looked at, so that nothing is said of programs that have them.
	unseenOperations = []string{
		"a.addN(1)\n\treflect.ValueOf(b).Elem().Set(reflect.ValueOf(a).Elem())",
		"a.addN(1)\n\tset := reflect.ValueOf(b).Elem().Set\n\tset(reflect.ValueOf(a).Elem())",
		"a.addN(1)\n\tvar to interface{ Set(reflect.Value) } = reflect.ValueOf(b).Elem()\n\tto.Set(reflect.ValueOf(a).Elem())",
		"a.addN(1)\n\tpush := reflect.ValueOf(b.list).MethodByName(\"Push\").Interface().(func(*nodeN))\n\tpush(a.list.head)",
		"a.addN(1)\n\terrors.As(a.list.head, &b.list.head)",
		"a.addN(1)\n\tp := (*uintptr)(unsafe.Pointer(&b.list.head))\n\tq := (*uintptr)(unsafe.Pointer(&a.list.head))\n\t*p = *q",
		"reflect.ValueOf(func(l *listN, n *nodeN) { l.pushN(n) }).Call([]reflect.Value{reflect.ValueOf(b.list), reflect.ValueOf(a.list.pushN(&nodeN{}))})",
	}
)

// structureProgram writes a test of two owners of lists, which work reads. They may share what they have.
func structureProgram(b *strings.Builder, seed uint64, sharing []string) {
	r := rand.New(rand.NewPCG(seed, 23))
	var text strings.Builder
	text.WriteString("\nfunc workN(a, b *ownerN, x int) int {\n")
	reads := []string{
		"a.list.n", "b.list.n", "a.x", "b.x",
	}
	for i := range 2 {
		fmt.Fprintf(&text, "\tv%d := %s\n", i, reads[r.IntN(len(reads))])
	}
	walks := []string{
		"if n := a.list.head; n != nil {\n\t\tx += n.val\n\t}",
		"if n := b.list.head; n != nil {\n\t\tx += n.val\n\t}",
		"if n := b.list.head; n != nil && n.in == b.list {\n\t\tx++\n\t}",
		"if a.list.head == b.list.head {\n\t\tx++\n\t}",
		"runtime.Gosched()",
		"a.list.n = x",
		"a.rotateN()",
	}
	for range 2 {
		text.WriteString("\t" + walks[r.IntN(len(walks))] + "\n")
	}
	text.WriteString("\treturn x + v0 + v1 + a.x + b.x\n}\n\nfunc TestStructuresN(t *testing.T) {\n\ta, b := newN(), newN()\n")
	for range 1 + r.IntN(4) {
		op := separateOperations[r.IntN(len(separateOperations))]
		fmt.Fprintf(&text, "\tif true {\n\t%s\n\t}\n", op)
	}
	if seed%2 == 0 {
		fmt.Fprintf(&text, "\tif true {\n\t%s\n\t}\n", sharing[int(seed/2)%len(sharing)])
	}
	text.WriteString("\tworkN(a, b, 1)\n\tgo workN(b, a, 2)\n\tworkN(a, b, 3)\n}\n")
	types := structureTypes
	if strings.Contains(text.String(), "errors.As") || strings.Contains(text.String(), "MethodByName") {
		types += structureMethods
	}
	for _, field := range []string{"all", "heads", "byVal"} { // what is not used would make more states
		if !strings.Contains(text.String(), field) {
			lines := strings.Split(types, "\n")
			types = strings.Join(slices.DeleteFunc(lines, func(line string) bool {
				return strings.Contains(line, "."+field) || strings.HasPrefix(line, "\t"+field+" ")
			}), "\n")
		}
	}
	fmt.Fprintf(b, "%s\n", strings.ReplaceAll(types+text.String(), "N(", fmt.Sprintf("%d(", seed)))
}

// numbered gives what is declared in a program the number of it.
func numbered(text string, seed uint64) string {
	for _, name := range []string{"node", "list", "heads", "owner", "kept", "lists", "any"} {
		text = strings.ReplaceAll(text, name+"N", fmt.Sprintf("%s%d", name, seed))
	}
	return text
}

// TestStructures checks contexts of goroutines that have two structures, which may have parts in common.
func TestStructures(t *testing.T) {
	contexts, apart := checkStructures(t, sample.Of(200, 8, 2), sharingOperations)
	if apart == 0 {
		t.Errorf("of %d contexts, none had structures", contexts)
	}
}

// TestUnseenStructures is TestStructures for programs of which nothing can be said.
func TestUnseenStructures(t *testing.T) {
	for _, op := range sample.From(unseenOperations, 1, 1) {
		if contexts, apart := checkStructures(t, slices.Values([]int{0}), []string{op}); apart > 0 {
			t.Errorf("%s: %d of %d contexts had structures", op, apart, contexts)
		}
	}
}

// checkStructures checks contexts of programs that share what some operations share. It returns how
// many were reached, and how many of them have structures.
func checkStructures(t *testing.T, seeds iter.Seq[int], sharing []string) (contexts, apart int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("package structures\n\nimport (\n\t\"errors\"\n\t\"maps\"\n\t\"reflect\"\n\t\"runtime\"\n\t\"slices\"\n\t\"testing\"\n\t\"unsafe\"\n)\n\nvar (\n\t_ = errors.New\n\t_ = maps.Clone[map[int]int]\n\t_ = slices.Clone[[]int]\n\t_ = runtime.Gosched\n\t_ reflect.Value\n\t_ unsafe.Pointer\n)\n")
	programs := 0
	for seed := range seeds {
		var one strings.Builder
		structureProgram(&one, uint64(seed), sharing)
		text.WriteString(numbered(one.String(), uint64(seed)))
		programs++
	}
	dir := t.TempDir()
	if err := suite.Write(dir, "structures", map[string]string{"structures_test.go": text.String()}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range f.within {
		target := &f.within[i]
		work := target.Func.Pkg.Func("work" + strings.TrimPrefix(target.Func.Name(), "TestStructures"))
		list := instructions(work)
		for range 4 {
			places := []ssa.Instruction{list[r.IntN(len(list))]}
			if !f.check(t, target, places, r, 4) {
				continue
			}
			contexts++
			c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{places[:1]}, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Structures) > 0 {
				apart++
			}
		}
	}
	f.report(t, contexts)
	t.Logf("%d contexts with structures", apart)
	if contexts < programs/2 {
		t.Errorf("%d contexts were reached in %d programs", contexts, programs)
	}
	return contexts, apart
}
