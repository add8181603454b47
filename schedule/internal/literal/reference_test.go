package literal

import "testing"

func TestReference(t *testing.T) {
	for value, want := range map[uint64]string{0: "nil", 2: "&2", 3<<24 | 2: "&2+3"} {
		if got := Reference("*m.T", value); got != want {
			t.Errorf("Reference(%d) = %s, want %s", value, got, want)
		}
	}
	for value, want := range map[uint64]string{0: "nil", 2: "&2", 1 << 20: "m.A", 1<<20 + 1: "m.B", 1<<20 + 2: "&1048578"} {
		if got := Reference("func(int) int = m.A|m.B", value); got != want {
			t.Errorf("Reference(%d) of a function = %s, want %s", value, got, want)
		}
	}
	for _, typ := range []string{"*m.T", "map[int]bool", "chan int", "<-chan int", "chan<- int", "func(int) bool"} {
		if !IsReference(typ) {
			t.Errorf("%s is none", typ)
		}
	}
	for _, typ := range []string{"int", "[]*m.T", "struct {}", "type *m.T", "m.T", ""} {
		if IsReference(typ) {
			t.Errorf("%s is one", typ)
		}
	}
	for value, want := range []string{"nil", "m.A", "*m.B", "nil"} {
		if got := Dynamic("type m.A|*m.B", uint64(value)); got != want {
			t.Errorf("Dynamic(%d) = %s, want %s", value, got, want)
		}
	}
	if !IsDynamic("type int") || IsDynamic("types.T") {
		t.Error("IsDynamic")
	}
}
