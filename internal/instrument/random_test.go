package instrument

import (
	"go/ast"
	"testing"
)

// TestRandomCalls finds the calls of the functions of package rand, and none where something else has its name.
func TestRandomCalls(t *testing.T) {
	for source, want := range map[string]int{
		"package m; import \"math/rand\"; var x, y = rand.Intn(2), rand.Int()":                              1,
		"package m; import \"math/rand/v2\"; var x = rand.IntN(rand.IntN(2))":                               2,
		"package m; import r \"math/rand\"; func f(rand q) int { return rand.Intn(2) + r.Intn(2) }":         1,
		"package m; import \"math/rand\"; func f() int { rand := rand.New(nil); return rand.Intn(2) }":      0,
		"package m; import \"math/rand\"; func f(rand *rand.Rand) int { return rand.Intn(2) }":              0,
		"package m; import \"crypto/rand\"; var x = rand.Intn(2)":                                           0,
		"package m; import \"math/rand\"; var draw = rand.Intn":                                             0,
		"package m; import \"math/rand\"; func f() { for i := range rand.Intn(2) { _ = rand.Uint64N(3) } }": 2,
	} {
		f, err := read("x.go", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		f.eachRandom(func(*ast.CallExpr) { got++ })
		if got != want {
			t.Errorf("%s: %d calls, want %d", source, got, want)
		}
	}
}
