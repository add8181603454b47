package code

import (
	"bytes"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strings"
)

// WriteTo writes f in a readable form, one instruction a line:
//
//	index opcode.kind results = operands, other ; file:line
func (f *Func) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "func %s: %d params, %d results, %d registers", f.Name, f.Params, f.Results, f.Regs)
	if f.Recover >= 0 {
		fmt.Fprintf(&b, ", recovers at %d", f.Recover)
	}
	if f.Intrinsic {
		b.WriteString(", intrinsic")
	}
	if f.Wrapper {
		b.WriteString(", wrapper")
	}
	b.WriteByte('\n')
	var fset *token.FileSet
	if f.SSA != nil {
		fset = f.SSA.Prog.Fset
	}
	line := ""
	for i := range f.Code {
		fmt.Fprintf(&b, "%4d  %s", i, f.Format(i))
		if fset != nil {
			pos := fset.Position(f.Pos[i])
			if at := fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line); at != line {
				fmt.Fprintf(&b, "\t; %s", at)
				line = at
			}
		}
		b.WriteByte('\n')
	}
	for _, own := range f.Builtins {
		if _, err := own.WriteTo(&b); err != nil {
			return 0, err
		}
	}
	return b.WriteTo(w)
}

// String returns what WriteTo writes.
func (f *Func) String() string {
	var b strings.Builder
	_, _ = f.WriteTo(&b) // a Builder does not fail
	return b.String()
}

// Format returns instruction i of f in a readable form.
func (f *Func) Format(i int) string {
	in := &f.Code[i]
	var b strings.Builder
	b.WriteString(in.Op.String())
	if in.Op.hasKind() {
		b.WriteString("." + Kind(in.K).String())
	}
	reads, writes := f.operands(in)
	if in.Op.isCall() {
		writes = []Run{f.CallResults(in)}
	}
	sep := " "
	for _, r := range writes {
		if r.Words > 0 {
			b.WriteString(sep + r.String())
			sep = ", "
		}
	}
	if sep == ", " {
		sep = " = "
	}
	for _, r := range reads {
		if r.Words > 0 {
			b.WriteString(sep + r.String())
			sep = ", "
		}
	}
	for _, text := range f.others(in) {
		b.WriteString(sep + text)
		sep = ", "
	}
	return b.String()
}

func (r Run) String() string {
	if r.Words == 1 {
		return fmt.Sprintf("r%d", r.First)
	}
	return fmt.Sprintf("r%d..%d", r.First, r.First+int32(r.Words)-1)
}

// others returns the operands of in that are not registers.
func (f *Func) others(in *Instr) []string {
	number := func(n int32) string { return fmt.Sprintf("%d", n) }
	var list []string
	switch in.Op {
	case Imm, AddI, AddKI, MulI, AndI, ShlI, ShrI, RoundF, Addr, FreeVar, SliceArr:
		list = append(list, number(in.C))
	case Load, LoadN, Store, StoreN:
		list = append(list, "+"+number(in.C))
	case Copy:
		list = append(list, "+"+number(in.C), "+"+number(in.D), fmt.Sprintf("%d words", in.K))
	case Const:
		list = append(list, f.Consts[in.B].String())
	case Shl, Shr:
		list = append(list, Kind(in.D).String())
	case Conv, ConvC:
		list = append(list, "from "+Kind(in.C).String())
	case LoadA, StoreA, IndexA, IndexV:
		list = append(list, fmt.Sprintf("length %d", in.D))
	case JmpEqI, JmpNeI, JmpLtSI, JmpLeSI, JmpGtSI, JmpGeSI:
		list = append(list, number(in.C), "to "+number(in.D))
	case Jmp, JmpIf, JmpIfNot, JmpEq, JmpNe, JmpLtS, JmpLeS, JmpLtU, JmpLeU, JmpNil, JmpNotNil:
		list = append(list, "to "+number(in.D))
	case Cover:
		list = append(list, "branch "+number(in.A))
	case Eq, Ne, New, SliceToArr, MakeSlice, SliceS, SliceStr, SliceP, Append, AppendN, CopyS, ClearS, MakeIface, TypeWord,
		MakeMap, MapSet, MapDel, MapIter, MakeChan, Send, MkSlice, Pun:
		list = append(list, f.Types[in.D].String())
		switch {
		case in.Op == MapIter && in.K >= OrderCalled:
			list = append(list, fmt.Sprintf("orderless if calls of r%d with key %d are", in.C, in.K-OrderCalled))
		case in.Op == MapIter && in.K != OrderMatters:
			list = append(list, [...]string{
				OrderShared: "orderless alone", OrderResult: "orderless if sorted", OrderNever: "orderless",
			}[in.K])
		}
	case Assert, MapGet, Recv, MapNext:
		list = append(list, f.Types[in.D].String())
		if in.Op == MapNext {
			list = append(list, fmt.Sprintf("wanted %b", in.K))
		} else if in.K&1 != 0 {
			list = append(list, "ok")
		}
		if in.Op == MapGet && in.K&2 != 0 {
			list = append(list, "set next")
		}
	case Closure:
		list = append(list, FuncName(f.Callees[in.B]))
	case NilCheck:
		if in.C > 0 {
			list = append(list, fmt.Sprintf("%q", f.Messages[in.C-1]))
		}
	case MinMax:
		list = append(list, [...]string{"min", "max"}[in.D])
	case Call:
		list = append(list, FuncName(f.Callees[in.B]))
	case CallOwn:
		list = append(list, f.Builtins[in.B].Name)
	case CallIface:
		m := f.Methods[in.D]
		list = append(list, m.Iface.String()+"."+m.Name)
	case Unsupported:
		list = append(list, fmt.Sprintf("%q", f.Messages[in.B]))
	case SelectCh:
		for _, sc := range f.Selects[in.B].Cases {
			if sc.Send {
				list = append(list, fmt.Sprintf("send r%d", sc.Chan))
			} else {
				list = append(list, fmt.Sprintf("receive r%d", sc.Chan))
			}
		}
		if f.Selects[in.B].Default {
			list = append(list, "default")
		}
	}
	if in.Op.isCall() {
		switch in.K {
		case ModeGo:
			list = append(list, "go")
		case ModeDefer:
			list = append(list, "defer")
		case ModeDeferTo:
			list = append(list, "defer to")
		}
	}
	return list
}

func (v ConstValue) String() string {
	switch v.Kind {
	case ConstString:
		return fmt.Sprintf("%q", v.Text)
	case ConstFunc:
		return FuncName(v.Func)
	case ConstGlobal:
		return "&" + v.Global.RelString(nil)
	}
	return fmt.Sprintf("%#x", v.Bits)
}
