package reflection

import (
	"go/ast"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// The models' functions without a body and the primitives are the same.
func TestReflectPrimitives(t *testing.T) {
	r, err := golib.Load(t.Context(), load.Config{Patterns: []string{"reflect"}})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, p := range ReflectPrimitives() {
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
		t.Errorf("primitive %s is of no function", name)
	}
}
