package cover

import (
	"math/bits"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

// A chooser finds the plan of an epoch for the state in which it begins.
type chooser struct {
	epoch      *epoch
	goroutines []*goroutine // by their numbers in the epoch
	values     []uint64     // of inputs
	have       []bool
	evaluated  int  // terms
	unknown    bool // the term is about what has not been decided

	// known are the values of terms, where round is that of the choice.
	known  [len(terms)]uint64
	rounds [len(terms)]int
	round  int
}

// choose returns the numbers of the plans that the epoch may have: one, unless something is to be decided.
func (c *chooser) choose() (chosen []int32) {
	c.values = append(c.values[:0], make([]uint64, len(c.epoch.inputs))...)
	c.have = append(c.have[:0], make([]bool, len(c.epoch.inputs))...)
	return c.plans(false)
}

// plans returns the numbers of the plans that the epoch may have by what is known. What has not been decided can be either, or, if that is settled, false.
func (c *chooser) plans(settled bool) (list []int32) {
	defer func() {
		// A value cannot be had: there is a nil pointer on the way, or an index is too large.
		if recover() != nil {
			list = nil
		}
	}()
	c.round++
	return c.leaves(c.epoch.root, settled, nil)
}

// leaves appends the plans to which a decision of the tree can lead.
func (c *chooser) leaves(d int32, settled bool, list []int32) []int32 {
	for d >= 0 {
		decision := &c.epoch.tree[d]
		c.unknown = false
		holds := c.term(decision.condition) == 1
		if c.unknown && !settled {
			list = c.leaves(decision.yes, settled, list)
			d = decision.no
		} else if holds {
			d = decision.yes
		} else {
			d = decision.no
		}
	}
	if d == none {
		return list
	}
	for _, k := range list {
		if k == ^d {
			return list
		}
	}
	return append(list, ^d)
}

// input returns the value of an input.
func (c *chooser) input(i uint64) uint64 {
	if !c.have[i] {
		in := &c.epoch.inputs[i]
		switch in.kind {
		case decided:
			c.unknown = true
			return 0
		case drawn:
			c.values[i] = within(environment(in.name), in)
		case local:
			c.values[i] = read(c.goroutines[in.goroutine].values[in.slot], in)
		case global:
			c.values[i] = read(globals[in.slot], in)
		}
		c.values[i] &= mask(in.width)
		c.have[i] = true
	}
	return c.values[i]
}

// within returns the number that package sym draws for a given one.
func within(given uint64, in *input) uint64 {
	if !in.ranged {
		return given
	}
	above := given - in.low
	if in.size != 1<<64-1 {
		above %= in.size + 1
	}
	return in.low + above
}

// read returns a value to which steps lead from a variable. It panics if it cannot be had.
func read(p unsafe.Pointer, in *input) uint64 {
	for i := range in.steps {
		if p == nil {
			panic("cover: nil pointer")
		}
		switch s := &in.steps[i]; s.kind {
		case offset:
			p = unsafe.Add(p, s.n)
		case deref:
			p = *(*unsafe.Pointer)(p)
		case element:
			if s.n >= *(*int)(unsafe.Add(p, unsafe.Sizeof(p))) {
				panic("cover: index out of range")
			}
			p = unsafe.Add(*(*unsafe.Pointer)(p), s.n*s.size)
		case length:
			p = unsafe.Add(p, unsafe.Sizeof(p))
		case buffered:
			p = (*channel)(p).at(s.n, s.size)
		}
	}
	if p == nil {
		panic("cover: nil pointer")
	}
	switch {
	case in.width <= 8:
		return uint64(*(*uint8)(p))
	case in.width <= 16:
		return uint64(*(*uint16)(p))
	case in.width <= 32:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// A channel is how the runtime describes one.
type channel struct {
	count, room uint
	buffer      unsafe.Pointer
	size        uint16 // of an element
	closed      uint32
	timer, elem unsafe.Pointer
	send, next  uint // elements of the buffer
}

// at returns the address of what is received after n others. No goroutine sends or receives meanwhile, as all are at the end of an epoch.
func (c *channel) at(n, size int) unsafe.Pointer {
	if uint(n) >= c.count || int(c.size) != size || !channelsKnown() {
		panic("cover: there is no such element in the channel")
	}
	return unsafe.Add(c.buffer, int((c.next+uint(n))%c.room)*size)
}

// channelsKnown reports whether channels are described as is said here, which is that of the runtime, by a channel whose elements are known.
func channelsKnown() bool {
	ch := make(chan uint32, 3)
	for i := range uint32(3) {
		ch <- i
	}
	<-ch
	<-ch
	ch <- 3
	c := *(**channel)(unsafe.Pointer(&ch))
	at := func(n uint) uint32 { return *(*uint32)(unsafe.Add(c.buffer, (c.next+n)%c.room*4)) }
	return c.count == 2 && c.room == 3 && c.size == 4 && c.closed == 0 && c.timer == nil && c.send == 1 && c.next == 2 && at(0) == 2 && at(1) == 3
}

// environment returns an input of package sym, which is zero if nothing says what it is.
func environment(name string) uint64 {
	for _, field := range strings.Fields(os.Getenv("EVERYWAY_INPUT")) {
		i := strings.LastIndexByte(field, '=')
		if i < 0 || field[:i] != name {
			continue
		}
		if v, err := strconv.ParseInt(field[i+1:], 0, 64); err == nil {
			return uint64(v)
		}
		if v, err := strconv.ParseUint(field[i+1:], 0, 64); err == nil {
			return v
		}
	}
	return 0
}

func mask(width uint8) uint64 { return ^uint64(0) >> (64 - width) }

func signed(v uint64, width uint8) int64 { return int64(v<<(64-width)) >> (64 - width) }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// term returns the value of a term, which is what package expr says it is. Where something has not been decided, whatever the term may need then is read now: variables
// may have other values later.
func (c *chooser) term(i int32) uint64 {
	t := &terms[i]
	switch t.op {
	case opConst:
		return t.value
	case opVar:
		return c.input(t.value)
	}
	if c.rounds[i] != c.round {
		c.evaluated++
		v := c.compute(t)
		if c.unknown {
			return v
		}
		c.known[i] = v
		c.rounds[i] = c.round
	}
	return c.known[i]
}

func (c *chooser) compute(t *term) uint64 {
	x := c.term(t.a)
	m := mask(t.width)
	switch t.op {
	case opNot:
		return ^x & m
	case opNeg:
		return -x & m
	case opAnd:
		if x == 0 && !c.unknown {
			return 0
		}
		return x & c.term(t.b)
	case opOr:
		if x == m && !c.unknown {
			return m
		}
		return x | c.term(t.b)
	case opIte:
		if c.unknown {
			c.term(t.b)
		} else if x == 1 {
			return c.term(t.b)
		}
		return c.term(t.c)
	case opExtract:
		return x >> t.lo & m
	case opZExt:
		return x
	case opSExt:
		return uint64(signed(x, t.of)) & m
	}
	y := c.term(t.b)
	w := t.of
	switch t.op {
	case opXor:
		return x ^ y
	case opAdd:
		return (x + y) & m
	case opSub:
		return (x - y) & m
	case opMul:
		return x * y & m
	case opUMulHi:
		hi, lo := bits.Mul64(x, y)
		if w == 64 {
			return hi
		}
		return (hi<<(64-w) | lo>>w) & m
	case opUDiv:
		if y == 0 {
			return m
		}
		return x / y
	case opURem:
		if y == 0 {
			return x
		}
		return x % y
	case opSDiv:
		a, b := signed(x, w), signed(y, w)
		switch {
		case b == 0 && a < 0:
			return 1
		case b == 0:
			return m
		case b == -1:
			return uint64(-a) & m
		}
		return uint64(a/b) & m
	case opSRem:
		a, b := signed(x, w), signed(y, w)
		switch b {
		case 0:
			return x
		case -1:
			return 0
		}
		return uint64(a%b) & m
	case opShl:
		if y >= uint64(w) {
			return 0
		}
		return x << y & m
	case opLShr:
		if y >= uint64(w) {
			return 0
		}
		return x >> y
	case opAShr:
		return uint64(signed(x, w)>>min(y, 63)) & m
	case opEq:
		return bit(x == y)
	case opUlt:
		return bit(x < y)
	case opUle:
		return bit(x <= y)
	case opSlt:
		return bit(signed(x, w) < signed(y, w))
	case opSle:
		return bit(signed(x, w) <= signed(y, w))
	case opConcat:
		return x<<(t.width-t.of) | y
	}
	panic("cover: an operator that there is none of")
}
