package exprtest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/everyway-go/everyway/internal/expr"
)

// Program reads bytes as instructions of a stack machine that builds trees.
// Every program is valid; widths are brought together by extension and
// extraction.
func Program(code []byte) *Tree {
	widths := []uint8{1, 3, 8, 13, 32, 64}
	var stack []*Tree
	pop := func() *Tree {
		if len(stack) == 0 {
			return &Tree{Op: expr.Var, Width: 8, Name: "x8"}
		}
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return t
	}
	next := func() byte {
		if len(code) == 0 {
			return 0
		}
		b := code[0]
		code = code[1:]
		return b
	}
	fit := func(t *Tree, width uint8) *Tree {
		switch {
		case t.Width > width:
			return &Tree{Op: expr.Extract, Width: width, Args: []*Tree{t}}
		case t.Width < width:
			return &Tree{Op: expr.ZExt, Width: width, Args: []*Tree{t}}
		}
		return t
	}
	for steps := 0; len(code) > 0 && steps < 60; steps++ {
		switch op := expr.Op(next()%uint8(expr.FRound)) + 1; op {
		case expr.Const:
			w := widths[int(next())%len(widths)]
			var b [8]byte
			for i := range b {
				b[i] = byte(int8(next()) >> (i % 2 * 7)) // small and extreme values are likely
			}
			v := binary.LittleEndian.Uint64(b[:])
			if next()%2 == 0 {
				v = uint64(int64(int8(b[0])))
			}
			stack = append(stack, &Tree{Op: expr.Const, Width: w, Value: v & (^uint64(0) >> (64 - w))})
		case expr.Var:
			w := widths[int(next())%len(widths)]
			stack = append(stack, &Tree{Op: expr.Var, Width: w, Name: fmt.Sprintf("%c%d", 'x'+next()%2, w)})
		case expr.Not, expr.Neg:
			x := pop()
			stack = append(stack, &Tree{Op: op, Width: x.Width, Args: []*Tree{x}})
		case expr.Ite:
			c, x, y := fit(pop(), 1), pop(), pop()
			y = fit(y, x.Width)
			stack = append(stack, &Tree{Op: op, Width: x.Width, Args: []*Tree{c, x, y}})
		case expr.Extract:
			x := pop()
			lo := next() % x.Width
			stack = append(stack, &Tree{Op: op, Width: 1 + next()%(x.Width-lo), Lo: lo, Args: []*Tree{x}})
		case expr.Concat:
			x, y := pop(), pop()
			if int(x.Width)+int(y.Width) > 64 {
				x, y = fit(x, min(x.Width, 32)), fit(y, min(y.Width, 32))
			}
			stack = append(stack, &Tree{Op: op, Width: x.Width + y.Width, Args: []*Tree{x, y}})
		case expr.ZExt, expr.SExt:
			x := pop()
			stack = append(stack, &Tree{Op: op, Width: x.Width + next()%(65-x.Width), Args: []*Tree{x}})
		case expr.Table, expr.Store: // an array of a few elements, stored into and used at once
			index := uint8(1 + next()%3)
			table := &Tree{Op: expr.Table, Width: 8, Lo: index}
			for range 1 + next()%(1<<index) {
				table.Args = append(table.Args, fit(pop(), 8))
			}
			array := table
			for range next() % 4 {
				array = &Tree{Op: expr.Store, Width: 8, Lo: index, Args: []*Tree{array, fit(pop(), index), fit(pop(), 8)}}
			}
			stack = append(stack, &Tree{Op: expr.Select, Width: 8, Args: []*Tree{array, fit(pop(), index)}})
		case expr.Select: // of a big table
			table := &Tree{Op: expr.Table, Width: 16, Lo: 8}
			for i := range 100 + int(next()%150) {
				table.Args = append(table.Args, &Tree{Op: expr.Const, Width: 16, Value: uint64(i*i+i%7*int(next())) % (1 << 16)})
			}
			stack = append(stack, &Tree{Op: expr.Select, Width: 16, Args: []*Tree{table, fit(pop(), 8)}})
		case expr.FAdd, expr.FMul, expr.FDiv, expr.FEq, expr.FLt, expr.FLe:
			width := 32 + next()%2*32
			x, y := fit(pop(), width), fit(pop(), width)
			t := &Tree{Op: op, Width: width, Args: []*Tree{x, y}}
			if op >= expr.FEq && op <= expr.FLe {
				t.Width = 1
			}
			stack = append(stack, t)
		case expr.FSqrt, expr.FConv, expr.FToS, expr.FRound:
			width := 32 + next()%2*32
			t := &Tree{Op: op, Width: width, Args: []*Tree{fit(pop(), width)}}
			if op == expr.FConv || op == expr.FToS && next()%2 == 0 {
				t.Width = 96 - width
			}
			if op == expr.FRound {
				t.Lo = next() % uint8(expr.ToZero+1)
			}
			stack = append(stack, t)
		case expr.SToF, expr.UToF:
			stack = append(stack, &Tree{Op: op, Width: 32 + next()%2*32, Args: []*Tree{pop()}})
		default:
			x, y := pop(), pop()
			t := &Tree{Op: op, Width: x.Width, Args: []*Tree{x, fit(y, x.Width)}}
			if op >= expr.Eq && op <= expr.Sle {
				t.Width = 1
			}
			stack = append(stack, t)
		}
	}
	return pop()
}

// RandomProgram returns a program of random instructions.
func RandomProgram(r *rand.Rand) []byte {
	code := make([]byte, 10+r.IntN(90))
	for i := range code {
		code[i] = byte(r.Uint32())
	}
	return code
}
