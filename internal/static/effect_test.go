package static_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/effect"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// TestEffects asks which functions of a program may notice each other.
func TestEffects(t *testing.T) {
	const file = "testdata/effects.go"
	p, err := vmtest.LoadPrograms([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[file].SSA
	a := analyse(t, p.Code, pkg, []*ssa.Function{pkg.Func("main")})
	pointers, err := a.PointsTo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
