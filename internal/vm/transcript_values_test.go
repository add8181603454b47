package vm_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// A calculator computes the symbolic values of a schedule from its constants, its inputs and
// what is read, and compares them with the values that are written, sent and branched on.
type calculator struct {
	table   *schedule.Table
	arena   *expr.Arena
	known   map[schedule.Local]expr.ID // constants
	checked int
}

func newCalculator(t *schedule.Table) *calculator {
	return &calculator{table: t, arena: expr.NewArena(), known: map[schedule.Local]expr.ID{}}
}

// event takes an event into account, and says what is wrong with a value.
func (c *calculator) event(e *schedule.Event) error {
	switch e.Op {
	case schedule.Let, schedule.Symbol, schedule.Read, schedule.AtomicRead, schedule.Recv, schedule.LenChan:
		if e.Value.Kind != schedule.NoValue && e.Value.Kind != schedule.Reference && e.Result != 0 {
			c.known[e.Result] = c.arena.Const(e.Value.Bits, uint8(e.Value.Kind.Width()))
		}
	case schedule.Binary:
		c.compute(e.Result, c.table.Name(e.Name), e.Left, e.Right)
	case schedule.Unary:
		c.compute(e.Result, c.table.Name(e.Name), e.Left)
	case schedule.Call:
		c.compute(e.Result, c.table.Name(e.Name), e.List...)
	case schedule.Write, schedule.AtomicWrite, schedule.Send:
		return c.compare(e.Left, e.Value.Kind, e.Value.Bits)
	case schedule.Branch, schedule.Assume:
		return c.compare(e.Left, schedule.Bool, uint64(e.Number))
	}
	return nil
}

// compare compares a value with what it is to be, if it is known.
func (c *calculator) compare(l schedule.Local, kind schedule.ValueKind, want uint64) error {
	x, ok := c.known[l]
	if !ok || kind == schedule.NoValue || kind == schedule.Reference {
		return nil
	}
	c.checked++
	if got, _ := c.arena.ConstValue(x); got != want || int(c.arena.Width(x)) != kind.Width() {
		return fmt.Errorf("v%d is %d of width %d, not %d of kind %v", l, got, c.arena.Width(x), want, kind)
	}
	return nil
}

// compute defines the result of an operation on constants.
func (c *calculator) compute(result schedule.Local, name string, args ...schedule.Local) {
	var x []expr.ID
	for _, l := range args {
		if c.known[l] == expr.None {
			return
		}
		x = append(x, c.known[l])
	}
	name, rest, _ := strings.Cut(name, ".")
	var numbers []uint8
	for part := range strings.SplitSeq(rest, ".") {
		n, _ := strconv.Atoi(part)
		numbers = append(numbers, uint8(n))
	}
	a := c.arena
	y := expr.None
	switch {
	case name == "extract":
		y = a.Extract(x[0], numbers[0], numbers[1])
	case name == "zext":
		y = a.ZExt(x[0], numbers[0])
	case name == "sext":
		y = a.SExt(x[0], numbers[0])
	case name == "not":
		y = a.Not(x[0])
	case name == "neg":
		y = a.Neg(x[0])
	case name == "ite":
		y = a.Ite(x[0], x[1], x[2])
	case len(x) == 2:
		for op := expr.And; op <= expr.UMulHi; op++ {
			if strings.ToLower(op.String()) == name && op.NumArgs() == 2 {
				y = a.Binary(op, x[0], x[1])
			}
		}
	}
	if _, ok := a.ConstValue(y); y != expr.None && ok {
		c.known[result] = y
	}
}
