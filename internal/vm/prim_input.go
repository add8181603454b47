package vm

import "github.com/everyway-go/everyway/internal/code"

// inputPrimitives lists the primitives by which package testing's model and,
// under other names, package sym draw inputs. Kinds are given by their numbers
// in package code, a word by the kind's bits:
//
//	func drawWord(name string, kind uint8) uint64
//	func drawLen(name string) int
func inputPrimitives() []primitive {
	const sym = "github.com/everyway-go/everyway/sym."
	word := primitive{
		name: "testing.drawWord",
		run: func(c *call) {
			x := c.m.draw(c.text(0), code.Kind(c.window[2].N))
			c.set(0, x.N)
			c.setShadow(0, x.Sym)
		},
		shadows: true,
	}
	length := primitive{
		name: "testing.drawLen",
		run:  func(c *call) { c.set(0, c.m.drawLen(c.g, c.text(0))) },
	}
	symWord, symLength := word, length
	symWord.name, symLength.name = sym+"word", sym+"length"
	return []primitive{word, symWord, length, symLength}
}
