package host

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/shape"
)

// inputPrimitives returns the primitives by which the model of package testing and, under
// other names, package sym draw inputs. A kind is given by its number in package code,
// and a word holds the bits of a value of that kind:
//
//	func drawWord(name string, kind uint8) uint64
//	func drawLen(name string) int
//	func drawChoice(name string) bool
//	func drawRoom(name string) bool
//	func noteRoom(name string, array unsafe.Pointer, small int)
//	func drawHeap(name string, to any)
//	func drawVariables()
//	func open(name string, to any) of package sym
//	func backLink(of any, link, back string) of package sym
//	func assumed() of package sym
//	func within(name string, k kind, low, size uint64) uint64 of package sym
//	func callInput(fn, frame unsafe.Pointer)
//	func noteSlice(to any)
//	func beginSeed(i int) bool
func inputPrimitives() []exec.Primitive {
	const sym = "github.com/everyway-go/everyway/sym."
	word := exec.Primitive{
		Name: "testing.drawWord",
		Run: func(c *exec.Call) {
			x := c.Machine.Draw(c.Text(0), code.Kind(c.Window[2].N))
			c.Set(0, x.N)
			c.SetShadow(0, x.Sym)
		},
		Shadows: true,
	}
	length := exec.Primitive{
		Name: "testing.drawLen",
		Run:  func(c *exec.Call) { c.Set(0, c.Machine.DrawLen(c.Goroutine, c.Text(0))) },
	}
	choice := exec.Primitive{
		Name: "testing.drawChoice",
		Run: func(c *exec.Call) {
			x := c.Machine.DrawChoice(c.Text(0))
			c.Set(0, x.N)
			c.SetShadow(0, x.Sym)
		},
		Shadows: true,
	}
	room := exec.Primitive{
		Name: "testing.drawRoom",
		Run:  func(c *exec.Call) { c.SetBool(0, c.Machine.DrawRoom(c.Text(0))) },
	}
	note := exec.Primitive{
		Name: "testing.noteRoom",
		Run: func(c *exec.Call) {
			if o := c.Window[2].P; o != nil {
				c.Machine.NoteRoom(c.Text(0), o, o.Type.Words, c.Int(3))
			}
		},
	}
	seed := exec.Primitive{
		Name: "testing.beginSeed",
		Run: func(c *exec.Call) {
			m, prefix := c.Machine, run.SeedPrefix(int(c.Int(0)))
			m.InputPrefix = ""
			_, more := m.Plan.Input[prefix]
			if more {
				m.DrawChoice(prefix)
				m.InputPrefix = prefix
			}
			c.SetBool(0, more)
		},
	}
	inHeap := exec.Primitive{Name: "testing.drawHeap", Run: drawHeap}
	variables := exec.Primitive{Name: "testing.drawVariables", Run: drawVariables}
	array := exec.Primitive{
		Name: "testing.noteSlice",
		Run:  func(c *exec.Call) { shape.Of(c.Machine).NoteSlice(c.Window[0].P.Desc.Elem.Elem) },
	}
	call := exec.Primitive{
		Name: "testing.callInput",
		Run:  func(c *exec.Call) { shape.Call(c.Machine, c.Goroutine, c.Window[0].P, c.Window[1].P) },
	}
	opened := exec.Primitive{Name: sym + "open", Run: openHeap, HasBody: true}
	assumed := exec.Primitive{
		Name:    sym + "assumed",
		Run:     func(c *exec.Call) { shape.Assumed(c.Machine, c.Goroutine) },
		HasBody: true,
	}
	backLink := exec.Primitive{Name: sym + "backLink", Run: addBackLink, HasBody: true}
	within := exec.Primitive{Name: sym + "within", Run: drawWithin, HasBody: true, Shadows: true}
	symWord, symLength, symHeap := word, length, inHeap
	symWord.Name, symLength.Name, symHeap.Name = sym+"word", sym+"length", sym+"draw"
	symWord.HasBody, symLength.HasBody, symHeap.HasBody = true, true, true
	return append([]exec.Primitive{word, symWord, length, symLength, inHeap, variables, symHeap, opened, backLink, assumed, within, choice, room, note, array, call, seed}, seedPrimitives()...)
}

// drawHeap carries out testing.drawHeap.
func drawHeap(c *exec.Call) {
	to, at := c.Window[2].P, c.CellAt(3)
	shape.Of(c.Machine).Draw(c.Goroutine, at, to.Desc.Elem, c.Text(0))
}

// drawVariables carries out testing.drawVariables.
func drawVariables(c *exec.Call) {
	for _, v := range c.Machine.InputVariables {
		o := c.Machine.Variable(v)
		if o.Type == nil { // it has no size
			continue
		}
		if !shape.Of(c.Machine).Draw(c.Goroutine, heap.Location{Object: o}, o.Type, v.Name()) {
			return
		}
	}
}

// openHeap carries out sym.open.
func openHeap(c *exec.Call) {
	to, at := c.Window[2].P, c.CellAt(3)
	shape.Of(c.Machine).OpenObjects(c.Goroutine, at, to.Desc.Elem, c.Text(0))
}

// addBackLink carries out sym.backLink.
func addBackLink(c *exec.Call) {
	of := c.Window[0].P // the type of a pointer
	shape.Of(c.Machine).AddBackLink(of.Desc.Elem, c.Text(2), c.Text(4))
}

// drawWithin carries out sym.within. Where the input is drawn again, with another range, its value
// in the trace is that of the first one.
func drawWithin(c *exec.Call) {
	m, a := c.Machine, c.Machine.Arena
	low, size := uint64(c.Int(3)), uint64(c.Int(4))
	x, whole := m.DrawWithin(c.Text(0), code.Kind(c.Window[2].N), low, size)
	if x.Sym != expr.None && size != 1<<64-1 {
		above := a.Sub(x.Sym, a.Const(low, 64))
		if whole {
			m.AddCondition(c.Goroutine, a.Ule(above, a.Const(size, 64)), true, run.Assumed)
		} else {
			x.Sym = a.Add(a.URem(above, a.Const(size+1, 64)), a.Const(low, 64))
		}
	}
	c.Set(0, x.N)
	c.SetShadow(0, x.Sym)
}
