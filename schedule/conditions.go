package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// conditions knows how the symbolic values of a schedule are defined, and shows conditions on them
// as people write them.
type conditions struct {
	table       *Table
	definitions []definition // by Local; the first is not used
	listed      int          // operands of calls
}

// maxListed is how many operands of calls are kept; the text of a condition is without more.
const maxListed = 1 << 22

// A definition is how a symbolic value is defined.
type definition struct {
	op       Op
	name     NameID // of an input, an operator or a function
	value    Value  // of a constant
	operands [2]Local
	list     []Local     // the operands of a call
	by       GoroutineID // that has read it
	index    int64
}

// add notes the value that e defines, if it does.
func (c *conditions) add(e *Event) {
	if e.Result == 0 || int(e.Result) != len(c.definitions) {
		return
	}
	d := definition{op: e.Op, name: e.Name, value: e.Value, by: e.Goroutine, index: e.Index}
	switch e.Op {
	case Binary, Unary:
		d.operands = [2]Local{e.Left, e.Right}
	case Call:
		if c.listed += len(e.List); c.listed <= maxListed {
			d.list = slices.Clone(e.List)
		}
	}
	c.definitions = append(c.definitions, d)
}

// Bounds of the text of a condition: what is beyond them is an ellipsis.
const (
	conditionDepth = 24
	conditionNodes = 200
)

// text returns the condition of a branch, empty if it is not known.
func (c *conditions) text(e *Event) string {
	if e.Left == 0 {
		return ""
	}
	p := conditionPrinter{conditions: c, left: conditionNodes}
	if e.Number == 0 {
		p.WriteByte('!')
		p.value(e.Left, unaryStrength, conditionDepth, false)
	} else {
		p.value(e.Left, 0, conditionDepth, false)
	}
	return p.String()
}

// A conditionPrinter writes a condition.
type conditionPrinter struct {
	strings.Builder
	*conditions
	left int // values that may still be written
}

// How strongly operators bind, as in Go.
const (
	orStrength = iota + 1
	andStrength
	compareStrength
	addStrength
	multiplyStrength
	unaryStrength
)

// An infix is an operator that stands between its operands.
type infix struct {
	sign     string
	strength int
	signed   bool // constants are signed numbers
}

// infixes holds the operators that stand between their operands, by name. Signed ones have an s,
// those of floats an f.
var infixes = map[string]infix{
	"add": {"+", addStrength, false}, "sub": {"-", addStrength, false}, "mul": {"*", multiplyStrength, true},
	"udiv": {"/", multiplyStrength, false}, "sdiv": {"/s", multiplyStrength, true},
	"urem": {"%", multiplyStrength, false}, "srem": {"%s", multiplyStrength, true},
	"and": {"&", multiplyStrength, false}, "or": {"|", addStrength, false}, "xor": {"^", addStrength, false},
	"shl": {"<<", multiplyStrength, false}, "lshr": {">>", multiplyStrength, false}, "ashr": {">>s", multiplyStrength, false},
	"eq": {"==", compareStrength, true}, "ult": {"<", compareStrength, false}, "ule": {"<=", compareStrength, false},
	"slt": {"<s", compareStrength, true}, "sle": {"<=s", compareStrength, true}, "concat": {"++", addStrength, false},
	"fadd": {"+f", addStrength, false}, "fmul": {"*f", multiplyStrength, false}, "fdiv": {"/f", multiplyStrength, false},
	"feq": {"==f", compareStrength, false}, "flt": {"<f", compareStrength, false}, "fle": {"<=f", compareStrength, false},
}

// value writes a value, in parentheses if it binds weaker than strength.
func (p *conditionPrinter) value(v Local, strength, depth int, signed bool) {
	if v <= 0 || int(v) >= len(p.definitions) {
		p.WriteString("?")
		return
	}
	d := &p.definitions[v]
	switch d.op {
	case Let:
		c := d.value
		if signed && c.Kind >= Uint8 && c.Kind <= Uint64 {
			c.Kind -= Uint8 - Int8
		}
		p.WriteString(c.literal())
		return
	case Symbol:
		p.WriteString(p.table.Name(d.name))
		return
	case Binary, Unary, Call:
	default: // what the event has read
		fmt.Fprintf(p, "%s.%d", goroutineName(d.by), d.index)
		return
	}
	if p.left--; depth == 0 || p.left < 0 {
		p.WriteString("…")
		return
	}
	name := p.table.Name(d.name)
	in, ok := infixes[name]
	switch {
	case d.op == Binary && ok:
		if in.strength < strength {
			p.WriteByte('(')
		}
		p.value(d.operands[0], in.strength, depth-1, in.signed)
		p.WriteString(" " + in.sign + " ")
		p.value(d.operands[1], in.strength+1, depth-1, in.signed)
		if in.strength < strength {
			p.WriteByte(')')
		}
	case d.op == Unary && (name == "not" || name == "neg"):
		p.WriteString(map[string]string{"not": "!", "neg": "-"}[name])
		p.value(d.operands[0], unaryStrength, depth-1, false)
	default:
		p.WriteString(name + "(")
		args := d.list
		switch d.op {
		case Unary:
			args = d.operands[:1]
		case Binary:
			args = d.operands[:]
		}
		for i, arg := range args {
			if i > 0 {
				p.WriteString(", ")
			}
			if p.left <= 0 {
				p.WriteString("…")
				break
			}
			p.value(arg, 0, depth-1, false)
		}
		p.WriteByte(')')
	}
}
