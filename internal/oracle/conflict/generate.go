package conflict

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A Program has two goroutines that access something, and synchronise.
type Program struct {
	Seed uint64
	// Race is set if the accesses are not ordered by happens-before in some run.
	Race bool
	// What says how the program was made.
	What string
	body string // of the target
}

// An access is a pair of accesses: a write, and a read or another write.
type access struct {
	name     string
	decl     string
	write    string
	read     string
	conflict bool // they are to the same memory
}

var accesses = []access{
	{"variable", "x := 0", "x = 1", "use(x)", true},
	{"variable, both write", "x := 0", "x = 1", "x = 2", true},
	{"increment", "x := 0", "x++", "x++", true},
	{"two readers", "x := 0", "use(x)", "use(x)", false},
	{"package variable", "", "global = 1", "use(global)", true},
	{"pointer", "x := new(int)", "*x = 1", "use(*x)", true},
	{"field", "var x point", "x.a = 1", "use(x.a)", true},
	{"two fields", "var x point", "x.a = 1", "use(x.b)", false},
	{"field and whole", "var x point", "x.b = 1", "use(x)", true},
	{"whole and field", "var x point", "x = point{1, 2}", "use(x.a)", true},
	{"element of an array", "var x [4]int", "x[2] = 1", "use(x[2])", true},
	{"two elements of an array", "var x [4]int", "x[2] = 1", "use(x[1])", false},
	{"two bytes of an array", "var x [4]byte", "x[2] = 1", "x[3] = 1", false},
	{"element of a slice", "x := make([]byte, 3)", "x[1] = 1", "use(x[1:2][0])", true},
	{"two elements of a slice", "x := make([]byte, 3)", "x[1] = 1", "use(x[0])", false},
	{"header of a slice", "x := make([]byte, 3)", "x = x[1:]", "use(len(x))", true},
	{"append", "x := make([]int, 0, 4)", "x = append(x, 1)", "use(x)", true},
	{"append to what is shared", "x := make([]int, 1, 4); y := x[:1]; z := x[:1]", "y = append(y, 1); use(y)", "z = append(z, 2); use(z)", true},
	{"append to what is not", "x := make([]int, 1, 4); y := x[:1:1]; z := x[:1:1]", "y = append(y, 1); use(y)", "z = append(z, 2); use(z)", false},
	{"copy", "x := make([]int, 4)", "copy(x[1:3], []int{1, 2})", "use(x[2])", true},
	{"copy of a part", "x := make([]int, 4)", "copy(x[1:3], []int{1, 2})", "use(x[3])", false},
	{"string", `x := "a"`, `x = "b"`, `use(x + "c")`, true},
	{"interface", "var x any", "x = 1", "use(x)", true},
	{"function", "x := func() {}", "x = func() { use(1) }", "x()", true},
	{"map", "x := map[int]int{}", "x[1] = 1", "use(x[1])", true},
	{"two entries of a map", "x := map[int]int{}", "x[1] = 1", "use(x[2])", true},
	{"len of a map", "x := map[int]int{}", "x[1] = 1", "use(len(x))", true},
	{"range over a map", "x := map[int]int{1: 1}", "delete(x, 1)", "for k := range x {\nuse(k)\n}", true},
	{"clear of a map", "x := map[int]int{1: 1}", "clear(x)", "use(x[1])", true},
	{"two readers of a map", "x := map[int]int{1: 1}", "use(x[1])", "for k := range x {\nuse(k)\n}", false},
	{"value in a map", "x := map[int]*int{1: new(int)}", "*x[1] = 1", "use(*x[1])", true},
	{"range over a slice", "x := []int{1, 2, 3}", "x[2] = 1", "for _, e := range x {\nuse(e)\n}", true},
	{"string of bytes", "x := []byte{1, 2, 3}", "x[2] = 1", "use(string(x))", true},
}

// Generate draws a program. The same seed gives the same program.
func Generate(seed uint64) *Program {
	g := newGenerator(seed)
	g.draw()
	return g.p
}

type generator struct {
	*rand.Rand
	p     *Program
	decls []string
	what  []string
	n     int // forms so far
}

func newGenerator(seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 0xacce55)), p: &Program{Seed: seed}}
}

func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// A link is a form in a program, with names of its own.
type link struct {
	form
	ordered bool // with its mistake
	mistake mistake
}

// A mistake is an access in the wrong place.
type mistake uint8

const (
	none  mistake = iota
	late          // the first accesses when it has synchronised
	early         // the second accesses before it has
)

// link draws a form for which ok holds, and often makes one of some mistakes.
func (g *generator) link(ok func(*form) bool, mistakes ...mistake) link {
	list := forms()
	var f form
	for {
		// Those with atomics are many, by their types.
		f = list[g.IntN(len(list))]
		if ok(&f) && (f.timed() || !strings.HasPrefix(f.decl, "var f$") || g.one(3)) {
			break
		}
	}
	g.n++
	number := strings.NewReplacer("$", fmt.Sprint(g.n))
	f.decl, f.first, f.second = number.Replace(f.decl), number.Replace(f.first), number.Replace(f.second)
	if f.decl != "" {
		g.decls = append(g.decls, f.decl)
	}
	l := link{form: f, ordered: f.ordered}
	if !f.fixed && len(mistakes) > 0 && g.one(3) {
		l.mistake = mistakes[g.IntN(len(mistakes))]
		l.ordered = false
	}
	what := f.name
	switch l.mistake {
	case late:
		l.first = put(f.first, "") + "; @"
		what += ", the first too late"
	case early:
		l.second = "@; " + put(f.second, "")
		what += ", the second too early"
	}
	g.what = append(g.what, what)
	return l
}

// put puts code in the place of the access.
func put(form, code string) string { return strings.ReplaceAll(form, "@", code) }

func (g *generator) draw() {
	p := g.p
	a := accesses[g.IntN(len(accesses))]
	if g.one(2) {
		a = accesses[0]
	}
	g.what = append(g.what, a.name)
	g.decls = append(g.decls, a.decl)
	one, other := a.write, a.read
	if g.one(2) {
		one, other = other, one
		g.what = append(g.what, "the reader first")
	}
	var bodies []string
	ordered := false
	switch shape := g.IntN(10); {
	case shape < 6:
		l := g.link(func(*form) bool { return true }, early, late)
		ordered = l.ordered
		bodies = []string{put(l.first, one), put(l.second, other)}
	case shape < 8:
		// Side by side. What waits is outside, so that nobody waits who keeps the other
		// out, or is waited for by one who has left his part out.
		l := g.link(func(f *form) bool { return !f.timed() && !f.fixed }, early, late)
		m := g.link(func(f *form) bool { return !f.timed() && !f.fixed && f.class >= l.class })
		ordered = l.ordered || m.ordered
		second := put(l.second, put(m.second, other))
		if m.class == waiting && l.mistake != late {
			// The first waits in the other order.
			second = put(m.second, put(l.second, other))
		}
		bodies = []string{put(l.first, put(m.first, one)), second}
		g.what = append(g.what, "side by side")
	default:
		// A chain over a third, which does its part of the second form where it would
		// access something after the first one.
		l := g.link(func(f *form) bool { return !f.timed() && f.class != section }, early, late)
		m := g.link(func(f *form) bool {
			return !f.timed() && f.class != section && f.class >= l.class && (f.ordered || strings.HasPrefix(f.first, "@"))
		}, early)
		ordered = l.ordered && m.ordered
		bodies = []string{put(l.first, one), put(l.second, put(m.first, "")), put(m.second, other)}
		g.what = append(g.what, "in a chain")
	}
	p.Race = a.conflict && !ordered
	g.arrange(bodies)
	p.What = strings.Join(g.what, "; ")
}

// plain returns the program in which one goroutine writes a variable and another reads it, and
// they synchronise in a form.
func plain(f *form) *Program {
	g := &generator{Rand: rand.New(rand.NewPCG(0, 0)), p: &Program{Race: !f.ordered}}
	number := strings.NewReplacer("$", "1")
	a := accesses[0]
	g.decls = []string{a.decl, number.Replace(f.decl)}
	g.what = []string{f.name}
	g.arrange([]string{put(number.Replace(f.first), a.write), put(number.Replace(f.second), a.read)})
	g.p.What = f.name
	return g.p
}

// arrange writes the target with its goroutines: each is started by the target, or one of
// them is the target itself. The target ends after all.
func (g *generator) arrange(bodies []string) {
	var b strings.Builder
	for _, d := range g.decls {
		b.WriteString(d + "\n")
	}
	names := regexp.MustCompile(`\b[a-z]+[0-9]*(?:, [a-z]+[0-9]*)* :=`)
	uses := map[string]bool{}
	for _, d := range g.decls {
		for _, match := range names.FindAllString(d, -1) {
			for name := range strings.SplitSeq(strings.TrimSuffix(match, " :="), ", ") {
				if !uses[name] && name != "_" {
					uses[name] = true
					fmt.Fprintf(&b, "_ = %s\n", name)
				}
			}
		}
	}
	own := -1 // the body of the target
	if g.one(3) {
		own = g.IntN(len(bodies))
		g.what = append(g.what, fmt.Sprintf("goroutine %d is the target", own))
	}
	b.WriteString("var join sync.WaitGroup\n")
	order := g.Perm(len(bodies))
	for _, i := range order {
		switch {
		case i == own:
		case g.one(3):
			fmt.Fprintf(&b, "join.Go(func() {\n%s\n})\n", bodies[i])
		default:
			fmt.Fprintf(&b, "join.Add(1)\ngo func() {\ndefer join.Done()\n%s\n}()\n", bodies[i])
		}
	}
	if own >= 0 {
		b.WriteString(bodies[own] + "\n")
	}
	b.WriteString("join.Wait()\n")
	g.p.body = b.String()
}

// source writes the target of a program.
func (p *Program) source(b *strings.Builder, name string) {
	fmt.Fprintf(b, "func %s(t *testing.T) {\n%s}\n\n", name, p.body)
}

// Source returns the source of the program.
func (p *Program) Source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Program of seed %d: %s.\n", p.Seed, p.What)
	p.source(&b, "TestProgram")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(fmt.Sprintf("conflict: the source of a program does not parse: %v\n%s", err, b.String()))
	}
	return string(text)
}
