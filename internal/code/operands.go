package code

// A Run is a run of registers.
type Run struct {
	First int32
	Words int
}

// Reads returns the registers that in, an instruction of f, reads.
func (f *Func) Reads(in *Instr) []Run { reads, _ := f.operands(in); return reads }

// Writes returns the registers that in, an instruction of f, writes. A call
// writes its whole window and everything above it.
func (f *Func) Writes(in *Instr) []Run { _, writes := f.operands(in); return writes }

// operands returns the registers that in reads and writes.
func (f *Func) operands(in *Instr) (reads, writes []Run) {
	read := func(reg int32, words int) { reads = append(reads, Run{reg, words}) }
	write := func(reg int32, words int) { writes = append(writes, Run{reg, words}) }
	t := func(i int32) *Type { return f.Types[i] }
	k := int(in.K)
	const str, slice, iface = 2, 3, 2
	switch in.Op {
	case Nop, Jmp, Cover, RunDefers, Unsupported:
	case Imm, New, DeferStack:
		write(in.A, 1)
	case Mov, AddI, AddKI, MulI, AndI, ShlI, ShrI, Neg, Com, Not, NegF, SqrtF, RoundF, Conv, PtrInt, IntPtr, Pun, Unpun, Load, Addr,
		MapLen, LenCh, CapCh, MakeChan, SliceData:
		read(in.B, 1)
		write(in.A, 1)
	case MapIter:
		read(in.B, 1)
		if k >= OrderCalled {
			read(in.C, 1)
		}
		write(in.A, 1)
	case MovN:
		read(in.B, k)
		write(in.A, k)
	case Const, Zero, FreeVar:
		write(in.A, k)
	case Add, AddK, Sub, SubK, Mul, MulK, Div, Rem, And, Or, Xor, AndNot, Shl, Shr, Rot, MulHi,
		AddF, SubF, MulF, DivF, EqW, NeW, LtS, LeS, LtU, LeU, EqF, NeF, LtF, LeF, EqP, NeP, PtrAdd:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, 1)
	case AddC, SubC, MulC, DivC:
		read(in.B, 2)
		read(in.C, 2)
		write(in.A, 2)
	case NegC, ConvC:
		read(in.B, 2)
		write(in.A, 2)
	case MkComplex:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, 2)
	case EqC, EqStr, NeStr, LtStr, LeStr:
		read(in.B, 2)
		read(in.C, 2)
		write(in.A, 1)
	case Eq, Ne:
		read(in.B, t(in.D).Words)
		read(in.C, t(in.D).Words)
		write(in.A, 1)
	case StrBytes, StrRunes:
		read(in.B, str)
		write(in.A, slice)
	case BytesStr, RunesStr:
		read(in.B, slice)
		write(in.A, str)
	case IntStr:
		read(in.B, 1)
		write(in.A, str)
	case SliceArr:
		read(in.B, slice)
		write(in.A, 1)
	case SliceToArr:
		read(in.B, slice)
		write(in.A, t(in.D).Words)
	case JmpIf, JmpIfNot, JmpEqI, JmpNeI, JmpLtSI, JmpLeSI, JmpGtSI, JmpGeSI, JmpNil, JmpNotNil:
		read(in.A, 1)
	case JmpEq, JmpNe, JmpLtS, JmpLeS, JmpLtU, JmpLeU:
		read(in.A, 1)
		read(in.B, 1)
	case LoadN:
		read(in.B, 1)
		write(in.A, k)
	case Store:
		read(in.A, 1)
		read(in.B, 1)
	case StoreN:
		read(in.A, 1)
		read(in.B, k)
	case Copy:
		read(in.A, 1)
		read(in.B, 1)
	case NilCheck:
		read(in.B, 1)
	case IndexS, LoadS:
		read(in.B, slice)
		read(in.C, 1)
		write(in.A, 1)
	case IndexA, LoadA:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, 1)
	case StoreS:
		read(in.A, slice)
		read(in.B, 1)
		read(in.C, 1)
	case StoreA:
		read(in.A, 1)
		read(in.B, 1)
		read(in.C, 1)
	case IndexV:
		read(in.B, k*int(in.D))
		read(in.C, 1)
		write(in.A, k)
	case IndexStr:
		read(in.B, str)
		read(in.C, 1)
		write(in.A, 1)
	case MakeSlice:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, slice)
	case SliceS, SliceStr, SliceP:
		words := map[Op]int{SliceS: slice, SliceStr: str, SliceP: 1}[in.Op]
		read(in.B, words)
		for i := range int32(3) {
			if in.K&(1<<i) != 0 {
				read(in.C+i, 1)
			}
		}
		write(in.A, map[Op]int{SliceS: slice, SliceStr: str, SliceP: slice}[in.Op])
	case Append:
		read(in.B, slice)
		read(in.C, slice)
		write(in.A, slice)
	case AppendN:
		read(in.B, slice)
		read(in.C, k*t(in.D).Elem.Words)
		write(in.A, slice)
	case AppendStr:
		read(in.B, slice)
		read(in.C, str)
		write(in.A, slice)
	case CopyS:
		read(in.B, slice)
		read(in.C, slice)
		write(in.A, 1)
	case CopyStr:
		read(in.B, slice)
		read(in.C, str)
		write(in.A, 1)
	case Concat:
		read(in.B, str)
		read(in.C, str)
		write(in.A, str)
	case Cap:
		read(in.B, slice)
		write(in.A, 1)
	case ClearS:
		read(in.A, slice)
	case StrNext:
		read(in.B, str)
		read(in.C, 1)
		write(in.C, 1)
		write(in.A, 3)
	case MkSlice:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, slice)
	case MkString:
		read(in.B, 1)
		read(in.C, 1)
		write(in.A, str)
	case MinMax:
		words := 1
		if Kind(in.K) == String {
			words = str
		}
		read(in.B, words)
		read(in.C, words)
		write(in.A, words)
	case MakeIface:
		read(in.B, t(in.D).Words)
		write(in.A, iface)
	case Assert:
		read(in.B, iface)
		write(in.A, t(in.D).Words+k&1)
	case TypeWord:
		read(in.B, iface)
		write(in.A, 1)
	case MakeMap:
		if in.B >= 0 {
			read(in.B, 1)
		}
		write(in.A, 1)
	case MapGet:
		read(in.B, 1)
		read(in.C, t(in.D).Key.Words)
		write(in.A, t(in.D).Elem.Words+k&1)
	case MapSet:
		read(in.A, 1)
		read(in.B, t(in.D).Key.Words)
		read(in.C, t(in.D).Elem.Words)
	case MapDel:
		read(in.A, 1)
		read(in.B, t(in.D).Key.Words)
	case MapClear, CloseCh:
		read(in.A, 1)
	case MapNext:
		read(in.B, 1)
		write(in.A, 1+t(in.D).Key.Words+t(in.D).Elem.Words)
	case Closure:
		read(in.C, k)
		write(in.A, 1)
	case Call, CallOwn, CallFn, CallIface:
		args := Run{in.A, int(in.C)}
		switch in.Op {
		case CallFn:
			read(in.B, 1)
		case CallIface:
			read(in.B, iface)
			args = Run{in.A + 1, int(in.C) - 1}
		}
		reads = append(reads, args)
		if k == ModeDeferTo {
			read(in.A-1, 1)
		}
		write(in.A, f.Regs-int(in.A))
	case Return:
		read(in.A, k)
	case Panic:
		read(in.A, iface)
	case Recover:
		write(in.A, iface)
	case Print:
		read(in.A, iface*int(in.C))
	case Send:
		read(in.A, 1)
		read(in.B, t(in.D).Elem.Words)
	case Recv:
		read(in.B, 1)
		write(in.A, t(in.D).Elem.Words+k&1)
	case SelectCh:
		words := 2
		for _, sc := range f.Selects[in.B].Cases {
			read(sc.Chan, 1)
			if sc.Send {
				read(sc.Value, sc.Type.Elem.Words)
			} else {
				words += sc.Type.Elem.Words
			}
		}
		write(in.A, words)
	default:
		panic("code: operands of " + in.Op.String())
	}
	return reads, writes
}

// CallResults returns the registers in which the function that in calls leaves
// its results.
func (f *Func) CallResults(in *Instr) Run {
	switch {
	case in.K != ModeCall:
		return Run{in.A, 0}
	case in.Op == CallIface:
		return Run{in.A, f.Methods[in.D].Results}
	}
	return Run{in.A, int(in.D)}
}
