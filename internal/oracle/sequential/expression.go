package sequential

import (
	"fmt"
)

// literal draws a constant, or what makes a value of a type without one.
func (g *generator) literal(typ string) string {
	small := []int{0, 1, 2, 3, 5, 7, 10, 16, 48, 57, 64, 65, 97, 100, 122, 127}
	switch typ {
	case tBool:
		return g.pick("true", "false")
	case tU8:
		return fmt.Sprint(append(small, 128, 200, 254, 255)[g.IntN(len(small)+4)])
	case tI8:
		return fmt.Sprint(append(small, -1, -2, -128, -100)[g.IntN(len(small)+4)])
	case tU16:
		return fmt.Sprint(append(small, 128, 255, 256, 65535)[g.IntN(len(small)+4)])
	case tI32:
		return fmt.Sprint(append(small, 'é', 0x212a, -1, 0x10ffff, 0xd800, 1<<31-1)[g.IntN(len(small)+6)])
	case tInt:
		return fmt.Sprint(append(small, -1, -2, 255, 256, -129, 1<<40)[g.IntN(len(small)+6)])
	case tStr:
		return fmt.Sprintf("%q", g.pick("", "a", "A", "0", "ab", "k", "é", "\xff", "xyz", "12", " ", "\x00"))
	case tBytes:
		return g.pick(`[]byte("ab")`, "[]byte{1, 2, 3}", "[]byte(nil)", "make([]byte, 2, 4)", "[]byte{}")
	case tArr:
		return g.pick("[3]uint8{1, 2, 3}", "[3]uint8{2: 9}", "[...]uint8{5, 5, 6}")
	case tMap:
		return g.pick("map[uint8]uint8{1: 2, 97: 3}", "map[uint8]uint8{}", "map[uint8]uint8{0: 1, 255: 4}", "map[uint8]uint8(nil)")
	case tNames:
		return g.pick(`map[string]int8{"a": 1, "": 2}`, "map[string]int8{}", `map[string]int8{"ab": -1}`)
	case tPair:
		return g.pick(`pair{1, -2, "p"}`, "pair{}", "pair{a: 255}", `pair{s: "a"}`)
	case tPtr:
		return g.pick("&pair{a: 3}", "new(pair)", `&pair{b: -128, s: "q"}`, "(*pair)(nil)")
	case tFunc:
		return g.pick("twice", "(func(uint8) uint8)(nil)", "func(x uint8) uint8 { return x + h }", "(&pair{a: 1}).plus")
	case tAny:
		return g.pick("any(nil)", "any(uint8(4))", `any("s")`, "any(int8(-1))", "any(pair{})", "any(true)", "any([]byte(nil))")
	case tRunes:
		return g.pick("[]rune(nil)", `[]rune("aé")`, "[]rune{-1, 0x10ffff}")
	}
	panic("sequential: no literal of type " + typ)
}

// operand draws a variable of a type, or a value that is no constant for the compiler.
func (g *generator) operand(typ string) string {
	if list := g.vars[typ]; len(list) > 0 && !g.one(8) {
		return g.pick(list...)
	}
	if !g.one(5) {
		return g.derived(typ)
	}
	return fmt.Sprintf("lit[%s](%s)", typ, g.literal(typ))
}

// derived draws a value that is computed from a number or string in scope, if there is one:
// most of them follow from the input.
func (g *generator) derived(typ string) string {
	f := fmt.Sprintf
	var from []string
	for _, t := range []string{tU8, tI8, tU16, tI32, tInt} {
		from = append(from, g.vars[t]...)
	}
	if list := g.vars[tStr]; len(list) > 0 && (typ == tStr || len(from) == 0) {
		from = append(from, f("first([]byte(%s))", g.pick(list...)), f("len(%s)", g.pick(list...)))
	}
	if list := g.vars[tBytes]; len(list) > 0 {
		from = append(from, f("first(%s)", g.pick(list...)))
	}
	if len(from) == 0 {
		return f("lit[%s](%s)", typ, g.literal(typ))
	}
	n := g.pick(from...)
	switch typ {
	case tBool:
		return f("(%s&%d == 0)", n, 1<<g.IntN(5))
	case tU8, tI8, tU16, tI32, tInt:
		return f("%s(%s)", typ, n)
	case tStr:
		return g.pick(f("string(rune(%s))", n), f("itoa(uint8(%s))", n), f("string([]byte{'a', uint8(%s)})", n))
	case tBytes:
		return g.pick(f("([]byte{uint8(%s), 1})", n), f("[]byte(string(rune(%s)))", n))
	case tArr:
		return f("([3]uint8{1: uint8(%s)})", n)
	case tMap:
		return g.pick(f("(map[uint8]uint8{uint8(%s): 7})", n), f("(map[uint8]uint8{7: uint8(%s)})", n))
	case tNames:
		return f("(map[string]int8{string(rune(%s)): int8(%s)})", n, n)
	case tPair:
		return g.pick(f("(pair{a: uint8(%s)})", n), f("(pair{b: int8(%s), s: %q})", n, "b"), f("(pair{s: string(rune(%s))})", n))
	case tPtr:
		return f("(&pair{a: uint8(%s), b: 1})", n)
	case tFunc:
		return f("(pair{a: uint8(%s)}.plus)", n)
	case tAny:
		return g.pick(f("any(uint8(%s))", n), f("any(int8(%s))", n), f("any(pair{a: uint8(%s)})", n), f("any(string(rune(%s)))", n))
	case tRunes:
		return f("([]rune{rune(%s), 'a'})", n)
	}
	panic("sequential: no value of type " + typ)
}

// other draws the second operand of an operation: it may be a constant.
func (g *generator) other(typ string, depth int) string {
	if g.one(3) {
		if v := g.literal(typ); v[0] == '-' {
			return "(" + v + ")"
		} else {
			return v
		}
	}
	return g.expr(typ, depth)
}

// expr draws an expression that is no constant for the compiler.
func (g *generator) expr(typ string, depth int) string {
	if depth <= 0 || g.one(5) {
		return g.operand(typ)
	}
	d := depth - 1
	f := fmt.Sprintf
	switch typ {
	case tBool:
		return g.condition(depth)
	case tU8, tI8, tU16, tI32, tInt:
		return g.number(typ, depth)
	case tStr:
		switch g.IntN(12) {
		case 0, 1:
			return f("cut(%s + %s)", g.expr(tStr, d), g.other(tStr, d))
		case 2:
			return f("string(rune(%s))", g.expr(g.pick(numbers...), d))
		case 3:
			return f("string(%s)", g.expr(tBytes, d))
		case 4:
			return f("string(%s)", g.expr(tRunes, d))
		case 5, 6:
			s := g.expr(tStr, d)
			return f("(%s)[%s:]", s, f("at(%s, len(%s)+1)", g.expr(tU8, d), s))
		case 7:
			s := g.operand(tStr)
			return f("%s[%s:%s]", s, g.expr(tU8, d), g.expr(tU8, d))
		case 8:
			return g.operand(g.pick(tPair, tPtr)) + ".s"
		case 9:
			return f("pick(%s, %s, %s)", g.expr(tBool, d), g.expr(tStr, d), g.other(tStr, d))
		case 10:
			return f("%s(%s, %s)", g.pick("min", "max"), g.expr(tStr, d), g.other(tStr, d))
		default:
			if g.one(3) {
				return f("(%s).(string)", g.expr(tAny, d))
			}
			return f("itoa(%s)", g.expr(g.pick(tU8, tI8), d))
		}
	case tBytes:
		switch g.IntN(7) {
		case 0, 1:
			return f("[]byte(%s)", g.expr(tStr, d))
		case 2:
			return f("append(exact(%s), %s)", g.expr(tBytes, d), g.other(tU8, d))
		case 3:
			return f("append(exact(%s), %s...)", g.expr(tBytes, d), g.expr(g.pick(tBytes, tStr), d))
		case 4:
			b := g.operand(tBytes)
			return f("%s[%s:]", b, f("at(%s, len(%s)+1)", g.expr(tU8, d), b))
		case 5:
			return f("([]byte{%s, %s})", g.expr(tU8, d), g.other(tU8, d))
		default:
			if v := g.vars[tArr]; len(v) > 0 {
				return f("%s[%s:]", g.pick(v...), f("at(%s, 4)", g.expr(tU8, d)))
			}
		}
	case tRunes:
		if g.one(2) {
			return f("[]rune(%s)", g.expr(tStr, d))
		}
		return f("([]rune{%s, %s})", g.expr(tI32, d), g.other(tI32, d))
	case tArr:
		return f("([3]uint8{%s, %s, %s})", g.expr(tU8, d), g.other(tU8, d), g.other(tU8, 0))
	case tMap:
		return f("(map[uint8]uint8{%s: %s})", g.expr(tU8, d), g.other(tU8, d))
	case tNames:
		return f("(map[string]int8{%s: %s})", g.expr(tStr, d), g.other(tI8, d))
	case tPair:
		switch g.IntN(3) {
		case 0:
			return f("(pair{%s, %s, %s})", g.expr(tU8, d), g.other(tI8, d), g.other(tStr, d))
		case 1:
			return "*" + g.operand(tPtr)
		default:
			if g.one(3) {
				return f("(%s).(pair)", g.expr(tAny, d))
			}
			return f("pick(%s, %s, %s)", g.expr(tBool, d), g.expr(tPair, d), g.expr(tPair, d))
		}
	case tPtr:
		if v := g.vars[tPair]; len(v) > 0 && g.one(2) {
			return "&" + g.pick(v...)
		}
		return f("(&pair{%s, %s, %s})", g.expr(tU8, d), g.other(tI8, d), g.other(tStr, d))
	case tFunc:
		switch g.IntN(3) {
		case 0:
			return f("%s.plus", g.operand(g.pick(tPair, tPtr)))
		case 1:
			x := g.name("x")
			e := ""
			g.scope(func() {
				g.vars[tU8] = append(g.vars[tU8], x)
				e = g.expr(tU8, d)
			})
			return f("func(%s uint8) uint8 { return %s }", x, e)
		default:
			return f("pick(%s, %s, %s)", g.expr(tBool, d), g.operand(tFunc), g.operand(tFunc))
		}
	case tAny:
		return f("any(%s)", g.expr(g.pick(tU8, tI8, tStr, tPair, tBool, tPtr), d))
	}
	return g.operand(typ)
}

// condition draws a comparison or a combination of some.
func (g *generator) condition(depth int) string {
	d := depth - 1
	f := fmt.Sprintf
	switch g.IntN(12) {
	case 0:
		return f("(%s && %s)", g.expr(tBool, d), g.expr(tBool, d))
	case 1:
		return f("(%s || %s)", g.expr(tBool, d), g.expr(tBool, d))
	case 2:
		return f("!(%s)", g.expr(tBool, d))
	case 3, 4, 5, 6:
		t := g.pick(numbers...)
		return f("%s %s %s", g.expr(t, d), g.relation(), g.other(t, d))
	case 7, 8:
		return f("%s %s %s", g.expr(tStr, d), g.relation(), g.other(tStr, d))
	case 9:
		t := g.pick(tArr, tPair, tAny, tPtr, tBool)
		return f("(%s) %s (%s)", g.expr(t, d), g.pick("==", "!="), g.expr(t, d))
	case 10:
		t := g.pick(tMap, tFunc, tPtr, tAny)
		return f("(%s) %s nil", g.operand(t), g.pick("==", "!="))
	default:
		t := g.pick(tU8, tInt, tI8)
		return f("slices.Contains([]%s{%s, %s}, %s)", t, g.expr(t, d), g.other(t, d), g.expr(t, d))
	}
}

func (g *generator) relation() string { return g.pick("==", "==", "!=", "<", "<=", ">", ">=") }

// number draws an expression of a type of numbers.
func (g *generator) number(typ string, depth int) string {
	d := depth - 1
	f := fmt.Sprintf
	switch g.IntN(16) {
	case 0, 1, 2, 3:
		return f("(%s %s %s)", g.expr(typ, d), g.pick("+", "+", "-", "*", "&", "|", "^", "&^"), g.other(typ, d))
	case 4:
		by := g.expr(typ, d)
		if g.one(2) {
			by = g.pick("2", "3", "7", "10", "100")
		}
		return f("(%s %s %s)", g.expr(typ, d), g.pick("/", "%"), by)
	case 5:
		by := g.expr(g.pick(tU8, tI8, tInt), d)
		if g.one(2) {
			by = g.pick("1", "2", "5", "7", "9")
		}
		return f("(%s %s %s)", g.expr(typ, d), g.pick("<<", ">>"), by)
	case 6:
		return f("(%s%s)", g.pick("-", "^"), g.expr(typ, d))
	case 7, 8:
		return f("%s(%s)", typ, g.expr(g.pick(numbers...), d))
	case 9:
		return f("%s(%s, %s)", g.pick("min", "max"), g.expr(typ, d), g.other(typ, d))
	case 10:
		return f("pick(%s, %s, %s)", g.expr(tBool, d), g.expr(typ, d), g.other(typ, d))
	case 11:
		if typ == tI8 {
			return f("(%s)[%s]", g.operand(tNames), g.expr(tStr, d))
		}
		return f("%s(len(%s))", typ, g.operand(g.pick(tStr, tStr, tBytes, tMap, tNames, tRunes)))
	case 12:
		if g.one(3) {
			return f("%s(sum[%s](%s, %s))", typ, typ, g.expr(typ, d), g.expr(typ, d))
		}
		// The float fits an int: what does not fit has no defined value.
		return f("%s(int(float64(%s) %s %s))", typ, g.expr(g.pick(tU8, tI8), 0), g.pick("/", "*", "+"), g.pick("2", "3", "0.5"))
	}
	switch typ {
	case tU8:
		switch g.IntN(7) {
		case 0:
			s := g.operand(g.pick(tStr, tStr, tBytes, tArr))
			return f("%s[%s]", s, g.index(s))
		case 1:
			return f("(%s)[%s]", g.operand(tMap), g.expr(tU8, d))
		case 2:
			return g.operand(g.pick(tPair, tPtr)) + ".a"
		case 3:
			return f("call(%s, %s)", g.operand(tFunc), g.expr(tU8, d))
		case 4:
			if g.one(3) {
				return f("(%s).(uint8)", g.expr(tAny, d))
			}
			return f("rec(%s)", g.expr(tU8, d))
		case 5:
			return f("%s.plus(%s)", g.operand(g.pick(tPair, tPtr)), g.expr(tU8, d))
		default:
			return f("first[%s](%s)", tU8, g.operand(tBytes))
		}
	case tI8:
		return g.operand(g.pick(tPair, tPtr)) + ".b"
	case tI32:
		v := g.operand(tRunes)
		return f("%s[%s]", v, g.index(v))
	case tInt:
		return f("%s(%s, %s)", g.pick("strings.Index", "strings.Compare"), g.expr(tStr, d), g.other(tStr, d))
	}
	return g.operand(typ)
}
