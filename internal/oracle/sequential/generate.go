package sequential

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Generate draws a program. The same seed gives the same program.
func Generate(seed uint64) *Program {
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, 0x5eed)),
		p:    &Program{Seed: seed},
		vars: map[string][]string{},
		kept: map[string]bool{},
		used: map[string]bool{},
	}
	g.inputs()
	g.p.body = g.block(0, 3+g.IntN(5))
	return g.p
}

// The types of variables and expressions.
const (
	tBool  = "bool"
	tU8    = "uint8"
	tI8    = "int8"
	tU16   = "uint16"
	tI32   = "int32"
	tInt   = "int"
	tStr   = "string"
	tBytes = "[]byte"
	tArr   = "[3]uint8"
	tMap   = "map[uint8]uint8"
	tNames = "map[string]int8"
	tPair  = "pair"
	tPtr   = "*pair"
	tFunc  = "func(uint8) uint8"
	tAny   = "any"
	tRunes = "[]rune"
)

var (
	numbers = []string{tU8, tU8, tU8, tI8, tI8, tU16, tI32, tInt}
	all     = []string{
		tBool, tU8, tU8, tU8, tI8, tI8, tU16, tI32, tInt, tInt, tStr, tStr, tStr, tBytes, tBytes,
		tArr, tMap, tNames, tPair, tPtr, tFunc, tAny, tRunes,
	}
)

type generator struct {
	*rand.Rand
	p     *Program
	n     int                 // names given
	vars  map[string][]string // in scope, by type
	kept  map[string]bool     // variables that are not assigned to: those of loops that have to end
	loops []string            // labels of the loops around, "" for none
	used  map[string]bool     // labels that a jump names
	inFn  bool                // within a function literal
}

func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) name(prefix string) string {
	g.n++
	return fmt.Sprint(prefix, g.n)
}

func (g *generator) inputs() {
	add := func(name, typ string, low, high byte) {
		g.p.Params = append(g.p.Params, Param{name, typ, low, high})
		g.vars[typ] = append(g.vars[typ], name)
	}
	// The intervals of bytes have letters of both cases, digits, the ends of ASCII, and
	// parts of what is encoded in several bytes.
	narrow := func() (low, high byte) {
		low = []byte{0, '-', '0' - 2, 'A' - 2, 'X', 'a', 'i', 'x', 0x7d, 0xbe, 0xc0, 0xe0, 0xf0, 0xfa}[g.IntN(14)]
		return low, low + 5
	}
	number := func() string { return g.pick(tU8, tI8) }
	switch g.IntN(9) {
	case 0, 1:
		add("a", number(), 0, 255)
	case 2, 3, 4:
		add("a", number(), 0, 255)
		add("b", number(), 0, 255)
	case 5, 6:
		add("s", g.pick(tStr, tStr, tBytes), 0, 255)
	case 7:
		low, high := narrow()
		add("s", g.pick(tStr, tStr, tBytes), low, high)
		add("a", number(), 0, 255)
	case 8:
		add("a", number(), 0, 255)
		add("c", tBool, 0, 255)
	}
}

// scope calls f and then forgets the variables that it has declared.
func (g *generator) scope(f func()) {
	was := map[string]int{}
	for t, list := range g.vars {
		was[t] = len(list)
	}
	f()
	for t := range g.vars {
		g.vars[t] = g.vars[t][:was[t]]
	}
}

// block draws the statements of a block.
func (g *generator) block(depth, n int) (list []*stmt) {
	g.scope(func() {
		for range n {
			list = append(list, g.stmt(depth)...)
		}
	})
	return list
}

func line(format string, args ...any) *stmt { return &stmt{line: fmt.Sprintf(format, args...)} }

// declare returns a declaration, and the use that the compiler wants.
func (g *generator) declare(typ, value string) []*stmt {
	v := g.name("v")
	s := line("var %s %s = %s; _ = %s", v, typ, value, v)
	g.vars[typ] = append(g.vars[typ], v)
	return []*stmt{s}
}

// result draws what goes into the result of the program.
func (g *generator) result() *stmt {
	return line("h %s %s", g.pick("=", "+=", "+=", "^=", "-="), g.expr(tU8, 2))
}

func (g *generator) stmt(depth int) []*stmt {
	if depth < 3 && g.one(2) {
		if s := g.compound(depth); s != nil {
			return s
		}
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		t := g.pick(all...)
		return g.declare(t, g.expr(t, 2))
	case 3, 4, 5:
		if s := g.assign(); s != nil {
			return []*stmt{s}
		}
	case 6:
		if s := g.change(); s != nil {
			return []*stmt{s}
		}
	case 7:
		if g.one(3) {
			return []*stmt{line("if %s { panic(%s) }", g.expr(tBool, 2), g.panicValue())}
		}
	case 8:
		if len(g.loops) > 0 {
			return []*stmt{line("if %s { %s }", g.expr(tBool, 2), g.leave())}
		}
	case 9:
		if !g.inFn && g.one(2) {
			return []*stmt{line("if %s { return %s }", g.expr(tBool, 2), g.expr(tU8, 2))}
		}
	case 10:
		if !g.inFn && g.one(3) {
			return []*stmt{g.deferred(depth)}
		}
	}
	return []*stmt{g.result()}
}

// leave draws a jump out of the loop.
func (g *generator) leave() string {
	label := g.loops[g.IntN(len(g.loops))]
	how := g.pick("break", "continue")
	if label == "" {
		return how
	}
	g.used[label] = true
	return how + " " + label
}

func (g *generator) panicValue() string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("%q", g.pick("boom", "bang"))
	case 1:
		return `errors.New("bad")`
	case 2:
		return fmt.Sprintf("fmt.Sprint(%q, %s)", "v", g.pick("1", "true", `"x"`))
	default:
		return g.pick("7", "'x'", "true", "int8(-3)")
	}
}

// literalBody calls f, which draws the body of a function literal: no jump leaves it, and it
// does not return from the program.
func (g *generator) literalBody(f func()) {
	inFn, loops := g.inFn, g.loops
	g.inFn, g.loops = true, nil
	f()
	g.inFn, g.loops = inFn, loops
}

// deferred draws a deferred function, which may recover.
func (g *generator) deferred(depth int) *stmt {
	var list []*stmt
	g.literalBody(func() {
		if g.one(2) {
			handler := g.block(depth+2, 1)
			if g.one(3) {
				handler = append(handler, line("if e, ok := r.(error); ok { h += uint8(len(e.Error())) }"))
			}
			list = append(list, &stmt{blocks: []block{{"if r := recover(); r != nil {", handler}}, end: "}"})
		}
		list = append(list, g.block(depth+2, 1)...)
	})
	return &stmt{blocks: []block{{"defer func() {", list}}, end: "}()"}
}

// variable draws a variable that can be assigned to.
func (g *generator) variable(typ string) (string, bool) {
	var list []string
	for _, v := range g.vars[typ] {
		if !g.kept[v] {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return "", false
	}
	return g.pick(list...), true
}

func (g *generator) assign() *stmt {
	for range 6 {
		t := g.pick(all...)
		v, ok := g.variable(t)
		if !ok {
			continue
		}
		switch t {
		case tU8, tI8, tU16, tI32, tInt:
			switch g.IntN(6) {
			case 0:
				return line("%s%s", v, g.pick("++", "--"))
			case 1:
				return line("%s %s %s", v, g.pick("+=", "-=", "*=", "&=", "|=", "^=", "&^="), g.expr(t, 2))
			case 2:
				return line("%s %s %s", v, g.pick("/=", "%="), g.expr(t, 1))
			case 3:
				return line("%s %s %s", v, g.pick("<<=", ">>="), g.expr(g.pick(tU8, tI8), 1))
			case 4:
				if w, ok := g.variable(t); ok && w != v {
					return line("%s, %s = %s, %s", v, w, g.expr(t, 1), g.expr(t, 1))
				}
			}
		case tStr:
			return line("%s = cut(%s)", v, g.expr(t, 2))
		case tBytes:
			return line("%s = cutBytes(%s)", v, g.expr(t, 2))
		}
		return line("%s = %s", v, g.expr(t, 2))
	}
	return nil
}

// change draws a change of a part of a variable.
func (g *generator) change() *stmt {
	for range 6 {
		t := g.pick(tBytes, tBytes, tArr, tMap, tMap, tNames, tPair, tPtr, tRunes)
		list := g.vars[t]
		if len(list) == 0 {
			continue
		}
		v := g.pick(list...)
		switch t {
		case tBytes:
			return line("%s[%s] %s %s", v, g.index(v), g.pick("=", "+=", "^="), g.expr(tU8, 1))
		case tRunes:
			return line("%s[%s] = %s", v, g.index(v), g.expr(tI32, 1))
		case tArr:
			return line("%s[%s] %s %s", v, g.index(v), g.pick("=", "-="), g.expr(tU8, 1))
		case tMap:
			if g.one(4) {
				return line("delete(%s, %s)", v, g.expr(tU8, 1))
			}
			return line("%s[%s] %s %s", v, g.expr(tU8, 1), g.pick("=", "+="), g.expr(tU8, 1))
		case tNames:
			if g.one(4) {
				return line("delete(%s, %s)", v, g.expr(tStr, 1))
			}
			return line("%s[%s]%s", v, g.expr(tStr, 1), g.pick("++", "--"))
		case tPair, tPtr:
			switch g.IntN(4) {
			case 0:
				return line("%s.a = %s", v, g.expr(tU8, 1))
			case 1:
				return line("%s.b %s %s", v, g.pick("=", "+=", "-="), g.expr(tI8, 1))
			case 2:
				return line("%s.s = cut(%s)", v, g.expr(tStr, 1))
			default:
				return line("%s.bump(%s)", v, g.expr(tU8, 1))
			}
		}
	}
	return nil
}

// index draws an index of v that is often in range.
func (g *generator) index(v string) string {
	i := g.expr(tU8, 1)
	if g.one(5) {
		return g.expr(g.pick(tU8, tInt, tI8), 1)
	}
	return fmt.Sprintf("at(%s, len(%s))", i, v)
}

// bound draws how many rounds a loop makes.
func (g *generator) bound() string {
	if g.one(2) {
		return fmt.Sprint(1 + g.IntN(3))
	}
	return fmt.Sprintf("int(%s&3)", g.paren(tU8))
}

func (g *generator) paren(typ string) string { return "(" + g.expr(typ, 1) + ")" }

// loop draws the body of a loop with a head, and variables in it.
func (g *generator) loop(depth int, head string, vars map[string]string) []*stmt {
	label := ""
	if g.one(4) {
		label = g.name("L")
	}
	var list []*stmt
	g.scope(func() {
		g.loops = append(g.loops, label)
		for _, v := range slices.Sorted(maps.Keys(vars)) {
			g.vars[vars[v]] = append(g.vars[vars[v]], v)
			list = append(list, line("_ = %s", v))
		}
		list = append(list, g.block(depth+1, 1+g.IntN(2))...)
		g.loops = g.loops[:len(g.loops)-1]
	})
	if g.used[label] {
		head = label + ":\n" + head
	}
	return []*stmt{{blocks: []block{{head, list}}, end: "}"}}
}

// compound draws a statement with blocks, nil for none.
func (g *generator) compound(depth int) []*stmt {
	one := func() []*stmt { return g.block(depth+1, 1+g.IntN(2)) }
	switch g.IntN(14) {
	case 0, 1, 2:
		s := &stmt{blocks: []block{{fmt.Sprintf("if %s {", g.expr(tBool, 3)), one()}}, end: "}"}
		if g.one(4) {
			s.blocks = append(s.blocks, block{fmt.Sprintf("} else if %s {", g.expr(tBool, 2)), one()})
		}
		if g.one(2) {
			s.blocks = append(s.blocks, block{"} else {", one()})
		}
		return []*stmt{s}
	case 3:
		i := g.name("i")
		g.kept[i] = true
		if g.one(2) {
			return g.loop(depth, fmt.Sprintf("for %s := range %s {", i, g.bound()), map[string]string{i: tInt})
		}
		return g.loop(depth, fmt.Sprintf("for %s := uint8(0); %s < uint8(%s); %s++ {", i, i, g.bound(), i), map[string]string{i: tU8})
	case 4:
		i, c := g.name("i"), g.name("c")
		switch g.IntN(4) {
		case 0:
			return g.loop(depth, fmt.Sprintf("for %s, %s := range cut(%s) {", i, c, g.expr(tStr, 1)), map[string]string{i: tInt, c: tI32})
		case 1:
			return g.loop(depth, fmt.Sprintf("for %s, %s := range cutBytes(%s) {", i, c, g.expr(tBytes, 1)), map[string]string{i: tInt, c: tU8})
		case 2:
			return g.loop(depth, fmt.Sprintf("for %s, %s := range %s {", i, c, g.expr(tArr, 1)), map[string]string{i: tInt, c: tU8})
		default:
			return g.loop(depth, fmt.Sprintf("for %s := range down(%s) {", c, g.expr(tU8, 1)), map[string]string{c: tU8})
		}
	case 5:
		fuel := g.name("n")
		g.kept[fuel] = true
		head := fmt.Sprintf("for %s := 0; %s < 3 && (%s); %s++ {", fuel, fuel, g.expr(tBool, 2), fuel)
		return g.loop(depth, head, map[string]string{fuel: tInt})
	case 6:
		return []*stmt{g.switchOn(depth)}
	case 7:
		return []*stmt{g.typeSwitch(depth)}
	case 8:
		if list := g.vars[tMap]; len(list) > 0 {
			// What the loop does is the same in every order.
			g.p.Unordered = true
			k, e := g.name("k"), g.name("e")
			return []*stmt{line("for %s, %s := range %s { h += %s ^ %s*2 }", k, e, g.pick(list...), k, e)}
		}
	case 9:
		// A function with a result, called at once or later.
		f, x := g.name("f"), g.name("x")
		var list []*stmt
		g.literalBody(func() {
			g.scope(func() {
				g.vars[tU8] = append(g.vars[tU8], x)
				list = append(one(), line("return %s", g.expr(tU8, 2)))
			})
		})
		g.vars[tFunc] = append(g.vars[tFunc], f)
		return []*stmt{{blocks: []block{{fmt.Sprintf("%s := func(%s uint8) uint8 {", f, x), list}}, end: fmt.Sprintf("}; _ = %s", f)}}
	case 10:
		// A panic within that is recovered from.
		if g.inFn {
			return nil
		}
		var list []*stmt
		g.literalBody(func() { list = one() })
		return []*stmt{{blocks: []block{{"func() {\ndefer func() { if recover() != nil { h ^= 3 } }()", list}}, end: "}()"}}
	case 11:
		v := g.name("v")
		var list []*stmt
		m, key := g.pick(tMap, tNames), ""
		if len(g.vars[m]) == 0 {
			return nil
		}
		elem := tU8
		key = g.expr(tU8, 1)
		if m == tNames {
			elem, key = tI8, g.expr(tStr, 1)
		}
		from := g.pick(g.vars[m]...)
		g.scope(func() {
			g.vars[elem] = append(g.vars[elem], v)
			list = one()
		})
		return []*stmt{{blocks: []block{{fmt.Sprintf("if %s, ok := %s[%s]; ok%s {", v, from, key, g.pick("", " && "+v+" != 0")), list}}, end: "}"}}
	case 12:
		return []*stmt{{blocks: []block{{"{", g.block(depth+1, 2)}}, end: "}"}}
	}
	return nil
}

func (g *generator) switchOn(depth int) *stmt {
	one := func() []*stmt { return g.block(depth+1, 1) }
	s := &stmt{end: "}"}
	if g.one(3) { // on conditions
		s.blocks = append(s.blocks, block{head: "switch {"})
		for range 2 + g.IntN(2) {
			s.blocks = append(s.blocks, block{fmt.Sprintf("case %s:", g.expr(tBool, 2)), g.through(one())})
		}
	} else {
		t := g.pick(tU8, tI8, tStr, tInt)
		s.blocks = append(s.blocks, block{head: fmt.Sprintf("switch %s {", g.expr(t, 2))})
		seen := map[string]bool{}
		for range 2 + g.IntN(3) {
			var list []string
			for range 1 + g.IntN(2) {
				if c := g.literal(t); !seen[c] { // constants must be distinct
					seen[c] = true
					list = append(list, c)
				}
			}
			if len(list) == 0 || g.one(4) {
				list = append(list, g.expr(t, 1))
			}
			c := strings.Join(list, ", ")
			s.blocks = append(s.blocks, block{fmt.Sprintf("case %s:", c), g.through(one())})
		}
	}
	s.blocks = append(s.blocks, block{"default:", one()})
	return s
}

// through sometimes lets a case fall through to the next.
func (g *generator) through(list []*stmt) []*stmt {
	if g.one(6) {
		list = append(list, line("fallthrough"))
	}
	return list
}

func (g *generator) typeSwitch(depth int) *stmt {
	x := g.name("x")
	s := &stmt{end: "}", blocks: []block{{head: fmt.Sprintf("switch %s := %s.(type) {", x, g.operand(tAny))}}}
	loops := g.loops
	g.loops = nil
	defer func() { g.loops = loops }()
	for _, t := range []string{tU8, tI8, tStr, tPair, tBool} {
		if g.one(3) {
			continue
		}
		list := []*stmt{line("_ = %s", x)}
		g.scope(func() {
			g.vars[t] = append(g.vars[t], x)
			list = append(list, g.block(depth+1, 1)...)
		})
		s.blocks = append(s.blocks, block{fmt.Sprintf("case %s:", t), list})
	}
	s.blocks = append(s.blocks, block{"default:", append(g.block(depth+1, 1), line("_ = %s", x))})
	return s
}
