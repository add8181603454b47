package bitblast

import (
	"math/bits"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/sat"
)

// Circuits for the operators on words.

// not inverts each bit.
func not(x word) word {
	w := make(word, len(x))
	for i, l := range x {
		w[i] = l.Not()
	}
	return w
}

// bitwise applies a gate to the bits of two words.
func bitwise(x, y word, gate func(x, y sat.Lit) sat.Lit) word {
	w := make(word, len(x))
	for i := range w {
		w[i] = gate(x[i], y[i])
	}
	return w
}

// flipSign inverts the highest bit, which takes signed order to unsigned order.
func flipSign(x word) word {
	w := slices.Clone(x)
	w[len(w)-1] = w[len(w)-1].Not()
	return w
}

func reverse(x word) word {
	w := slices.Clone(x)
	slices.Reverse(w)
	return w
}

// extend widens x, with fill above.
func extend(x word, width int, fill sat.Lit) word {
	w := append(make(word, 0, width), x...)
	for len(w) < width {
		w = append(w, fill)
	}
	return w
}

// choose returns x if c is true, otherwise y.
func (b *Blaster) choose(c sat.Lit, x, y word) word {
	w := make(word, len(x))
	for i := range w {
		w[i] = b.mux(c, x[i], y[i])
	}
	return w
}

// any returns whether a bit of x is 1.
func (b *Blaster) any(x word) sat.Lit { return b.all(not(x)).Not() }

// equal returns whether two words are equal.
func (b *Blaster) equal(x, y word) sat.Lit {
	same := make([]sat.Lit, len(x), len(x)+1)
	for i := range x {
		same[i] = b.xor(x[i], y[i]).Not()
	}
	return b.all(same)
}

// add returns the sum of two words and a carry by rippling.
func (b *Blaster) add(x, y word, carry sat.Lit) word {
	w := make(word, len(x))
	for i := range w {
		w[i] = b.xor3(x[i], y[i], carry)
		if i < len(w)-1 {
			carry = b.majority(x[i], y[i], carry)
		}
	}
	return w
}

// less returns whether x < y, unsigned: the borrow of x - y.
func (b *Blaster) less(x, y word) sat.Lit {
	borrow := b.truth.Not()
	for i := range x {
		borrow = b.majority(x[i].Not(), y[i], borrow)
	}
	return borrow
}

// product multiplies by shifting and adding.
func (b *Blaster) product(x, y word) word {
	if _, ok := b.known(x); ok {
		x, y = y, x
	}
	if v, ok := b.known(y); ok {
		return b.multiple(x, v)
	}
	if b.unknownBits(y) > b.unknownBits(x) {
		x, y = y, x
	}
	w := b.constWord(0, len(x))
	for i, bit := range y {
		if b.fold(bit) == b.truth.Not() {
			continue
		}
		row := make(word, len(x)-i)
		for j := range row {
			row[j] = b.and(x[j], bit)
		}
		w = append(w[:i:i], b.add(w[i:], row, b.truth.Not())...)
	}
	return w
}

// most returns the greatest value that x can have as far as its bits are known.
func (b *Blaster) most(x word) uint64 {
	v := uint64(0)
	for i, l := range x {
		if b.fold(l) != b.truth.Not() {
			v |= 1 << i
		}
	}
	return v
}

func (b *Blaster) unknownBits(x word) int {
	n := 0
	for _, l := range x {
		if l = b.fold(l); l != b.truth && l != b.truth.Not() {
			n++
		}
	}
	return n
}

// multiple returns x times v. The digits of v are recoded to 1, 0 and -1 with
// no two neighbours other than 0, so that few rows are to be added.
func (b *Blaster) multiple(x word, v uint64) word {
	w := b.constWord(0, len(x))
	for i := 0; i < len(x) && v != 0; i++ {
		row := x[:len(x)-i]
		switch v & 3 {
		case 1:
			w = append(w[:i:i], b.add(w[i:], row, b.truth.Not())...)
		case 3:
			w = append(w[:i:i], b.add(w[i:], not(row), b.truth)...)
			v = v>>1 + 1 // half of v without the digit -1
			continue
		}
		v >>= 1
	}
	return w
}

// shiftRight shifts by a variable count, a stage for each of its bits.
func (b *Blaster) shiftRight(x, count word, fill sat.Lit) word {
	n := len(x)
	w := x
	var beyond word // bits of the count that shift everything out
	for stage, bit := range count {
		if stage > 6 || 1<<stage >= n {
			beyond = append(beyond, bit)
			continue
		}
		shifted := append(slices.Clone(w[1<<stage:]), make(word, 1<<stage)...)
		for i := n - 1<<stage; i < n; i++ {
			shifted[i] = fill
		}
		w = b.choose(bit, shifted, w)
	}
	return b.choose(b.any(beyond), extend(nil, n, fill), w)
}

// division returns the quotient and remainder for x, one of the division
// operators.
func (b *Blaster) division(x expr.ID) quotient {
	op := b.arena.Op(x)
	key := division{b.arena.Arg(x, 0), b.arena.Arg(x, 1), op == expr.SDiv || op == expr.SRem}
	if d, ok := b.divided[key]; ok {
		return d
	}
	p, q := b.word(key.x), b.word(key.y)
	var d quotient
	if key.signed { // divide magnitudes
		signP, signQ := p[len(p)-1], q[len(q)-1]
		d = b.divide(b.negateIf(signP, p), b.negateIf(signQ, q))
		d.quo = b.negateIf(b.xor(signP, signQ), d.quo)
		d.rem = b.negateIf(signP, d.rem)
	} else {
		d = b.divide(p, q)
	}
	b.divided[key] = d
	return d
}

// negateIf returns -x if c is true, otherwise x.
func (b *Blaster) negateIf(c sat.Lit, x word) word {
	w := make(word, len(x))
	for i := range w {
		w[i] = b.xor(x[i], c)
	}
	return b.add(w, b.constWord(0, len(x)), c)
}

// divide divides unsigned, with all ones and x as the results if y is 0.
func (b *Blaster) divide(x, y word) quotient {
	if v, ok := b.known(y); ok {
		return b.divideConst(x, v)
	}
	return b.restoring(x, y)
}

// divideConst divides by a constant: the results are new words for which
// x = quo * v + rem, without overflow, and rem < v.
func (b *Blaster) divideConst(x word, v uint64) quotient {
	n := len(x)
	zero := b.truth.Not()
	switch {
	case v == 0:
		return quotient{quo: b.constWord(^uint64(0), n), rem: x}
	case v&(v-1) == 0:
		k := bits.TrailingZeros64(v)
		return quotient{quo: extend(x[k:], n, zero), rem: extend(x[:k], n, zero)}
	}
	most := b.most(x)
	greatest := most / v
	quo := extend(b.free(bits.Len64(greatest)), n, zero)
	rem := extend(b.free(bits.Len64(min(v-1, most))), n, zero)
	b.sat.Add(b.less(b.constWord(greatest, n), quo).Not())
	b.sat.Add(b.less(rem, b.constWord(v, n)))
	sum := b.add(extend(b.multiple(quo, v), n+1, zero), extend(rem, n+1, zero), zero)
	for i, l := range extend(x, n+1, zero) {
		b.sat.Add(b.xor(sum[i], l).Not())
	}
	return quotient{quo, rem}
}

// restoring divides by the method of pencil and paper. After k bits of x the
// remainder is at most their value, so it has k bits.
func (b *Blaster) restoring(x, y word) quotient {
	n := len(x)
	quo := make(word, n)
	beyond := make(word, n+1) // beyond[k]: y does not fit in k bits
	beyond[n] = b.truth.Not()
	for k := n - 1; k >= 0; k-- {
		beyond[k] = b.or(y[k], beyond[k+1])
	}
	var rem word
	for k := 1; k <= n; k++ {
		rem = append(word{x[n-k]}, rem...)
		if v, ok := b.known(rem); ok && v == 0 { // 0 - y is at least 0 only if y is 0
			quo[n-k] = beyond[0].Not()
			continue
		}
		fits := b.and(beyond[k].Not(), b.less(rem, y[:k]).Not())
		quo[n-k] = fits
		rem = b.choose(fits, b.add(rem, not(y[:k]), b.truth), rem)
	}
	// What follows anyway, but only from all the rows together: unless y is 0, the
	// remainder is less than y and the quotient at most x.
	b.sat.Add(beyond[0].Not(), b.less(rem, y))
	b.sat.Add(beyond[0].Not(), b.less(x, quo).Not())
	return quotient{quo, rem}
}

// wordMap maps expressions to their words. Starting over costs nothing.
type wordMap struct {
	round  uint32
	stamps []uint32 // by ID: stamps[x] == round if x is mapped
	words  []word
}

func (m *wordMap) reset(ids int) {
	m.round++
	if m.round == 0 || ids >= len(m.stamps) { // or stamps of 2^32 rounds ago would look new
		m.stamps = make([]uint32, 2*ids+1)
		m.words = make([]word, 2*ids+1)
		m.round = 1
	}
}

func (m *wordMap) get(x expr.ID) (word, bool) {
	if m.stamps[x] != m.round {
		return nil, false
	}
	return m.words[x], true
}

func (m *wordMap) set(x expr.ID, w word) {
	m.stamps[x], m.words[x] = m.round, w
}
