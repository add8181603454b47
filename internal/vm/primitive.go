package vm

// A PrimitiveSet says of the functions that the machine carries out itself, by their names as in
// code.Func.Name, whether they are visible operations. They may have a body in Go, too.
type PrimitiveSet map[string]bool

// AllPrimitives returns all of them.
func AllPrimitives() PrimitiveSet {
	names := make(PrimitiveSet)
	for _, p := range primitives() {
		names[p.Name] = p.Transitions != nil
	}
	return names
}

// Has reports whether there is a primitive with a name.
func (p PrimitiveSet) Has(name string) bool {
	_, ok := p[name]
	return ok
}

// Visible reports whether the primitive with a name is a visible operation.
func (p PrimitiveSet) Visible(name string) bool { return p[name] }
