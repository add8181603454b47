package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/everyway-go/everyway/internal/bitset"
)

// implementations remembers which types have the methods of which interfaces.
type implementations struct {
	numbers typeutil.Map // of types that are in interfaces, to int32
	types   []types.Type // by number
	of      map[*types.Interface]*implementers
}

// implementers are the types that have the methods of an interface, by number.
type implementers struct {
	yes   bitset.Set
	known bitset.Set // types of which it is known whether they have
}

func newImplementations(hasher typeutil.Hasher) *implementations {
	m := &implementations{of: make(map[*types.Interface]*implementers)}
	m.numbers.SetHasher(hasher)
	return m
}

// number returns the number of a type, which is that of all identical ones.
func (m *implementations) number(t types.Type) int32 {
	n, ok := m.numbers.At(t).(int32)
	if !ok {
		n = int32(len(m.types))
		m.numbers.Set(t, n)
		m.types = append(m.types, t)
	}
	return n
}

// has reports whether the type with a number has the methods of an interface.
func (m *implementations) has(typ int32, i *types.Interface) bool {
	if i.NumMethods() == 0 {
		return true
	}
	of := m.of[i]
	if of == nil {
		of = &implementers{}
		m.of[i] = of
	}
	if !of.known.Has(int(typ)) {
		of.known.Grow(len(m.types))
		of.known.Add(int(typ))
		if types.Implements(m.types[typ], i) {
			of.yes.Grow(len(m.types))
			of.yes.Add(int(typ))
		}
	}
	return of.yes.Has(int(typ))
}
