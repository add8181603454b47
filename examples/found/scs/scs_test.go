// Package scs has tests of github.com/alexedwards/scs/v2/memstore.
package scs

import (
	"testing"

	"github.com/alexedwards/scs/v2/memstore"
)

// TestStopCleanup: "You can prevent this by manually calling StopCleanup." Called at once, it
// reads a field that the goroutine of the store writes, and stops nothing.
func TestStopCleanup(t *testing.T) {
	m := memstore.New()
	m.StopCleanup()
}
