package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// builtinFunc returns a function that does what builtin does and has no results,
// for the go or defer statement that is being compiled.
func (e *emitter) builtinFunc(builtin *ssa.Builtin, args []ssa.Value) *code.Func {
	f := &code.Func{Name: e.f.Name + "." + builtin.Name(), SSA: e.f.SSA, Recover: -1, Standard: e.f.Standard, Own: e.f.Own}
	// The parameters stand for the arguments.
	vs := &values{prog: e.prog, fn: e.fn, of: make(map[ssa.Value]*value), nodes: new(regalloc.Function)}
	params := make([]ssa.Value, len(args))
	for i, arg := range args {
		params[i] = &builtinParam{Value: arg}
		v := &value{words: e.words(arg.Type())}
		if v.words > 0 {
			v.node = vs.nodes.NewNode(v.words)
			v.node.Fixed, v.node.Reg = true, vs.nodes.Params
		}
		vs.of[params[i]] = v
		vs.nodes.Params += int32(v.words)
	}
	f.Params = int(vs.nodes.Params)
	b := &emitter{assembler: newAssembler(f), values: vs, regs: regalloc.Allocate(vs.nodes)}
	b.pos = e.pos
	switch builtin.Name() {
	case "recover":
		f.Wrapper = true // it is the deferring function that has to have been deferred
		b.emit(code.Instr{Op: code.Recover, A: b.regs.Scratch(2)})
	case "print", "println", "close", "delete", "clear", "panic":
		b.builtin(nil, builtin, params)
	case "copy":
		dst := b.regs.Scratch(1)
		in := code.Instr{Op: code.CopyS, A: dst, B: b.reg(params[0]), C: b.reg(params[1]), D: b.typeIndex(args[0].Type())}
		if e.prog.Type(args[1].Type()).Shape == code.ShapeString {
			in.Op = code.CopyStr
		}
		b.emit(in)
	}
	b.emit(code.Instr{Op: code.Return})
	f.Regs = b.regs.Regs()
	return f
}

// A builtinParam is a parameter of a function made of a builtin.
type builtinParam struct{ ssa.Value }
