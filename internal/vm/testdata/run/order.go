// The order of reads and calls within a statement, for which the specification has none: that of gc.
package main

import "fmt"

type S struct{ a, b int }

func (s *S) Set(v int) int { s.a = v; return v }
func (s S) Get(v int) int  { return s.a*100 + v }

type I interface{ Get(int) int }

//go:noinline
func set(p *int, v int) int  { *p = v; return v }
func setI(p *int, v int) int { *p = v; return v }

func setS(p *string, v string) string { *p = v; return v }

var glob = 1

func setGlob(v int) int { glob = v; return v }

func ret() (int, int)            { x := 1; return x, set(&x, 2) }
func retI() (int, int)           { x := 1; return x, setI(&x, 2) }
func retNamed() (x int, err int) { x = 1; return x, set(&x, 2) }
func retNamed2() (a int, b int)  { x := 1; return x, set(&x, 2) }
func retDefer() (a int, b int)   { defer func() { recover() }(); x := 1; return x, set(&x, 2) }
func retGlob() (int, int)        { glob = 1; return glob, setGlob(2) }
func retClos() (int, int)        { x := 1; f := func() int { x = 2; return 2 }; return x, f() }
func retStruct() (S, int)        { s := S{1, 1}; return s, s.Set(2) }
func retField() (int, int)       { s := S{1, 1}; return s.a, s.Set(2) }
func retPtr() (int, int)         { s := &S{1, 1}; return s.a, s.Set(2) }
func retPtr2() (int, int)        { s := &S{1, 1}; f := func() int { s = &S{2, 2}; return 2 }; return s.a, f() }
func retDeref() (int, int)       { x := 1; p := &x; return *p, set(p, 2) }
func retIndex() (int, int)       { a := []int{1}; return a[0], set(&a[0], 2) }
func retArr() (int, int)         { a := [2]int{1}; i := 0; return a[i], set(&a[0], 2) }
func retIdx() (int, int)         { a := []int{1, 2}; i := 0; return a[i], set(&i, 1) }
func retLen() (int, int) {
	a := []int{1, 2}
	f := func() int { a = a[:1]; return 2 }
	return len(a), f()
}
func retSlice() ([]int, int) {
	a := []int{1, 2}
	f := func() int { a = a[:1]; return 2 }
	return a[:2], f()
}
func retConv() (float64, int) { x := 1; return float64(x), set(&x, 2) }
func retB2S() (string, int) {
	x := []byte("a")
	f := func() int { x[0] = 'b'; return 2 }
	return string(x), f()
}
func retS2B() ([]byte, int)      { x := "a"; f := func() int { x = "b"; return 2 }; return []byte(x), f() }
func retStr() (string, string)   { x := "a"; return x, setS(&x, "b") }
func retIface() (any, int)       { x := 1; return x, set(&x, 2) }
func retIfaceStr() (any, string) { x := "a"; return x, setS(&x, "b") }
func retIfaceSlice() (any, int) {
	x := []int{1}
	f := func() int { x = []int{2}; return 2 }
	return x, f()
}
func retIfaceErr() (error, int) {
	var e error = fmt.Errorf("1")
	f := func() int { e = fmt.Errorf("2"); return 2 }
	return e, f()
}
func retIfaceConv() (any, int) {
	var e error = fmt.Errorf("1")
	f := func() int { e = fmt.Errorf("2"); return 2 }
	return e, f()
}
func retEqStr() (bool, string) { x := "a"; return x == "a", setS(&x, "b") }
func retEqIface() (bool, int) {
	var x any = 1
	f := func() int { x = 2; return 2 }
	return x == any(1), f()
}
func retAssertI() (int, int) { var x any = 1; f := func() int { x = 2; return 2 }; return x.(int), f() }
func retAnd() (bool, int)    { x := true; f := func() int { x = false; return 2 }; return x && x, f() }
func retNot() (bool, int)    { x := true; f := func() int { x = false; return 2 }; return !x, f() }
func retRecv() (int, int) {
	x := 1
	c := make(chan int)
	d := make(chan int)
	go func() { x = 2; c <- 2; close(d) }()
	a, b := x, <-c
	<-d
	return a, b
}
func retBin() int    { x := 1; return x*100 + set(&x, 2) }
func retBin2() int   { x := 1; return x*100 + x*10 + set(&x, 2) + x*1000 }
func retCat() string { x := "a"; return x + setS(&x, "b") + x }
func g(a, b int) int { return a*100 + b }

//go:noinline
func gn(a, b int) int         { return a*100 + b }
func retArg() int             { x := 1; return g(x, set(&x, 2)) }
func retArgN() int            { x := 1; return gn(x, set(&x, 2)) }
func retArgEarly() (int, int) { x := 1; return gn(x, 0), set(&x, 2) }
func retMeth() int            { s := S{1, 1}; return s.Get(s.Set(2)) }
func retMethI() int           { var i I = S{1, 1}; f := func() int { i = &S{2, 2}; return 2 }; return i.Get(f()) }
func retFn() int {
	fn := func(v int) int { return 100 + v }
	f := func() int { fn = func(v int) int { return 200 + v }; return 2 }
	return fn(f())
}
func retMVal() int         { s := S{1, 1}; f, _ := s.Get, s.Set(2); return f(0) }
func retLit() S            { x := 1; return S{x, set(&x, 2)} }
func retPLit() S           { x := 1; return *&S{x, set(&x, 2)} }
func retSLit() []int       { x := 1; return []int{x, set(&x, 2)} }
func retALit() [2]int      { x := 1; return [2]int{x, set(&x, 2)} }
func retMLit() map[int]int { x := 1; return map[int]int{1: x, 2: set(&x, 2)} }
func retILit() []any       { x := 1; return []any{x, set(&x, 2)} }
func nested() struct {
	s S
	t int
} {
	x := 1
	return struct {
		s S
		t int
	}{S{x, x}, set(&x, 2)}
}
func asg() (int, int)          { x := 1; a, b := x, set(&x, 2); return a, b }
func asgLit() S                { x := 1; s := S{x, set(&x, 2)}; return s }
func varLit() S                { x := 1; var s = S{x, set(&x, 2)}; return s }
func asgLit2() S               { x := 1; var s S; s = S{x, set(&x, 2)}; return s }
func asgLit3() S               { s := S{1, 5}; s = S{s.a, s.Set(2)}; return s }
func asgSwap() (int, int, int) { x, y := 1, 9; var z int; x, y, z = y, x, set(&x, 2); return x, y, z }
func asgP() (int, int) {
	a, b := S{}, S{}
	p := &a
	f := func() int { p = &b; return 2 }
	p.a = f()
	return a.a, b.a
}
func asgOpP() (int, int) {
	a, b := S{}, S{}
	p := &a
	f := func() int { p = &b; return 2 }
	p.a += f()
	return a.a, b.a
}
func asgOp() int { x := 1; x += set(&x, 5); return x }
func asgIdx() []int {
	a := []int{0, 0}
	i := 0
	f := func() int { i = 1; return 2 }
	a[i] = f()
	return a
}
func asgIdx2() ([]int, int) {
	a := []int{0, 0}
	i := 0
	f := func() (int, int) { i = 1; return 2, 3 }
	var y int
	a[i], y = f()
	return a, y
}
func asgMap() (map[int]int, map[int]int) {
	m, n := map[int]int{}, map[int]int{}
	o := m
	f := func() int { m = n; return 2 }
	m[1] = f()
	return o, n
}
func asgMapVal() map[int]int {
	m := map[int]int{}
	i := 0
	f := func() int { i = 1; return 2 }
	m[0] = i*10 + f()
	return m
}
func varDecl() (int, int) { x := 1; var a, b = x, set(&x, 2); return a, b }
func ifc() string {
	x := 1
	if x == set(&x, 2) {
		return "late"
	}
	return "early"
}
func ifand() string {
	x := 1
	if x == set(&x, 2) && x == 2 {
		return "late"
	}
	return "early"
}
func sw() string {
	x := 1
	switch x + set(&x, 2) {
	case 4:
		return "late"
	}
	return "early"
}
func swc() string {
	x := 1
	switch 4 {
	case x + set(&x, 2):
		return "late"
	}
	return "early"
}
func fr() string {
	x := 1
	for x == set(&x, 2) {
		return "late"
	}
	return "early"
}
func rng() string {
	x := 1
	for i := range x*10 + set(&x, 2) {
		if i > 12 {
			return "late"
		}
	}
	return "early"
}
func send() int { c := make(chan int, 1); x := 1; c <- x*100 + set(&x, 2); return <-c }
func sendc() int {
	c, d := make(chan int, 1), make(chan int, 1)
	f := func() int { c = d; return 2 }
	c <- f()
	return len(d)
}
func dfr() (r int) {
	func() { x := 1; defer func(a, b int) { r = a*100 + b }(x, set(&x, 2)) }()
	return
}
func gos() int {
	c := make(chan int)
	x := 1
	go func(a, b int) { c <- a*100 + b }(x, set(&x, 2))
	return <-c
}
func incdec() (int, int) {
	a, b := S{}, S{}
	p := []*S{&a}
	f := func() int { p = []*S{&b}; return 0 }
	p[f()].a++
	return a.a, b.a
}
func shadow() (int, int)  { x := 1; y := x; return y, set(&x, 2) }
func shadow2() (int, int) { x := 1; y := x; _ = &y; return y, set(&x, 2) }
func paren() (int, int)   { x := 1; return (x), set(&x, 2) }
func variadic() []any     { x := 1; return va(x, set(&x, 2)) }
func va(a ...any) []any   { return a }
func vi(a ...int) []int   { return a }
func variadicI() []int    { x := 1; return vi(x, set(&x, 2)) }
func nilp() (s string) {
	defer func() { recover() }()
	var p *int
	f := func() int { s = "called"; return 2 }
	s = "not called"
	_ = fmt.Sprint(*p, f())
	return
}
func nilr() (s string) {
	s = "not called"
	defer func() { recover() }()
	var p *int
	func() (int, int) { f := func() int { s = "called"; return 2 }; return *p, f() }()
	return
}
func oob() (s string) {
	s = "not called"
	defer func() { recover() }()
	p := []int{}
	f := func() int { s = "called"; return 2 }
	i := 0
	p[i] = f()
	return
}
func minmax() (int, int)  { x := 1; return min(x, 7), set(&x, 2) }
func appnd() ([]int, int) { x := 1; return append([]int(nil), x), set(&x, 2) }
func appnd2() []int       { x := 1; return append([]int(nil), x, set(&x, 2)) }
func appnd3() []int       { x := []int{1}; f := func() int { x = []int{3}; return 2 }; return append(x, f()) }
func appnd4() []int {
	x := []int{1}
	f := func() int { x = []int{3}; return 2 }
	x = append(x, f())
	return x
}
func cmplx() complex128 { x := 1.0; f := func() float64 { x = 2; return 2 }; return complex(x, f()) }
func copyb() []int {
	a, b := []int{0}, []int{0}
	p := a
	f := func() []int { p = b; return []int{7} }
	copy(p, f())
	return append(a, b...)
}
func strIdx() (byte, int) { x := "a"; f := func() int { x = "b"; return 2 }; return x[0], f() }
func sliceArg() []int     { x := []int{1, 2}; i := 1; return x[i:set(&i, 2)] }
func sliceArg2() []int {
	x := []int{1, 2}
	f := func() int { x = []int{3, 4}; return 2 }
	return x[:f()]
}
func ptrMeth() (*int, int) {
	s := &S{1, 1}
	t := &S{2, 2}
	f := func() int { s = t; return 2 }
	p, q := &s.a, f()
	return p, q
}
func ret3() (int, int, int, int) { x := 1; return x, set(&x, 2), x, set(&x, 3) }
func mixedLen() (int, int) {
	a := []int{1, 2}
	f := func() int { a = a[:1]; return 2 }
	return len(a)*100 + cap(a), f()
}
func chainPP() (int, int) {
	s := &S{1, 1}
	pp := &s
	f := func() int { *pp = &S{2, 2}; return 2 }
	return (*pp).a, f()
}
func u() (uint8, int) { x := 300; return uint8(x), set(&x, 2) }

func main() {
	print2("ret")(ret())
	print2("retI")(retI())
	print2("retNamed")(retNamed())
	print2("retNamed2")(retNamed2())
	print2("retDefer")(retDefer())
	print2("retGlob")(retGlob())
	print2("retClos")(retClos())
	print2("retStruct")(retStruct())
	print2("retField")(retField())
	print2("retPtr")(retPtr())
	print2("retPtr2")(retPtr2())
	print2("retDeref")(retDeref())
	print2("retIndex")(retIndex())
	print2("retArr")(retArr())
	print2("retIdx")(retIdx())
	print2("retLen")(retLen())
	print2("retSlice")(retSlice())
	print2("retConv")(retConv())
	print2("retB2S")(retB2S())
	print2("retS2B")(retS2B())
	print2("retStr")(retStr())
	print2("retIface")(retIface())
	print2("retIfaceStr")(retIfaceStr())
	print2("retIfaceSlice")(retIfaceSlice())
	print2("retIfaceErr")(retIfaceErr())
	print2("retIfaceConv")(retIfaceConv())
	print2("retEqStr")(retEqStr())
	print2("retEqIface")(retEqIface())
	print2("retAssertI")(retAssertI())
	print2("retAnd")(retAnd())
	print2("retNot")(retNot())
	print2("retRecv")(retRecv())
	print2("retBin")(retBin())
	print2("retBin2")(retBin2())
	print2("retCat")(retCat())
	print2("retArg")(retArg())
	print2("retArgN")(retArgN())
	print2("retArgEarly")(retArgEarly())
	print2("retMeth")(retMeth())
	print2("retMethI")(retMethI())
	print2("retFn")(retFn())
	print2("retMVal")(retMVal())
	print2("retLit")(retLit())
	print2("retPLit")(retPLit())
	print2("retSLit")(retSLit())
	print2("retALit")(retALit())
	print2("retMLit")(retMLit())
	print2("retILit")(retILit())
	print2("nested")(nested())
	print2("asg")(asg())
	print2("asgLit")(asgLit())
	print2("varLit")(varLit())
	print2("asgLit2")(asgLit2())
	print2("asgLit3")(asgLit3())
	print2("asgSwap")(asgSwap())
	print2("asgP")(asgP())
	print2("asgOpP")(asgOpP())
	print2("asgOp")(asgOp())
	print2("asgIdx")(asgIdx())
	print2("asgIdx2")(asgIdx2())
	print2("asgMap")(asgMap())
	print2("asgMapVal")(asgMapVal())
	print2("varDecl")(varDecl())
	print2("ifc")(ifc())
	print2("ifand")(ifand())
	print2("sw")(sw())
	print2("swc")(swc())
	print2("fr")(fr())
	print2("rng")(rng())
	print2("send")(send())
	print2("sendc")(sendc())
	print2("dfr")(dfr())
	print2("gos")(gos())
	print2("incdec")(incdec())
	print2("shadow")(shadow())
	print2("shadow2")(shadow2())
	print2("paren")(paren())
	print2("variadic")(variadic())
	print2("variadicI")(variadicI())
	print2("nilp")(nilp())
	print2("nilr")(nilr())
	print2("oob")(oob())
	print2("minmax")(minmax())
	print2("appnd")(appnd())
	print2("appnd2")(appnd2())
	print2("appnd3")(appnd3())
	print2("appnd4")(appnd4())
	print2("cmplx")(cmplx())
	print2("copyb")(copyb())
	print2("strIdx")(strIdx())
	print2("sliceArg")(sliceArg())
	print2("sliceArg2")(sliceArg2())
	print2("ptrMeth")(ptrMeth())
	print2("ret3")(ret3())
	print2("mixedLen")(mixedLen())
	print2("chainPP")(chainPP())
	print2("u")(u())
}
func print2(n string) func(v ...any) { return func(v ...any) { show(n, v...) } }

func show(name string, v ...any) {
	for i, x := range v {
		if p, ok := x.(*int); ok {
			v[i] = *p
		}
	}
	fmt.Println(name, v)
}
