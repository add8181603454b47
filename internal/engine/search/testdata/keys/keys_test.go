package keys

import "testing"

var minutes = map[string]int{"s": 0, "m": 1, "h": 60}

// A key of a map is a part of the input.
func FuzzUnit(f *testing.F) {
	f.Add("x")
	f.Add("m")
	f.Fuzz(func(t *testing.T, s string) {
		if n := minutes[s]; len(s) == 1 && n > 0 && n != 1 {
			t.Error(s)
		}
	})
}

type key struct{ name string }

// The keys of a map are parts of the input.
func FuzzKept(f *testing.F) {
	f.Add("ox")
	f.Add("by")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) != 2 {
			return
		}
		m := map[any]int{s: 1, 3: 2, key{s[1:]}: 7}
		if m[key{"x"}] == 7 && m["go"] == 1 {
			t.Error(s)
		}
	})
}

// Elements are appended to a slice of records, which takes a new array.
func FuzzAppend(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		type record struct {
			typ  byte
			rest []byte
		}
		var list []record
		for i := range b {
			list = append(list, record{b[i], b[i:]})
		}
		if len(list) == 4 && list[2].typ == 'x' && list[3].rest[0] == list[2].typ {
			t.Error(b)
		}
	})
}
