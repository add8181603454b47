package summary

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// computes reports whether an instruction computes one word from one or two others, as a Compute does.
func computes(op code.Op) bool {
	switch op {
	case code.Imm, code.Add, code.AddK, code.AddI, code.AddKI, code.Sub, code.SubK, code.Mul, code.MulK, code.MulI, code.Div, code.Rem,
		code.And, code.AndI, code.Or, code.Xor, code.AndNot, code.Shl, code.Shr, code.ShlI, code.ShrI, code.Neg, code.Com, code.Not,
		code.EqW, code.NeW, code.LtS, code.LeS, code.LtU, code.LeU, code.EqP, code.NeP:
		return true
	}
	return false
}

// reads returns how many of In.B and In.C an instruction that computes reads.
func reads(op code.Op) int {
	switch op {
	case code.Imm:
		return 0
	case code.AddI, code.AddKI, code.MulI, code.AndI, code.ShlI, code.ShrI, code.Neg, code.Com, code.Not, code.Addr, code.Mov:
		return 1
	}
	return 2
}

// Apply carries out in, which computes, on words. A divisor must not be zero and a shift count not negative.
func Apply(in *code.Instr, r []heap.Word) heap.Word {
	k := code.Kind(in.K)
	if in.Op == code.Imm {
		return heap.Word{N: uint64(int64(in.C))}
	}
	x := r[in.B]
	var y heap.Word
	if reads(in.Op) == 2 {
		y = r[in.C]
	} else {
		y.N = uint64(int64(in.C))
	}
	var v uint64
	switch in.Op {
	case code.Add, code.AddI:
		v = x.N + y.N
	case code.AddK, code.AddKI:
		v = heap.Canonical(x.N+y.N, k)
	case code.Sub:
		v = x.N - y.N
	case code.SubK:
		v = heap.Canonical(x.N-y.N, k)
	case code.Mul, code.MulI:
		v = x.N * y.N
	case code.MulK:
		v = heap.Canonical(x.N*y.N, k)
	case code.Div, code.Rem:
		v = symbolic.Divide(in.Op == code.Rem, k, x.N, y.N)
	case code.And, code.AndI:
		v = x.N & y.N
	case code.Or:
		v = x.N | y.N
	case code.Xor:
		v = x.N ^ y.N
	case code.AndNot:
		v = x.N &^ y.N
	case code.Shl:
		v = heap.Canonical(x.N<<y.N, k)
	case code.ShlI:
		v = heap.Canonical(x.N<<uint32(in.C), k)
	case code.Shr, code.ShrI:
		if k.Signed() {
			v = uint64(int64(x.N) >> y.N)
		} else {
			v = x.N >> y.N
		}
	case code.Neg:
		v = heap.Canonical(-x.N, k)
	case code.Com:
		v = heap.Canonical(^x.N, k)
	case code.Not:
		v = x.N ^ 1
	case code.EqW:
		v = heap.Bool(x.N == y.N)
	case code.NeW:
		v = heap.Bool(x.N != y.N)
	case code.LtS:
		v = heap.Bool(int64(x.N) < int64(y.N))
	case code.LeS:
		v = heap.Bool(int64(x.N) <= int64(y.N))
	case code.LtU:
		v = heap.Bool(x.N < y.N)
	case code.LeU:
		v = heap.Bool(x.N <= y.N)
	case code.EqP:
		v = heap.Bool(x == y)
	case code.NeP:
		v = heap.Bool(x != y)
	case code.Mov:
		return x
	case code.Addr:
		x.N += uint64(int64(in.C))
		return x
	default:
		panic("summary: Apply: " + in.Op.String())
	}
	return heap.Word{N: v}
}
