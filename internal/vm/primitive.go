package vm

// PrimitiveNames returns the names of the functions that the machine carries out itself, though
// they may have a body in Go, as in code.Func.Name.
func PrimitiveNames() map[string]bool {
	names := make(map[string]bool)
	for _, p := range primitives() {
		names[p.Name] = true
	}
	return names
}
