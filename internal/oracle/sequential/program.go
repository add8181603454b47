package sequential

import (
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// A Program is a function of small inputs that returns a byte or panics.
type Program struct {
	Seed   uint64
	Params []Param
	// Unordered is set when a map is iterated: then several runs belong to one input.
	Unordered bool
	body      []*stmt
}

// A Param is an input.
type Param struct {
	Name string
	Type string // uint8, int8, bool, string or []byte
	// Low and High bound the bytes of a string or slice.
	Low, High byte
}

// maxLen bounds the length of inputs that are strings or slices.
const maxLen = 2

// A stmt is a statement: a line, or blocks each with a head, and a last line.
type stmt struct {
	line   string
	blocks []block
	end    string
}

type block struct {
	head string
	list []*stmt
}

// write appends the source of a list of statements.
func write(b *strings.Builder, list []*stmt) {
	for _, s := range list {
		if s.blocks == nil {
			b.WriteString(s.line + "\n")
			continue
		}
		for _, block := range s.blocks {
			b.WriteString(block.head + "\n")
			write(b, block.list)
		}
		b.WriteString(s.end + "\n")
	}
}

// source writes the function of a program.
func (p *Program) source(b *strings.Builder, name string) {
	fmt.Fprintf(b, "func %s(%s) (h uint8) {\n", name, p.params())
	write(b, p.body)
	b.WriteString("return h\n}\n\n")
}

// params lists the parameters as Go declares them.
func (p *Program) params() string {
	var list []string
	for _, in := range p.Params {
		list = append(list, in.Name+" "+in.Type)
	}
	return strings.Join(list, ", ")
}

// args lists the parameters as a call passes them.
func (p *Program) args() string {
	var list []string
	for _, in := range p.Params {
		list = append(list, in.Name)
	}
	return strings.Join(list, ", ")
}

// guard returns a condition that does not hold for inputs outside the domain, "" when
// there are none.
func (p *Program) guard() string {
	var list []string
	for _, in := range p.Params {
		if in.Low > 0 || in.High < 255 {
			list = append(list, fmt.Sprintf("!within(string(%s), %d, %d)", in.Name, in.Low, in.High))
		}
	}
	return strings.Join(list, " || ")
}

// An Input holds a value for each parameter: the bits of a number, or the bytes of a
// string or slice.
type Input []Value

// A Value is that of a parameter.
type Value struct {
	Bits  uint64
	Bytes string
}

// values returns the domain of a parameter.
func (in *Param) values() []Value {
	var list []Value
	switch in.Type {
	case tBool:
		return []Value{{Bits: 0}, {Bits: 1}}
	case tU8, tI8:
		for i := range 256 {
			list = append(list, Value{Bits: uint64(i)})
		}
	default:
		list = append(list, Value{})
		longest := []string{""}
		for range maxLen {
			var longer []string
			for _, s := range longest {
				for c := int(in.Low); c <= int(in.High); c++ {
					longer = append(longer, s+string([]byte{byte(c)}))
				}
			}
			for _, s := range longer {
				list = append(list, Value{Bytes: s})
			}
			longest = longer
		}
	}
	return list
}

// domain returns all inputs, in the order of nested loops over the parameters.
func (p *Program) domain() []Input {
	all := []Input{nil}
	for i := range p.Params {
		values := p.Params[i].values()
		longer := make([]Input, 0, len(all)*len(values))
		for _, in := range all {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(in), v))
			}
		}
		all = longer
	}
	return all
}

// position returns the index of an input in the domain, -1 if it is not in it.
func (p *Program) position(in Input) int {
	at := 0
	for i := range p.Params {
		k, n := p.Params[i].position(in[i])
		if k < 0 {
			return -1
		}
		at = at*n + k
	}
	return at
}

// position returns the index of v among n values, -1 if it is not one of them.
func (in *Param) position(v Value) (k, n int) {
	switch in.Type {
	case tBool:
		return int(v.Bits), 2
	case tU8, tI8:
		return int(v.Bits), 256
	}
	// Shorter ones come first.
	bytes := int(in.High) - int(in.Low) + 1
	for size, count := 0, 1; size <= maxLen; size, count = size+1, count*bytes {
		if size == len(v.Bytes) {
			k = n
		}
		n += count
	}
	if len(v.Bytes) > maxLen {
		return -1, n
	}
	within := 0
	for _, c := range []byte(v.Bytes) {
		if c < in.Low || c > in.High {
			return -1, n
		}
		within = within*bytes + int(c-in.Low)
	}
	return k + within, n
}

// text shows an input as Go would.
func (p *Program) text(in Input) string {
	var list []string
	for i, param := range p.Params {
		switch v := in[i]; param.Type {
		case tBool:
			list = append(list, fmt.Sprint(param.Name, "=", v.Bits != 0))
		case tU8:
			list = append(list, fmt.Sprint(param.Name, "=", uint8(v.Bits)))
		case tI8:
			list = append(list, fmt.Sprint(param.Name, "=", int8(v.Bits)))
		default:
			list = append(list, fmt.Sprintf("%s=%q", param.Name, v.Bytes))
		}
	}
	return strings.Join(list, " ")
}

// Source returns the source of the program.
func (p *Program) Source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Program of seed %d.\n", p.Seed)
	p.source(&b, "program")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(fmt.Sprintf("sequential: the source of a program does not parse: %v\n%s", err, b.String()))
	}
	return string(text)
}
