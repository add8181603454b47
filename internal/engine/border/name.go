package border

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/static/control"
)

// pathOf returns how the source calls what registers hold when a frame is at an instruction. The
// number of the frame is -1 if it is none of the source.
func (w *walk) pathOf(goroutine, frame int, h *compile.Holding, instr ssa.Instruction) path {
	at := strconv.Itoa(goroutine)
	if frame > 0 {
		at += "." + strconv.Itoa(frame)
	}
	if frame >= 0 {
		key := held{h.Value, instr}
		root, known := w.roots[key]
		if !known {
			root = w.rootOf(h, instr)
			w.roots[key] = root
		}
		if root.Kind != cover.Unnamed {
			root.Goroutine, root.Frame = goroutine, frame
			p := path{root: root, text: at + ":" + root.Name, variable: isAddress(h)}
			if a, ok := h.Value.(*ssa.Alloc); ok && h.Variable && made[a.Comment] {
				p = p.step("*") // the registers have what the value leads to
			}
			return p
		}
	}
	return path{text: at + ":" + h.Value.Name()}
}

// captured returns how the source leads to a variable that a closure has captured which the frame
// has made that is at an instruction, if it has a name there: a variable of the function of which
// there is only one while that is executed.
func (w *walk) captured(goroutine, frame int, c *ssa.MakeClosure, i int, instr ssa.Instruction) (path, bool) {
	switch v := c.Bindings[i].(type) {
	case *ssa.Alloc:
		if control.Leads(v.Block(), v.Block()) || made[v.Comment] {
			return path{}, false
		}
	case *ssa.FreeVar:
	default:
		return path{}, false
	}
	p := w.pathOf(goroutine, frame, &compile.Holding{Value: c.Bindings[i]}, instr)
	return p, p.root.Kind != cover.Unnamed
}

// A held is a value that a frame has when it is at an instruction.
type held struct {
	value ssa.Value
	at    ssa.Instruction
}

// rootOf returns what the source has for what registers hold when a frame is at an instruction, but
// for which frame that is.
func (w *walk) rootOf(h *compile.Holding, instr ssa.Instruction) cover.Root {
	v := h.Value
	variable := isAddress(h) || h.Variable
	name := ""
	switch v := v.(type) {
	case *ssa.Alloc:
		if name = v.Comment; made[name] {
			variable, name = false, ""
		}
	case *ssa.FreeVar:
		variable, name = true, v.Name()
	case *ssa.Phi:
		name = v.Comment
	}
	switch {
	case variable && isName(name) && v.Pos().IsValid():
		return cover.Root{Kind: cover.Local, Name: name, Position: w.position(v.Pos())}
	case variable || w.source == nil:
		return cover.Root{}
	}
	if o := w.source.Held(v, instr); o != nil {
		return cover.Root{Kind: cover.Local, Name: o.Name(), Position: w.position(o.Pos())}
	}
	if a := assigned(v, instr); a != nil {
		return cover.Root{Kind: cover.Local, Name: a.Comment, Position: w.position(a.Pos())}
	}
	if x := w.source.Expr(v); x != nil {
		return cover.Root{Kind: cover.Evaluated, Name: types.ExprString(x), Position: w.position(x.Pos())}
	}
	if x := w.counted(v); x != nil {
		return cover.Root{Kind: cover.Counter, Name: "range " + types.ExprString(x), Position: w.position(x.Pos())}
	}
	return cover.Root{}
}

// assigned returns the variable in memory that has a value from an instruction on, as the source
// has it: what has been received is there when the body of a range loop begins, and package ssa
// stores it in the body.
func assigned(v ssa.Value, at ssa.Instruction) *ssa.Alloc {
	if x, ok := v.(*ssa.Extract); !ok || x.Block() != at.Block() || x.Block().Comment != "rangechan.body" {
		return nil
	}
	instrs := at.Block().Instrs
	for _, instr := range instrs[slices.Index(instrs, at):] {
		switch instr := instr.(type) {
		case *ssa.Alloc, *ssa.Extract, *ssa.DebugRef:
		case *ssa.Store:
			if a, ok := instr.Addr.(*ssa.Alloc); ok && instr.Val == v && isName(a.Comment) && a.Pos().IsValid() {
				return a
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// counted returns what a loop ranges over if a value is the number of the iterations that it has
// begun before the current one: package ssa makes such variables.
func (w *walk) counted(v ssa.Value) ast.Expr {
	const number, index = "rangeint.iter", "rangeindex"
	switch v := v.(type) {
	case *ssa.Phi: // of a number, which is compared with 0 at the beginning
		if v.Comment != number {
			return nil
		}
		for _, pred := range v.Block().Preds {
			if br, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If); ok {
				if below, ok := br.Cond.(*ssa.BinOp); ok && below.Op == token.LSS {
					if x := w.source.Operand(below); x != nil {
						return x
					}
				}
			}
		}
		return ranged(v.Block())
	case *ssa.BinOp: // of elements: it is counted up before each iteration
		phi, ok := v.X.(*ssa.Phi)
		if !ok || phi.Comment != index || !slices.Contains(phi.Edges, ssa.Value(v)) {
			return nil
		}
		for _, ref := range *v.Referrers() {
			if below, ok := ref.(*ssa.BinOp); ok && below.Op == token.LSS && below.X == v {
				if length, ok := below.Y.(*ssa.Call); ok {
					return w.source.Operand(length)
				}
				return ranged(below.Block().Succs[0])
			}
		}
	}
	return nil
}

// ranged returns what a loop ranges over whose body begins with a block: a constant, or an array,
// of which the code does not say anything.
func ranged(body *ssa.BasicBlock) ast.Expr {
	pos := token.NoPos
	for _, instr := range body.Instrs {
		switch instr.(type) {
		case *ssa.Phi, *ssa.Index, *ssa.IndexAddr, *ssa.UnOp, *ssa.DebugRef:
			continue // of the range clause, perhaps
		}
		if pos = instr.Pos(); pos.IsValid() {
			break
		}
	}
	syntax := body.Parent().Syntax()
	if !pos.IsValid() || syntax == nil {
		return nil
	}
	var x ast.Expr
	ast.Inspect(syntax, func(n ast.Node) bool {
		// What the loop ranges over is computed before it; its variables may be made in the body.
		if s, ok := n.(*ast.RangeStmt); ok && s.Pos() <= pos && pos < s.Body.End() && (pos < s.X.Pos() || s.Body.Pos() <= pos) {
			x = s.X // the innermost one is visited last
		}
		return true
	})
	return x
}

// made are the comments of package ssa on memory that an expression makes, and that is no variable.
var made = map[string]bool{"complit": true, "new": true, "slicelit": true, "makeslice": true, "varargs": true}

// isAddress reports whether registers hold the address of a variable that the source has a name for.
func isAddress(h *compile.Holding) bool {
	switch v := h.Value.(type) {
	case *ssa.Alloc:
		return !h.Variable && !made[v.Comment]
	case *ssa.FreeVar:
		return v.Parent().Parent() != nil
	case *ssa.Phi:
		// Of a loop variable that there is one of for each iteration.
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			a, ok := e.(*ssa.Alloc)
			return ok && a.Comment == v.Comment && a.Pos() == v.Pos()
		})
	}
	return false
}

func isName(s string) bool {
	return s != "" && s != "_" && !strings.ContainsAny(s, ". $()&*[]{}")
}
