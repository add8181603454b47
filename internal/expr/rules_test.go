package expr_test

import (
	"testing"

	. "github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/exprtest"
)

// rules lists the simplifications: building from must give the expression to,
// for variables and constants of the width unless they carry another.
var rules = []struct {
	width    uint8
	from, to string
}{
	// Constants fold under every operator.
	{3, "(not 2)", "5"}, {3, "(neg 2)", "6"}, {3, "(and 6 3)", "2"}, {3, "(or 4 1)", "5"}, {3, "(xor 6 3)", "5"},
	{3, "(add 6 3)", "1"}, {3, "(sub 1 3)", "6"}, {3, "(mul 3 3)", "1"},
	{3, "(udiv 7 2)", "3"}, {3, "(udiv 7 0)", "7"}, {3, "(urem 7 4)", "3"}, {3, "(urem 7 0)", "7"},
	{3, "(sdiv 5 2)", "-1"}, {3, "(sdiv 5 0)", "1"}, {3, "(sdiv 3 0)", "-1"}, {3, "(sdiv -4 -1)", "-4"},
	{3, "(srem 5 2)", "-1"}, {3, "(srem 5 0)", "5"},
	{3, "(shl 3 1)", "6"}, {3, "(shl 3 3)", "0"}, {3, "(lshr 6 1)", "3"}, {3, "(ashr 6 1)", "7"}, {3, "(ashr 6 7)", "7"},
	{3, "(= 2 2)", "1:1"}, {3, "(< 2 5)", "1:1"}, {3, "(<= 5 2)", "0:1"}, {3, "(<s 2 5)", "0:1"}, {3, "(<=s 5 2)", "1:1"},
	{3, "(concat 5 2)", "42:6"}, {3, "(extract 1 2 6)", "3:2"}, {3, "(zext 5 6)", "6:5"}, {3, "(sext 5 6)", "30:5"},
	{3, "(ite 1:1 x y)", "x"}, {3, "(ite 0:1 x y)", "y"},

	// Floats.
	{64, "(f+ y x)", "(f+ x y)"},
	{64, "(f* y x)", "(f* x y)"},
	{64, "(f+ x 0x7ff8000000000000)", "0x7ff8000000000001"},
	{32, "(f/ 0x7f800001 x)", "0x7fc00000"},
	{64, "(f< x x)", "0:1"},
	{64, "(f<= x x)", "(f= x x)"},
	{64, "(f= (stof 64 x) (stof 64 x))", "1:1"},
	{64, "(f= x 0x7ff8000000000000)", "0:1"},
	{64, "(f< 0x7ff0000000000000 x)", "0:1"},
	{32, "(f< x 0xff800000)", "0:1"},
	{32, "(stof 64 (zext 32 x:8))", "(utof 64 x:8)"},
	{32, "(utof 64 (zext 32 x:8))", "(utof 64 x:8)"},

	{64, "(fround 3 0x4007000000000000)", "0x4000000000000000"},
	{32, "(fround 4 (fround 0 x))", "(fround 0 x)"},
	{64, "(fround 2 (stof 64 x:8))", "(stof 64 x:8)"},
	{64, "(fround 1 (utof 64 x))", "(utof 64 x)"},

	// Neg.
	{3, "(neg (neg x))", "x"},
	{1, "(neg x)", "x"},
	{3, "(neg (sub x y))", "(sub y x)"},
	{3, "(neg (add x 2))", "(sub 6 x)"},

	// Add.
	{3, "(add y x)", "(add x y)"},
	{1, "(add x y)", "(xor x y)"},
	{3, "(add x 0)", "x"},
	{3, "(add (add x 2) 3)", "(add x 5)"},
	{3, "(add (sub 2 x) 3)", "(sub 5 x)"},
	{3, "(add (not x) 1)", "(neg x)"},
	{3, "(add (ite c:1 2 3) 4)", "(ite c:1 6 7)"},
	{3, "(add (ite c:1 2 x) 4)", "(ite c:1 6 (add x 4))"},
	{3, "(add x x)", "(shl x 1)"},
	{3, "(add (add x 2) y)", "(add (add x y) 2)"},
	{3, "(add x (add y 2))", "(add (add x y) 2)"},
	{3, "(add (neg x) y)", "(sub y x)"},
	{3, "(add x (neg y))", "(sub x y)"},
	{3, "(add (sub x y) y)", "x"},
	{3, "(add y (sub x y))", "x"},
	{3, "(add x (not x))", "7"},

	// Sub.
	{3, "(sub x x)", "0"},
	{1, "(sub x y)", "(xor x y)"},
	{3, "(sub x 2)", "(add x 6)"},
	{3, "(sub x (neg y))", "(add x y)"},
	{3, "(sub 0 x)", "(neg x)"},
	{3, "(sub 7 x)", "(not x)"},
	{3, "(sub x (add y 2))", "(add (sub x y) 6)"},
	{3, "(sub (add x 2) y)", "(add (sub x y) 2)"},
	{3, "(sub (add x y) x)", "y"},
	{3, "(sub (add x y) y)", "x"},
	{3, "(sub (sub x y) x)", "(neg y)"},
	{3, "(sub x (sub x y))", "y"},
	{3, "(sub 5 (sub 2 x))", "(add x 3)"},

	// Mul.
	{1, "(mul x y)", "(and x y)"},
	{3, "(mul y x)", "(mul x y)"},
	{3, "(mul x 0)", "0"},
	{3, "(mul x 1)", "x"},
	{3, "(mul x 7)", "(neg x)"},
	{3, "(mul x 4)", "(shl x 2)"},
	{4, "(mul (mul x 3) 5)", "(mul x 15)"},
	{4, "(mul (neg x) 3)", "(mul x 13)"},
	{4, "(mul (add x 2) 3)", "(add (mul x 3) 6)"},
	{3, "(mul (ite c:1 2 3) 3)", "(ite c:1 6 1)"},

	// Products that cancel.
	{3, "(sub (mul (add x y) z) (mul z x))", "(mul z y)"},
	{3, "(add (mul x y) (sub z (mul y x)))", "z"},
	{3, "(sub (mul (add x 1) (add x 1)) (mul x x))", "(add (shl x 1) 1)"},
	{3, "(sub (mul (shl x 1) y) (mul x (shl y 1)))", "0"},
	{3, "(add (mul (udiv x y) y) (urem x y))", "x"},
	{3, "(add (srem x y) (mul y (sdiv x y)))", "x"},
	{3, "(add (mul x y) (mul (not x) y))", "(neg y)"},
	{3, "(= (mul (add x y) z) (add (mul x z) (mul y z)))", "1:1"},
	{3, "(= (mul (mul x y) (mul z x)) (mul (mul x x) (mul y z)))", "1:1"},
	{3, "(= (add (mul x y) (mul x z)) (add (mul x (add y z)) 3))", "0:1"},
	{3, "(= (add (mul x y) z) (add (mul y x) w))", "(= z w)"},
	{3, "(= (urem x y) (sub x (mul y (udiv x y))))", "1:1"},
	{3, "(< (mul (add x y) z) (add (mul x z) (mul y z)))", "0:1"},
	{3, "(<= (mul (add x y) z) (add (mul x z) (mul y z)))", "1:1"},
	{3, "(<s (mul (add x y) z) (add (mul x z) (mul y z)))", "0:1"},
	{3, "(<=s (mul (add x y) z) (add (mul x z) (mul y z)))", "1:1"},
	{3, "(add (mul (add x y) z) (mul (add x w) z))", "(add (mul (add w x) z) (mul (add y x) z))"}, // no fewer products

	// UMulHi. Of few bits it is part of a wider product.
	{64, "(mulhi y x)", "(mulhi x y)"},
	{64, "(mulhi x 0)", "0"},
	{64, "(mulhi x 1)", "0"},
	{64, "(mulhi x 16)", "(lshr x 60)"},
	{64, "(mulhi (ite c:1 -1 0) -1)", "(ite c:1 -2 0)"},
	{64, "(mulhi (zext 64 x:3) (zext 64 y:3))", "0"},
	{40, "(mulhi (zext 40 x:3) -2)", "(zext 40 (extract 40 3 (mul (zext 43 x:3) (zext 43 -2))))"},
	{3, "(mulhi x y)", "(extract 3 3 (mul (zext 6 x) (zext 6 y)))"},
	{3, "(mulhi 7 6)", "5"},

	// UDiv and URem.
	{3, "(udiv x 0)", "7"},
	{3, "(udiv x 1)", "x"},
	{3, "(udiv x 2)", "(lshr x 1)"},
	{3, "(udiv (zext 5 x) 3:5)", "(zext 5 (udiv x 3))"},
	{3, "(udiv (zext 5 x) 9:5)", "0:5"},
	{3, "(urem x 0)", "x"},
	{3, "(urem x 1)", "0"},
	{3, "(urem x 4)", "(and x 3)"},
	{3, "(urem 0 x)", "0"},
	{3, "(urem x x)", "0"},
	{3, "(urem (zext 5 x) (zext 5 y))", "(zext 5 (urem x y))"},
	{3, "(urem (zext 5 x) 3:5)", "(zext 5 (urem x 3))"},

	// By spans: of what is above a multiple of the divisor fewer bits are enough.
	{3, "(udiv (add (zext 6 x) 33:6) 11:6)", "(add (zext 6 (udiv (zext 4 x) 11:4)) 3:6)"},
	{3, "(urem (add (zext 6 x) 33:6) 11:6)", "(zext 6 x)"},
	{3, "(urem (add (zext 6 x) 24:6) 5:6)", "(zext 6 (urem (extract 0 4 (add (zext 6 x) 4:6)) 5:4))"},
	{3, "(udiv (mul (zext 6 x) 9:6) 3:6)", "(mul (zext 6 x) 3:6)"},
	{3, "(udiv (add (mul (zext 7 x) 9:7) (zext 7 y)) 9:7)", "(zext 7 x)"},
	{3, "(urem (add (mul (zext 7 x) 9:7) (zext 7 y)) 9:7)", "(zext 7 y)"},
	{3, "(udiv (add (mul (zext 8 x) 18:8) (zext 8 y)) 9:8)", "(shl (zext 8 x) 1:8)"},
	{3, "(lshr (add (zext 6 x) 35:6) 2:6)", "(add (zext 6 (extract 2 2 (add (zext 4 x) 3:4))) 8:6)"},
	{3, "(sdiv (add (zext 6 x) 3:6) 2:6)", "(lshr (add (zext 6 x) 3:6) 1:6)"},
	{3, "(ashr (add (zext 6 x) 3:6) (zext 6 y))", "(lshr (add (zext 6 x) 3:6) (zext 6 y))"},

	// SDiv and SRem.
	{1, "(sdiv x y)", "(or x (not y))"},
	{1, "(srem x y)", "(and x (not y))"},
	{3, "(sdiv x 1)", "x"},
	{3, "(sdiv x 7)", "(neg x)"},
	{3, "(sdiv (zext 5 x) (zext 5 y))", "(udiv (zext 5 x) (zext 5 y))"},
	{3, "(srem x 0)", "x"},
	{3, "(srem x 1)", "0"},
	{3, "(srem x 7)", "0"},
	{3, "(srem 0 x)", "0"},
	{3, "(srem x x)", "0"},
	{3, "(srem (zext 5 x) 3:5)", "(zext 5 (urem x 3))"},

	// Not.
	{3, "(not (not x))", "x"},
	{3, "(not (< x y))", "(<= y x)"},
	{3, "(not (<= x y))", "(< y x)"},
	{3, "(not (<s x y))", "(<=s y x)"},
	{3, "(not (<=s x y))", "(<s y x)"},
	{3, "(not (neg x))", "(add x 7)"},
	{3, "(not (add x 7))", "(neg x)"},
	{3, "(not (ite c:1 2 3))", "(ite c:1 5 4)"},

	// And.
	{3, "(and y x)", "(and x y)"},
	{3, "(and x 0)", "0"},
	{3, "(and x 7)", "x"},
	{3, "(and (and x 6) 5)", "(and x 4)"},
	{3, "(and x 3)", "(zext 3 (extract 0 2 x))"},
	{3, "(and (zext 5 x) 22:5)", "(zext 5 (and x 6))"},
	{3, "(and x x)", "x"},
	{3, "(and x (not x))", "0"},
	{3, "(and (< x y) (<= y x))", "0:1"},
	{3, "(and (<s x y) (<=s y x))", "0:1"},
	{3, "(and (< x 3) (< 2 x))", "0:1"},
	{3, "(and (and x y) y)", "(and x y)"},
	{3, "(and x (and x y))", "(and x y)"},
	{3, "(and (or x y) y)", "y"},
	{3, "(and x (or x y))", "x"},

	// Or.
	{3, "(or y x)", "(or x y)"},
	{3, "(or x 0)", "x"},
	{3, "(or x 7)", "7"},
	{3, "(or (or x 2) 4)", "(or x 6)"},
	{3, "(or x x)", "x"},
	{3, "(or x (not x))", "7"},
	{3, "(or (< x y) (<= y x))", "1:1"},
	{3, "(or (or x y) x)", "(or x y)"},
	{3, "(or y (or x y))", "(or x y)"},
	{3, "(or (and x y) x)", "x"},
	{3, "(or y (and x y))", "y"},
	{2, "(or (shl (zext 4 x) 2:4) (zext 4 y))", "(concat x y)"},
	{2, "(or (zext 6 y) (shl (zext 6 x) 2:6))", "(zext 6 (concat x y))"},
	{2, "(or (or (zext 6 x) (shl (zext 6 y) 2:6)) (shl (zext 6 z) 4:6))", "(concat z (concat y x))"},

	// Xor.
	{3, "(xor y x)", "(xor x y)"},
	{3, "(xor x 0)", "x"},
	{3, "(xor x 7)", "(not x)"},
	{3, "(xor (xor x 2) 3)", "(xor x 1)"},
	{3, "(xor (not x) 3)", "(xor x 4)"},
	{3, "(xor x x)", "0"},
	{3, "(xor x (not x))", "7"},
	{3, "(xor (not x) y)", "(not (xor x y))"},
	{3, "(xor x (not y))", "(not (xor x y))"},
	{3, "(xor (xor x y) x)", "y"},
	{3, "(xor y (xor x y))", "x"},
	{1, "(xor x y)", "(not (= x y))"},

	// Shifts.
	{3, "(shl x 0)", "x"},
	{3, "(shl x 5)", "0"},
	{3, "(shl x 1)", "(concat (extract 0 2 x) 0:1)"},
	{3, "(shl 0 x)", "0"},
	{3, "(lshr x 0)", "x"},
	{3, "(lshr x 3)", "0"},
	{3, "(lshr x 1)", "(zext 3 (extract 1 2 x))"},
	{3, "(lshr 0 x)", "0"},
	{3, "(ashr x 0)", "x"},
	{3, "(ashr x 1)", "(sext 3 (extract 1 2 x))"},
	{3, "(ashr x 7)", "(sext 3 (extract 2 1 x))"},
	{3, "(ashr 0 x)", "0"},
	{3, "(ashr 7 x)", "7"},
	{3, "(ashr (zext 4 x) y:4)", "(lshr (zext 4 x) y:4)"},

	// Ite.
	{3, "(ite c:1 x x)", "x"},
	{3, "(ite (not c:1) x y)", "(ite c:1 y x)"},
	{1, "(ite c 1 y)", "(or c y)"},
	{1, "(ite c 0 y)", "(and (not c) y)"},
	{1, "(ite c x 1)", "(or (not c) x)"},
	{1, "(ite c x 0)", "(and c x)"},
	{1, "(ite c c y)", "(or c y)"},
	{1, "(ite c x c)", "(and c x)"},
	{3, "(ite c:1 (ite c:1 x z) y)", "(ite c:1 x y)"},
	{3, "(ite c:1 x (ite c:1 z y))", "(ite c:1 x y)"},
	{3, "(ite c:1 x (ite d:1 x y))", "(ite (or c:1 d:1) x y)"},
	{3, "(ite c:1 (ite d:1 x y) y)", "(ite (and c:1 d:1) x y)"},

	// Extract.
	{4, "(extract 0 4 x)", "x"},
	{4, "(extract 1 2 (extract 1 3 x))", "(extract 2 2 x)"},
	{3, "(extract 3 2 (concat x y))", "(extract 0 2 x)"},
	{3, "(extract 1 2 (concat x y))", "(extract 1 2 y)"},
	{3, "(extract 2 2 (concat x y))", "(concat (extract 0 1 x) (extract 2 1 y))"},
	{3, "(extract 3 2 (zext 6 x))", "0:2"},
	{3, "(extract 1 2 (zext 6 x))", "(extract 1 2 x)"},
	{3, "(extract 1 4 (zext 6 x))", "(zext 4 (extract 1 2 x))"},
	{3, "(extract 4 2 (sext 6 x))", "(sext 2 (extract 2 1 x))"},
	{3, "(extract 1 4 (sext 6 x))", "(sext 4 (extract 1 2 x))"},
	{3, "(extract 1 2 (ite c:1 2 4))", "(ite c:1 1:2 2:2)"},
	{2, "(extract 1 1 (not (concat x y)))", "(not (extract 1 1 y))"},
	{3, "(extract 1 2 (xor (zext 5 x) (zext 5 y)))", "(xor (extract 1 2 x) (extract 1 2 y))"},
	{3, "(extract 0 3 (add (zext 5 x) (sext 5 y)))", "(add x y)"},
	{3, "(extract 0 3 (mul (zext 5 x) 11:5))", "(mul x 3)"},

	// Concat.
	{3, "(concat 0 x)", "(zext 6 x)"},
	{3, "(concat (zext 5 x) y)", "(zext 8 (concat x y))"},
	{2, "(concat (concat x y) z)", "(concat x (concat y z))"},
	{2, "(concat 1 (concat 2 x))", "(concat 6:4 x)"},
	{2, "(concat 1 (zext 4 x))", "(concat 4:4 x)"},
	{4, "(concat (extract 2 2 x) (extract 0 2 x))", "x"},
	{4, "(concat (extract 2 1 x) (concat (extract 1 1 x) y))", "(concat (extract 1 2 x) y)"},

	// ZExt and SExt.
	{3, "(zext 3 x)", "x"},
	{3, "(zext 6 (zext 5 x))", "(zext 6 x)"},
	{3, "(zext 6 (ite c:1 2 4))", "(ite c:1 2:6 4:6)"},
	{3, "(sext 3 x)", "x"},
	{3, "(sext 6 (sext 5 x))", "(sext 6 x)"},
	{3, "(sext 6 (zext 5 x))", "(zext 6 x)"},
	{3, "(sext 6 (ite c:1 2 4))", "(ite c:1 2:6 -4:6)"},

	// Arrays. An element at a constant index, or where it was stored, is read at once;
	// stores at other indexes do not matter.
	{3, "(select (table 2 5 6 x y) 1:2)", "6"},
	{3, "(select (table 3 5 x) 4)", "x"},
	{3, "(select (table 2 x) i:2)", "x"},
	{3, "(select (table 2 x x x x) i:2)", "x"},
	{3, "(select (table 2 x y) i:2)", "(ite (= i:2 0:2) x y)"},
	{3, "(select (table 1 x y z) i:1)", "(ite (= i:1 0:1) x y)"},
	{3, "(select (table 2 1 2 3) (ite c:1 0:2 1:2))", "(ite c:1 1 2)"},
	{3, "(select (store (table 2 1 2 3) i:2 x) i:2)", "x"},
	{3, "(select (store (store (table 2 1 2 3) i:2 x) (add i:2 1:2) y) i:2)", "x"},
	{3, "(select (store (table 2 1 2 3) (add i:2 1:2) y) (add i:2 3:2))", "(select (table 2 1 2 3) (add i:2 3:2))"},
	{3, "(select (store (store (table 3 1 2 3) j x) 5 y) (zext 3 i:2))", "(select (store (table 3 1 2 3) j x) (zext 3 i:2))"},
	{3, "(select (store (table 3 1 2 3) (zext 3 i:2) y) 5)", "3"},
	{3, "(select (store (table 2 1 2 x) i:2 y) 1:2)", "(select (store (table 2 1 2 x) i:2 y) 1:2)"}, // may be y

	// A table lists no elements that are like the rest.
	{3, "(select (table 2 1 2 x x) i:2)", "(select (table 2 1 2 x) i:2)"},
	{3, "(select (table 2 1 2 3 x z) i:2)", "(select (table 2 1 2 3 x) i:2)"},

	// A store at a constant index of a table is a table; a store of what is there
	// or that another hides is none.
	{3, "(select (store (table 2 1 2 3) 1:2 x) i:2)", "(select (table 2 1 x 3) i:2)"},
	{3, "(select (store (table 3 1 2) 4 x) i)", "(select (table 3 1 2 2 2 x 2) i)"},
	{3, "(select (store (table 2 1 2 3) 3:2 x) i:2)", "(select (table 2 1 2 3 x) i:2)"},
	{3, "(select (store (table 2 1 2 3) 1:2 3) i:2)", "(ite (= i:2 0:2) 1 3)"},
	{3, "(select (store (store (table 2 1 2 3) i:2 x) i:2 y) j:2)", "(select (store (table 2 1 2 3) i:2 y) j:2)"},
	{3, "(select (store (store (store (table 2 1 2 3) i:2 x) j:2 z) i:2 y) k:2)", "(select (store (store (table 2 1 2 3) j:2 z) i:2 y) k:2)"},
	{3, "(select (store (table 2 1 2 3) i:2 (select (table 2 1 2 3) i:2)) j:2)", "(select (table 2 1 2 3) j:2)"},
	{3, "(select (store (store (table 2 1 2 3) i:2 x) i:2 x) j:2)", "(select (store (table 2 1 2 3) i:2 x) j:2)"},
	{3, "(select (store (store (table 2 1 2 3) i:2 x) (add i:2 1:2) (select (table 2 1 2 3) (add i:2 1:2))) j:2)", "(select (store (table 2 1 2 3) i:2 x) j:2)"},

	// Eq.
	{3, "(= y x)", "(= x y)"},
	{3, "(= x x)", "1:1"},
	{3, "(= x (not x))", "0:1"},
	{3, "(= (add x y) x)", "(= y 0)"},
	{3, "(= y (add x y))", "(= x 0)"},
	{3, "(= (add x y) (add x z))", "(= y z)"},
	{3, "(= (add x 3) (add y 3))", "(= x y)"},
	{3, "(= (neg x) (neg y))", "(= x y)"},
	{3, "(= (not x) (not y))", "(= x y)"},
	{1, "(= (not x) y)", "(not (= x y))"},
	{2, "(= (concat x y) (concat z w))", "(and (= x z) (= y w))"},
	{3, "(= (sext 5 x) (sext 5 y))", "(= x y)"},
	{3, "(= (zext 5 x) (zext 5 y))", "(= x y)"},
	{3, "(= (not x) 2)", "(= x 5)"},
	{3, "(= (neg x) 2)", "(= x 6)"},
	{3, "(= (add x 2) 1)", "(= x 7)"},
	{3, "(= (sub x y) 0)", "(= x y)"},
	{3, "(= (sub 5 x) 2)", "(= x 3)"},
	{3, "(= (xor x 5) 2)", "(= x 7)"},
	{3, "(= (xor x y) 0)", "(= x y)"},
	{3, "(= (and x 5) 2)", "0:1"},
	{3, "(= (or x 5) 2)", "0:1"},
	{4, "(= (mul x 3) 7)", "(= x 13)"},
	{3, "(= (concat x y) 42:6)", "(and (= x 5) (= y 2))"},
	{3, "(= (zext 5 x) 5:5)", "(= x 5)"},
	{3, "(= (zext 5 x) 9:5)", "0:1"},
	{3, "(= (sext 5 x) -3:5)", "(= x -3)"},
	{3, "(= (sext 5 x) 5:5)", "0:1"},
	{3, "(= (ite c:1 2 y) 2)", "(or c:1 (= y 2))"},
	{3, "(= (ite c:1 2 y) 3)", "(and (not c:1) (= y 3))"},
	{3, "(= (ite c:1 x 2) 2)", "(or (not c:1) (= x 2))"},
	{3, "(= (ite c:1 x 2) 3)", "(and c:1 (= x 3))"},
	{3, "(= (ite c:1 (zext 4 x) y:4) 9:4)", "(and (not c:1) (= y:4 9:4))"},
	{1, "(= x 1)", "x"},
	{1, "(= x 0)", "(not x)"},

	// Ult and Ule.
	{3, "(< x x)", "0:1"},
	{1, "(< x y)", "(and (not x) y)"},
	{3, "(< x 0)", "0:1"},
	{3, "(< x 1)", "(= x 0)"},
	{3, "(< x 7)", "(not (= x 7))"},
	{3, "(< 7 x)", "0:1"},
	{3, "(< 6 x)", "(= x 7)"},
	{3, "(< 0 x)", "(not (= x 0))"},
	{3, "(< (zext 5 x) 9:5)", "1:1"},
	{3, "(< 8:5 (zext 5 x))", "0:1"},
	{3, "(< (zext 5 x) 5:5)", "(< x 5)"},
	{3, "(< (zext 5 x) (zext 5 y))", "(< x y)"},
	{3, "(< (zext 5 x) (zext 5 y:2))", "(< x (zext 3 y:2))"},
	{3, "(< (sext 5 x) (sext 5 y))", "(< x y)"},
	{3, "(< (ite c:1 2 5) 3)", "c:1"},
	{3, "(< 3 (ite c:1 2 5))", "(not c:1)"},
	{3, "(<= x x)", "1:1"},
	{1, "(<= x y)", "(or (not x) y)"},
	{3, "(<= x 7)", "1:1"},
	{3, "(<= x 4)", "(< x 5)"},
	{3, "(<= 0 x)", "1:1"},
	{3, "(<= 4 x)", "(< 3 x)"},
	{3, "(<= (sext 5 x) (sext 5 y))", "(<= x y)"},
	{3, "(<= (zext 5 x) (zext 5 y))", "(<= x y)"},

	// By spans.
	{3, "(= (add (zext 5 x) 20:5) 28:5)", "0:1"},
	{3, "(= (sub (zext 5 x) 2:5) 10:5)", "0:1"},
	{3, "(< (add (zext 5 x) 3:5) 11:5)", "1:1"},
	{3, "(<= 11:5 (add (zext 5 x) 3:5))", "0:1"},
	{3, "(<s (sub (zext 5 x) 2:5) -2:5)", "0:1"},
	{3, "(<=s (sub (zext 5 x) (zext 5 y)) 7:5)", "1:1"},
	{3, "(< (add (zext 5 x) 3:5) 8:5)", "(< x 5)"},
	{3, "(<s -1:5 (sub (zext 5 x) 1:5))", "(not (= x 0))"},
	{3, "(<s (add (zext 4 x) 3:4) 4:4)", "(<s (add (zext 4 x) 3:4) 4:4)"}, // the sum may overflow
	{3, "(<s (add (zext 5 x) 3:5) (add (zext 5 y) 1:5))", "(< (add (zext 5 x) 3:5) (add (zext 5 y) 1:5))"},

	// Slt and Sle.
	{3, "(<s x x)", "0:1"},
	{1, "(<s x y)", "(and x (not y))"},
	{3, "(<s x 4)", "0:1"},
	{3, "(<s 3 x)", "0:1"},
	{3, "(<s x 5)", "(= x 4)"},
	{3, "(<s 2 x)", "(= x 3)"},
	{3, "(<s x 3)", "(not (= x 3))"},
	{3, "(<s 4 x)", "(not (= x 4))"},
	{3, "(<s (zext 5 x) -3:5)", "0:1"},
	{3, "(<s -3:5 (zext 5 x))", "1:1"},
	{3, "(<s (zext 5 x) (zext 5 y))", "(< x y)"},
	{3, "(<s (zext 5 x) 4:5)", "(< x 4)"},
	{3, "(<s (sext 5 x) (sext 5 y))", "(<s x y)"},
	{3, "(<s (sext 5 x) (sext 5 y:2))", "(<s x (sext 3 y:2))"},
	{3, "(<s (sext 6 x) (zext 6 y))", "(<s (sext 4 x) (zext 4 y))"},
	{3, "(<s (sext 5 x) 2:5)", "(<s x 2)"},
	{3, "(<s (sext 5 x) 4:5)", "1:1"},
	{3, "(<s (sext 5 x) -5:5)", "0:1"},
	{3, "(<s 4:5 (sext 5 x))", "0:1"},
	{3, "(<s (ite c:1 2 -3) 1)", "(not c:1)"},
	{3, "(< (ite c:1 2 x) 3)", "(or c:1 (< x 3))"},
	{3, "(< 3 (ite c:1 x 2))", "(and c:1 (< 3 x))"},
	{3, "(<s (ite c:1 0 (ite d:1 1 -1)) 0)", "(and (not c:1) (not d:1))"},
	{3, "(<s (ite c:1 (zext 4 x) y:4) 0:4)", "(and (not c:1) (<s y:4 0:4))"},
	{3, "(<=s x x)", "1:1"},
	{1, "(<=s x y)", "(or x (not y))"},
	{3, "(<=s x 3)", "1:1"},
	{3, "(<=s x 1)", "(<s x 2)"},
	{3, "(<=s 4 x)", "1:1"},
	{3, "(<=s 1 x)", "(<s 0 x)"},
	{3, "(<=s (zext 5 x) (zext 5 y))", "(<= x y)"},
	{3, "(<=s (sext 5 x) (sext 5 y))", "(<=s x y)"},
}

// TestRules checks that each rule fires and proves it right for all values.
func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.from, func(t *testing.T) {
			from, to := exprtest.Parse(r.from, r.width), exprtest.Parse(r.to, r.width)
			a := NewArena()
			x, y := from.Build(a), to.Build(a)
			if x != y {
				t.Errorf("%s is simplified to %s, want %s", r.from, a.String(x), a.String(y))
			}
			from.Assignments(func(env map[string]uint64) {
				want := from.Eval(env)
				got := a.Eval(x, func(v ID) uint64 { return env[a.VarName(v)] })
				if got != want {
					t.Fatalf("%s = %d under %v, but simplified, as %s, %d", r.from, want, env, a.String(x), got)
				}
			})
		})
	}
}
