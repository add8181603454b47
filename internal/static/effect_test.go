package static_test

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/static/effect"
)

// TestEffects asks which functions of a program may notice each other.
func TestEffects(t *testing.T) {
	a, pkg, _ := analyseFile(t, "testdata/effects.go")
	pointers := pointersOf(t, a)
	shared, err := a.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := effect.NewFinder(pointers, shared, a.Library)
	of := func(name string) *effect.Effects { return f.Of(pointers.Calls().Of(pkg.Func(name))) }
	for names, want := range map[string]bool{
		"read write":   true,
		"write write":  true,
		"read read":    false,
		"write other":  false, // of another field
		"read calls":   true,
		"read starts":  false, // it is another goroutine that writes
		"lock lock":    true,
		"lock write":   false,
		"store remove": true,
		"local local":  false,
		"nothing read": false,
	} {
		first, second, _ := strings.Cut(names, " ")
		x, y := of(first), of(second)
		if x.Meet(y) != want || y.Meet(x) != want {
			t.Errorf("%s: %t and %t, want %t", names, x.Meet(y), y.Meet(x), want)
		}
	}
}
