package metrics

// Read gives no metric a value: none is measured.
func Read(m []Sample) {
	for i := range m {
		m[i].Value = Value{}
	}
}
