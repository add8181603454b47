package stateful

// Checking returns the options of a search that panics if a comparison that it leaves out would make a difference.
func (o Options) Checking() Options {
	o.checks = true
	return o
}
