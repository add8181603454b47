package program

import "testing"

func TestDeclaredName(t *testing.T) {
	for _, test := range []struct {
		name, declared string
		depth          int
	}{
		{"F", "F", 0},
		{"T.M", "T.M", 0},
		{"(*T).M", "T.M", 0},
		{"(*T[...]).M.func1", "T.M", 1},
		{"F[...].func2.3", "F", 2},
		{"F.func1.G.func2", "F.func1.G", 1}, // G was inlined
		{"F-range1", "F", 1},
		{"(*T).M.func1-range2", "T.M", 2},
		{"init.0", "init", 0},
		{"init.0.func1", "init", 1},
		{"init.func3", "init", 1},
	} {
		if declared, depth := declaredName(test.name); declared != test.declared || depth != test.depth {
			t.Errorf("%s: %s %d, want %s %d", test.name, declared, depth, test.declared, test.depth)
		}
	}
	for name, want := range map[string]bool{"F.gowrap1": true, "(*T).M.deferwrap2": true, "F": false, "gowrap": false, "F.func1": false} {
		if isWrapper(name) != want {
			t.Errorf("isWrapper(%s) is %v", name, !want)
		}
	}
}
