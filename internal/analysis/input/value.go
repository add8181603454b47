package input

import (
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// A definition is how a symbolic value is computed.
type definition struct {
	op    schedule.Op
	name  schedule.NameID // of the operator, or of an input
	args  []schedule.Local
	value schedule.Value // of a constant; of a read, if it is known
	order int64          // of a read or receive
}

// operators are those of two operands, by the names that schedules have for them.
var operators = func() map[string]expr.Op {
	m := make(map[string]expr.Op)
	for _, op := range []expr.Op{
		expr.And, expr.Or, expr.Xor, expr.Add, expr.Sub, expr.Mul, expr.UDiv, expr.SDiv, expr.URem, expr.SRem,
		expr.Shl, expr.LShr, expr.AShr, expr.Eq, expr.Ult, expr.Ule, expr.Slt, expr.Sle,
	} {
		m[strings.ToLower(op.String())] = op
	}
	return m
}()

// width returns how many bits a value of a kind has, 0 if that is not known.
func width(k schedule.ValueKind) uint8 {
	switch k {
	case schedule.Bool:
		return 1
	case schedule.Int8, schedule.Uint8:
		return 8
	case schedule.Int16, schedule.Uint16:
		return 16
	case schedule.Int32, schedule.Uint32, schedule.Float32:
		return 32
	case schedule.Int64, schedule.Uint64, schedule.Float64, schedule.Reference:
		return 64
	}
	return 0
}

// constant returns a value as an expression, expr.None if it is not known.
func (d *detector) constant(v schedule.Value) expr.ID {
	w := width(v.Kind)
	if w == 0 {
		return expr.None
	}
	return d.arena.Const(v.Bits, w)
}

// apply returns what an operator computes, expr.None if that is not known.
func (d *detector) apply(name string, args []expr.ID) expr.ID {
	a := d.arena
	for _, x := range args {
		if x == expr.None {
			return expr.None
		}
	}
	base, parts, _ := strings.Cut(name, ".")
	switch len(args) {
	case 1:
		x := args[0]
		switch base {
		case "not":
			return a.Not(x)
		case "neg":
			return a.Neg(x)
		case "extract":
			from, wide, _ := strings.Cut(parts, ".")
			lo, err1 := strconv.ParseUint(from, 10, 8)
			w, err2 := strconv.ParseUint(wide, 10, 8)
			if err1 != nil || err2 != nil || w == 0 || lo+w > uint64(a.Width(x)) {
				return expr.None
			}
			return a.Extract(x, uint8(lo), uint8(w))
		case "zext", "sext":
			w, err := strconv.ParseUint(parts, 10, 8)
			if err != nil || w < uint64(a.Width(x)) || w > 64 {
				return expr.None
			}
			if base == "zext" {
				return a.ZExt(x, uint8(w))
			}
			return a.SExt(x, uint8(w))
		}
	case 2:
		x, y := args[0], args[1]
		op, ok := operators[base]
		if base == "concat" && a.Width(x)+a.Width(y) <= 64 {
			return a.Concat(x, y)
		}
		if ok && a.Width(x) == a.Width(y) && a.Width(x) > 0 {
			return a.Binary(op, x, y)
		}
	case 3:
		c, x, y := args[0], args[1], args[2]
		if base == "ite" && a.Width(c) == 1 && a.Width(x) == a.Width(y) {
			return a.Ite(c, x, y)
		}
	}
	return expr.None
}
