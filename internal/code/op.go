package code

//go:generate go tool stringer -type=Op -output=op_string.go

// An Op is an operation code.
type Op uint16

// Notation: rX is the register (or run of registers) X, #X the operand taken as
// a number, kind K means the arithmetic is done in the width and signedness of
// Kind(K) and the result is stored canonically (sign- or zero-extended to 64 bits).
const (
	Invalid Op = iota

	// Data movement.
	Nop
	Mov   // rA = rB, one word
	MovN  // rA.. = rB.., #K words (may overlap)
	Imm   // rA = #C sign-extended; no pointer part
	Const // rA.. = Consts[#B], #K words
	Zero  // rA.. = 0, #K words

	// Integer arithmetic in kind K. The unmarked form is for 64-bit kinds, the
	// form with suffix K normalises to a narrower one, the suffix I takes #C as
	// the right operand (64-bit kinds), KI both.
	Add
	AddK
	AddI
	AddKI
	Sub
	SubK
	Mul
	MulK
	MulI
	Div  // kind K; panics on zero; minimum / -1 wraps
	Rem  // kind K; as Div
	And  // no normalisation is ever needed
	AndI // #C sign-extended
	Or
	Xor
	AndNot
	Shl  // kind K; count rC is of kind #D; negative count panics; count >= width gives 0
	Shr  // kind K: arithmetic for signed kinds; count as Shl
	ShlI // kind K; 0 <= #C
	ShrI // kind K; 0 <= #C
	Neg  // rA = -rB, kind K
	Com  // rA = ^rB, kind K
	Not  // rA = !rB, bool
	Rot  // rA = rB rotated left by rC, of kind Int64, unsigned kind K: as package math/bits
	// rA = high half of rB * rC, kind Uint64; the low half is Mul.
	MulHi

	// Floating point, kind Float32 or Float64 (bits in the word; float32 as 32 bits).
	AddF
	SubF
	MulF
	DivF
	NegF
	SqrtF // rA = square root of rB, kind Float64
	// rA = rB rounded to a whole number as #C says, an [expr.Rounding]; kind Float64.
	RoundF
	// Complex: two words (real, imaginary), kind Complex64 or Complex128.
	AddC
	SubC
	MulC
	DivC
	NegC
	EqC // rA = rB == rC

	// Comparisons of single words to a bool in rA. Signed, unsigned, float (kind K).
	EqW // integers, bools: N only. kind K
	NeW
	LtS
	LeS
	LtU
	LeU
	EqF
	NeF
	LtF
	LeF
	EqP // pointers, channels, maps and funcs against nil, unsafe.Pointer: object and offset
	NeP
	EqStr // strings, two words each
	NeStr
	LtStr
	LeStr
	Eq // any comparable type Types[#D], flattened in rB.. and rC..; panics on uncomparable dynamic types
	Ne

	// Conversions.
	Conv       // rA = numeric conversion of rB from Kind(#C) to kind K (integers and floats)
	ConvC      // complex rB.. from Kind(#C) to kind K
	MkComplex  // rA.. = complex(rB, rC), kind K of the complex type
	StrBytes   // rA.. = []byte(string rB..)
	BytesStr   // rA.. = string([]byte rB..)
	StrRunes   // rA.. = []rune(string)
	RunesStr   // rA.. = string([]rune)
	IntStr     // rA.. = string(rune rB), kind K of the integer
	PtrInt     // rA = uintptr(unsafe.Pointer rB)
	IntPtr     // rA = unsafe.Pointer(uintptr rB): succeeds only for values PtrInt gave, and 0
	SliceArr   // rA = pointer to the array of #C elements of slice rB..; panics when shorter
	SliceToArr // rA.. = array value from slice rB..: Types[#D] is the array type; panics when shorter

	// Control flow. Targets are instruction indexes.
	Jmp   // to #D
	JmpIf // rA to #D
	JmpIfNot
	JmpEq // rA == rB to #D; integers, kind K
	JmpNe
	JmpLtS
	JmpLeS
	JmpLtU
	JmpLeU
	JmpEqI // rA == #C to #D; kind K. The order comparisons are signed: right for unsigned kinds below 64 bits too (never used for Uint64)
	JmpNeI
	JmpLtSI
	JmpLeSI
	JmpGtSI
	JmpGeSI
	JmpNil // pointer-like rA is nil: to #D
	JmpNotNil
	Cover // branch or block #A of the program has been taken (see Program.Branches)

	// Memory. A pointer word is an object and an offset in cells.
	New      // rA = pointer to a new zero object of Types[#D]; #K is 1 when it can escape the goroutine's stack, else 0
	Load     // rA = cell at rB+#C, kind K
	LoadN    // rA.. = #K cells at rB+#C
	Store    // cell at rA+#C = rB, kind K
	StoreN   // #K cells at rA+#C = rB..
	Copy     // #K cells at rA+#C = #K cells at rB+#D; for *p = *q
	Addr     // rA = rB+#C; panics on a nil rB
	NilCheck // panics when pointer rB is nil; when #C > 0, with the text Messages[#C-1]: a value method called through a nil pointer
	IndexS   // rA = &rB..[rC] of a slice, element of #K words
	IndexA   // rA = &(*rB)[rC] of a pointer to an array of length #D (at most MaxLength), element of #K words
	LoadS    // rA = rB..[rC], slice, one-word elements of kind K
	StoreS   // rA..[rC] = rB, slice, one-word elements of kind K
	LoadA    // rA = (*rB)[rC], pointer to an array of length #D (as for IndexA), one-word elements of kind K
	StoreA   // (*rA)[rC] = rB, length #D (as for IndexA), kind K
	IndexV   // rA.. = rB..[rC], array value in registers, length #D, elements of #K words
	IndexStr // rA = rB..[rC], a byte of a string
	FreeVar  // rA.. = words of the closure from #C on, #K words

	// Slices, strings.
	MakeSlice // rA.. = make(Types[#D] slice, len rB, cap rC)
	SliceS    // rA.. = rB..[rC : rC+1 : rC+2] of a slice; K bits 0..2 say which of low, high, max are given; Types[#D] slice type
	SliceStr  // the same of a string
	SliceP    // the same of a pointer to an array; Types[#D] is the array type; K with OfMake when it is that of a make of constant capacity
	Append    // rA.. = append(rB.., rC.. slice); Types[#D] slice type
	AppendN   // rA.. = append(rB.., #K elements, the words of each after those of the one before, at rC..); Types[#D] slice type
	AppendStr // rA.. = append([]byte rB.., string rC..)
	CopyS     // rA = copy(rB.., rC.. slice); Types[#D] slice type
	CopyStr   // rA = copy([]byte rB.., string rC..)
	Concat    // rA.. = string rB.. + string rC..
	PtrAdd    // rA = unsafe.Add(rB, rC), rC in bytes
	ClearS    // clear(slice rA..), Types[#D]
	StrNext   // range over a string: position register rC (next byte index, updated); rA = ok, rA+1 = index, rA+2 = rune; string rB..; rC starts at 0
	SliceData // rA = unsafe.SliceData / StringData of rB..
	MkSlice   // rA.. = unsafe.Slice(rB, rC); #K words an element; Types[#D] slice type
	Pun       // rA = unsafe.Pointer rB as a pointer to a value of Types[#D]
	Unpun     // rA = unsafe.Pointer(pointer rB)
	MkString  // rA.. = unsafe.String(rB, rC)
	MinMax    // rA = min(rB, rC) or, #D = 1, max; kind K, strings and floats included (NaN and -0 as the spec says)

	// Interfaces: word 0 is the dynamic type, word 1 the data: the value itself
	// when the type has one word, otherwise a pointer to a copy.
	MakeIface // rA.. = Types[#D] value in rB..
	Assert    // rA.. = rB...(Types[#D]); K bit 0: comma-ok, the bool follows the value; #C = Types index of the static interface type (for messages)
	TypeWord  // rA = 1 when the dynamic type of rB.. is exactly Types[#D], else 0

	// Maps.
	MakeMap // rA = make(Types[#D], hint rB or none when #B < 0)
	MapGet  // rA.. = rB[rC..]; Types[#D] map type; K bit 0: comma-ok, bit 1: the entry is set next, as in m[k]++
	MapSet  // rA[rB..] = rC..
	MapDel  // delete(rA, rB..); Types[#D] map type
	MapLen  // rA = len(rB)
	MapClear
	MapIter // rA = new iterator over map rB; Types[#D] map type; K: when the order of the loop matters, see OrderMatters; rC: the function of OrderCalled
	MapNext // rA = ok, then key words, then value words, from iterator rB; Types[#D] map type; K bit 0: the key is wanted, bit 1: the value (absent ones still take their registers)

	// Functions.
	Closure   // rA = closure of Callees[#B] with #K words of bindings at rC..
	Call      // Callees[#B], window rA; K: Mode; #C words of arguments, #D words of results
	CallFn    // func value rB; as Call
	CallOwn   // Builtins[#B], in mode Go or Defer; otherwise as Call
	CallIface // interface rB.., method Methods[#D]: the window's first word is for the receiver's data word, the arguments follow; K: Mode; #C words of arguments, receiver included
	Return    // #K words at rA..
	RunDefers
	DeferStack // rA = this frame's list of deferred calls, for ModeDeferTo in a closure (the body of a range-over-func loop)
	Panic      // interface rA..
	Recover    // rA.. = recover()
	Print      // print/println of interface values: #C values at rA.. (two words each); K bit 0: newline

	// Goroutines and channels: visible operations.
	MakeChan // rA = make(Types[#D], size rB)
	Send     // rA <- rB..; Types[#D] channel type
	Recv     // rA.. = <-rB; Types[#D] channel type; K bit 0: comma-ok
	CloseCh  // close(rA)
	LenCh    // rA = len(rB)
	CapCh    // rA = cap(rB)
	Cap      // rA = cap(rB..) of a slice
	SelectCh // Selects[#B]: rA = chosen index (-1: default), rA+1 = received ok, rA+2.. = received values case by case

	Unsupported // stops the run with Messages[#B]

	// NumOps is the number of opcodes.
	NumOps
)
