package reflection

import (
	"go/ast"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// TestReflectPrimitives tests that the functions without a body in the models of reflect
// and internal/reflectlite are exactly the primitives.
func TestReflectPrimitives(t *testing.T) {
	r, err := golib.Load(t.Context(), load.Config{Patterns: []string{"reflect"}})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, p := range newReflection().reflectPrimitives() {
		have[p.Name] = true
	}
	for _, path := range []string{"reflect", "internal/reflectlite"} {
		for _, file := range r.Package(path).Files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body != nil {
					continue
				}
				name := path + "." + f.Name.Name
				if !have[name] {
					t.Errorf("%s has no primitive", name)
				}
				delete(have, name)
			}
		}
	}
	for name := range have {
		t.Errorf("primitive %s implements no function", name)
	}
}
