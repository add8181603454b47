// Package sync is Go's package sync with its blocking done by the machine:
// every function without a body is one visible operation, atomic and enabled
// under a condition that the machine knows.
package sync

// noCopy marks types that must not be copied after first use, for vet.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
