package expr

import "testing"

// spansOf returns all spans of a width, in the one form that each has.
func spansOf(width uint8) []span {
	list := []span{everything(width)}
	for lo := range mask(width) + 1 {
		for size := range mask(width) {
			list = append(list, span{lo, (lo + size) & mask(width)})
		}
	}
	return list
}

func (s span) values(width uint8) []uint64 {
	var list []uint64
	for i := range s.size(width) + 1 {
		list = append(list, (s.lo+i)&mask(width))
	}
	return list
}

func (s span) has(v uint64, width uint8) bool { return (v-s.lo)&mask(width) <= s.size(width) }

// TestSpans has, for all spans of operands of a small width, the values of each
// operator in the span that it is given, and decided comparisons as decided.
func TestSpans(t *testing.T) {
	const width = 3
	all := spansOf(width)
	type operator struct {
		name string
		args int
		node func(x, y ID) node
	}
	binary := func(op Op) operator {
		return operator{op.String(), 2, func(x, y ID) node { return node{op: op, width: width, args: [3]ID{x, y}} }}
	}
	list := []operator{
		{"Not", 1, func(x, _ ID) node { return node{op: Not, width: width, args: [3]ID{x}} }},
		{"Neg", 1, func(x, _ ID) node { return node{op: Neg, width: width, args: [3]ID{x}} }},
		{"ZExt", 1, func(x, _ ID) node { return node{op: ZExt, width: 5, args: [3]ID{x}} }},
		{"SExt", 1, func(x, _ ID) node { return node{op: SExt, width: 5, args: [3]ID{x}} }},
		{"Extract 1 2", 1, func(x, _ ID) node { return node{op: Extract, width: 2, lo: 1, args: [3]ID{x}} }},
		{"Extract 0 2", 1, func(x, _ ID) node { return node{op: Extract, width: 2, args: [3]ID{x}} }},
		{"Extract 1 1", 1, func(x, _ ID) node { return node{op: Extract, width: 1, lo: 1, args: [3]ID{x}} }},
		{"Concat", 2, func(x, y ID) node { return node{op: Concat, width: 2 * width, args: [3]ID{x, y}} }},
	}
	for _, op := range []Op{Add, Sub, Mul, UMulHi, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr} {
		list = append(list, binary(op))
	}
	a := NewArena()
	x, y := a.Var("x", width), a.Var("y", width)
	for _, op := range list {
		t.Run(op.name, func(t *testing.T) {
			n := op.node(x, y)
			z := ID(len(a.nodes))
			a.nodes, a.spans = append(a.nodes, n), append(a.spans, span{})
			defer func() { a.nodes, a.spans = a.nodes[:z], a.spans[:z] }()
			others := all
			if op.args == 1 {
				others = all[:1]
			}
			narrower := 0
			for _, sx := range all {
				for _, sy := range others {
					a.spans[x], a.spans[y] = sx, sy
					got := a.spanOf(&n)
					if got.size(n.width) < mask(n.width) {
						narrower++
					} else if got != everything(n.width) {
						t.Fatalf("of %v and %v: %v, not in its form", sx, sy, got)
					}
					for _, vx := range sx.values(width) {
						for _, vy := range sy.values(width) {
							v := a.Eval(z, func(id ID) uint64 {
								if id == x {
									return vx
								}
								return vy
							})
							if !got.has(v, n.width) {
								t.Fatalf("of %v and %v: %v, but of %d and %d it is %d", sx, sy, got, vx, vy, v)
							}
						}
					}
				}
			}
			if narrower == 0 && op.name != "Shl" {
				t.Error("nothing is ever known")
			}
		})
	}
	t.Run("join", func(t *testing.T) {
		for _, s := range all {
			for _, u := range all {
				both := s.join(u, width)
				for _, v := range append(s.values(width), u.values(width)...) {
					if !both.has(v, width) {
						t.Fatalf("%v, joined with %v, is %v without %d", s, u, both, v)
					}
				}
			}
		}
	})
	for _, op := range []Op{Eq, Ult, Ule, Slt, Sle} {
		t.Run(op.String(), func(t *testing.T) {
			for _, sx := range all {
				for _, sy := range all {
					a.spans[x], a.spans[y] = sx, sy
					decided := a.decided(op, x, y)
					for _, vx := range sx.values(width) {
						for _, vy := range sy.values(width) {
							if v := apply(op, width, vx, vy); decided != None && decided != a.Bool(v == 1) {
								t.Fatalf("of %v and %v: %s, but of %d and %d it is %d", sx, sy, a.String(decided), vx, vy, v)
							}
						}
					}
				}
			}
		})
	}
}
