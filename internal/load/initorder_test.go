package load

import (
	"go/types"
	"slices"
	"strings"
	"testing"
)

func TestInitOrder(t *testing.T) {
	for _, test := range []struct{ imports, want string }{
		{"m:b,a", "a b m"},             // by import path, not as they stand in the source
		{"m:b,a a:b", "b a m"},         // but each after what it imports
		{"m:a,c a:d c:b", "b c d a m"}, // those that are ready, not those that are asked for
		{"m:a,b a:z b:z z:y", "y z a b m"},
		{"m:n n:a a:", "a n m"},
	} {
		packages := make(map[string]*types.Package)
		of := func(path string) *types.Package {
			if packages[path] == nil {
				packages[path] = types.NewPackage(path, path)
			}
			return packages[path]
		}
		for field := range strings.FieldsSeq(test.imports) {
			path, imports, _ := strings.Cut(field, ":")
			var list []*types.Package
			for imp := range strings.SplitSeq(imports, ",") {
				if imp != "" {
					list = append(list, of(imp))
				}
			}
			of(path).SetImports(list)
		}
		var got []string
		for _, p := range InitOrder(of("m"), of("m")) {
			got = append(got, p.Path())
		}
		if want := strings.Fields(test.want); !slices.Equal(got, want) {
			t.Errorf("%s: %s, want %s", test.imports, got, want)
		}
	}
}
