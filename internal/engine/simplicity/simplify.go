package simplicity

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/schedule"
)

// Simplify proposes inputs that are simpler than best, the input of the best run. The function try makes a run with an
// input and reports whether it is the best one now: best returns what it has drawn then. Simplify returns when none of
// its proposals is better, which is soon the case if try always reports false.
func Simplify(best func() *Input, try func(*Input) bool) {
	s := &simplifier{best, try}
	s.simplest()
	for better := true; better; {
		was := s.best().Size()
		s.shorten()
		s.simplifyParts()
		s.simplifyValues()
		better = s.best().Size() != was
	}
}

// A simplifier makes proposals.
type simplifier struct {
	best func() *Input
	try  func(*Input) bool
}

// simplest proposes the input in which all is as simple as can be.
func (s *simplifier) simplest() {
	c := s.best().clone()
	texts := c.texts()
	for i := range c.Vars {
		v := &c.Vars[i]
		if _, ok := v.LengthOf(); ok {
			v.Value = 0
		} else {
			v.Value = c.simplestOf(v, texts)
		}
	}
	s.propose(c)
}

// propose tries an input unless it is what there is.
func (s *simplifier) propose(c *Input) bool {
	was := s.best()
	return c.Size().Compare(was.Size()) < 0 && s.try(c)
}

// shorten proposes inputs in which parts of strings and slices are missing.
func (s *simplifier) shorten() {
	for _, first := range s.best().Vars {
		x, ok := first.LengthOf()
		if !ok {
			continue
		}
		for size := s.length(x); size > 0; size /= 2 {
			for end := s.length(x); end > 0; end = min(end-size, s.length(x)) {
				s.propose(s.best().without(x, max(end-size, 0), end))
			}
		}
		// What can only go as a whole, such as an element of a list with its comma, need not begin
		// at a multiple of its size.
		for size := min(maxWindow, s.length(x)-1); size > 1; size-- {
			for end := s.length(x); end >= size; end = min(end-1, s.length(x)) {
				s.propose(s.best().without(x, end-size, end))
			}
		}
	}
}

// maxWindow is up to which length each part of a string or slice is cut out, wherever it begins.
const maxWindow = 8

// length returns the length of a string or slice.
func (s *simplifier) length(x string) int {
	in := s.best()
	for i := range in.Vars {
		if of, ok := in.Vars[i].LengthOf(); ok && of == x {
			return int(in.Vars[i].Value)
		}
	}
	return 0
}

// simplifyParts proposes inputs in which several values are replaced by the simplest.
func (s *simplifier) simplifyParts() {
	for size := len(s.best().complex()); size > 0; size /= 2 {
		left := s.best().complex()
		for len(left) > 0 {
			part := left[max(len(left)-size, 0):]
			left = left[:len(left)-len(part)]
			c := s.best().clone()
			texts := c.texts()
			for i := range c.Vars {
				if v := &c.Vars[i]; slices.Contains(part, v.Name) {
					v.Value = c.simplestOf(v, texts)
				}
			}
			s.propose(c)
		}
	}
}

// simplifyValues proposes other values for one variable after the other.
func (s *simplifier) simplifyValues() {
	for _, name := range s.best().complex() {
		for s.simplifyValue(name) {
		}
		s.bisect(name)
	}
}

// simplifyValue proposes simpler values for a variable.
func (s *simplifier) simplifyValue(name string) bool {
	was := s.best()
	i := was.index(name)
	if i < 0 {
		return false
	}
	for _, value := range was.simpler(&was.Vars[i]) {
		if s.proposeValue(i, value) {
			return true
		}
	}
	return false
}

// bisect looks for the smallest value of a variable as if there were a bound from which on all are good, and the
// smallest values are not.
func (s *simplifier) bisect(name string) {
	bad := uint64(1)
	for {
		in := s.best()
		i := in.index(name)
		if i < 0 {
			return
		}
		good, value := in.scale(&in.Vars[i])
		if good <= bad+1 {
			return
		}
		if middle := bad + (good-bad)/2; !s.proposeValue(i, value(middle)) {
			bad = middle
		}
	}
}

// proposeValue proposes a value for the variable with the given index.
func (s *simplifier) proposeValue(i int, value uint64) bool {
	c := s.best().clone()
	c.Vars[i].Value = value
	return s.propose(c)
}

// index returns the index of a variable, -1 if there is none of that name.
func (in *Input) index(name string) int {
	return slices.IndexFunc(in.Vars, func(v schedule.Input) bool { return v.Name == name })
}

// clone returns a copy whose variables can be changed.
func (in *Input) clone() *Input { return &Input{Vars: slices.Clone(in.Vars), Seed: in.Seed} }

// Values returns the values of the variables.
func (in *Input) Values() run.Input {
	values := run.Input{}
	for _, v := range in.Vars {
		values[v.Name] = v.Value
	}
	return values
}

// complex returns the names of the variables that are not lengths and do not have the simplest value.
func (in *Input) complex() []string {
	var names []string
	texts := in.texts()
	for i := range in.Vars {
		v := &in.Vars[i]
		if _, ok := v.LengthOf(); !ok && in.rank(v, texts) > 0 {
			names = append(names, v.Name)
		}
	}
	return names
}

// without returns the input without the elements from i to before j of a string or slice.
func (in *Input) without(x string, i, j int) *Input {
	c := &Input{Seed: run.Input{}}
	for name, value := range in.Seed {
		if name, ok := shifted(name, x, i, j); ok {
			c.Seed[name] = value
		}
	}
	for _, v := range in.Vars {
		if of, ok := v.LengthOf(); ok && of == x {
			v.Value -= uint64(j - i)
		}
		var ok bool
		if v.Name, ok = shifted(v.Name, x, i, j); ok {
			c.Vars = append(c.Vars, v)
		}
	}
	return c
}

// shifted returns what a variable is called when the elements from i to before j of x are missing,
// false if it is a part of one of them.
func shifted(name, x string, i, j int) (string, bool) {
	at := strings.Index(name, x+"[")
	if at < 0 || at > 0 && name[at-1] != '(' {
		return name, true
	}
	at += len(x) + 1
	end := strings.IndexByte(name[at:], ']')
	if end < 0 {
		return name, true
	}
	k, err := strconv.Atoi(name[at : at+end])
	if err != nil || k < i {
		return name, true
	}
	return name[:at] + strconv.Itoa(k-(j-i)) + name[at+end:], k >= j
}

// simplestOf returns the simplest value of a variable.
func (in *Input) simplestOf(v *schedule.Input, texts map[string]bool) uint64 {
	if !isByte(v, texts) {
		return 0
	}
	if was, ok := in.Seed[v.Name]; ok {
		return was
	}
	return uint64(byByte[0])
}

// scale returns how far the value of a variable is from 0, or from what is like it for bytes of texts, and a function
// that returns the value, of the same sign, that is so far. It returns 0 for numbers that have no such distance.
func (in *Input) scale(v *schedule.Input) (uint64, func(distance uint64) uint64) {
	switch {
	case isByte(v, in.texts()):
		return uint64(byteRank[byte(v.Value)]), func(d uint64) uint64 { return uint64(byByte[byte(d)]) }
	case strings.HasPrefix(v.Type, "float"):
		return 0, nil
	case isSigned(v) && signed(v) < 0:
		return -uint64(signed(v)), func(d uint64) uint64 { return -d & (1<<v.Width - 1) }
	}
	return v.Value, func(d uint64) uint64 { return d }
}

// allBelow is up to which distance all smaller ones are proposed.
const allBelow = 16

// simpler returns values that are simpler than that of a variable, in the order in which they are proposed.
func (in *Input) simpler(v *schedule.Input) []uint64 {
	texts := in.texts()
	var list []uint64
	add := func(value uint64) {
		other := *v
		if other.Value = value & (1<<v.Width - 1); in.rank(&other, texts) < in.rank(v, texts) {
			list = append(list, other.Value)
		}
	}
	switch {
	case isByte(v, texts):
		add(in.simplestOf(v, texts))
		for _, c := range "0aA ." {
			add(uint64(c))
		}
	case v.Type == "float64" && v.Width == 64:
		for _, f := range simplerFloats(math.Float64frombits(v.Value)) {
			add(math.Float64bits(f))
		}
	case v.Type == "float32" && v.Width == 32:
		for _, f := range simplerFloats(float64(math.Float32frombits(uint32(v.Value)))) {
			add(uint64(math.Float32bits(float32(f))))
		}
	case isSigned(v):
		for _, n := range []int64{0, 1, -1, -signed(v)} {
			add(uint64(n))
		}
	default:
		add(0)
		add(1)
	}
	if distance, value := in.scale(v); distance <= allBelow {
		for d := range distance {
			add(value(d))
		}
	}
	return list
}

// simplerFloats returns numbers that may be simpler than f.
func simplerFloats(f float64) []float64 {
	list := []float64{0, 1, -1, 2, 0.5, -f, math.Trunc(f), math.Round(f)}
	for n := f / 2; math.Abs(n) > 1 && !math.IsInf(n, 0); n /= 2 {
		list = append(list, math.Trunc(n))
	}
	for digits := 1; digits < 8; digits++ {
		if g, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64); err == nil {
			list = append(list, g)
		}
	}
	return list
}

// FromSeed returns the bytes of the seed from which the texts of an input came: the seed that has most bytes in common
// with them, if those are at least half of its bytes. It returns nil if there is none.
func FromSeed(in *Input, seeds []run.Input) run.Input {
	var best run.Input
	most := 0
	texts := slices.Sorted(maps.Keys(in.texts()))
	values := in.Values()
	for _, seed := range seeds {
		from, all, same := run.Input{}, 0, 0
		for _, x := range texts {
			n, m := int(values[lengthName(x)]), int(seed[lengthName(x)])
			all += m
			ends := commonEnd(values, seed, x, n, m)
			for i := range n {
				k := i // the byte of the seed at this place
				switch {
				case n == m || i < m && commonBegin(values, seed, x, i):
				case i >= n-ends:
					k = m - (n - i)
				default:
					continue
				}
				was := seed[elementName(x, k)]
				if from[elementName(x, i)] = was; was == values[elementName(x, i)] {
					same++
				}
			}
		}
		if 2*same >= all && same > most {
			best, most = from, same
		}
	}
	return best
}

// commonBegin reports whether the bytes of x up to i are the same in two inputs.
func commonBegin(a, b run.Input, x string, i int) bool {
	for k := range i + 1 {
		if a[elementName(x, k)] != b[elementName(x, k)] {
			return false
		}
	}
	return true
}

// commonEnd returns how many bytes at the ends of x, which has n in one input and m in the other, are the same.
func commonEnd(a, b run.Input, x string, n, m int) int {
	k := 0
	for k < min(n, m) && a[elementName(x, n-1-k)] == b[elementName(x, m-1-k)] {
		k++
	}
	return k
}

func lengthName(x string) string         { return "len(" + x + ")" }
func elementName(x string, i int) string { return x + "[" + strconv.Itoa(i) + "]" }
