package inputs

// A comparison with a text of another length; with one of the same length there
// is a condition.
//
// corresponds: s[0] s[1] s[2] wants "four"
// corresponds: s[1] s[2] wants "tail!"
func correspondEqual() {
	s := text("s", 3)
	if s == "abc" || s == "four" || "tail!" == s[1:] || s[:0] == "no bytes" {
		print("found")
	}
}

// Each text once, for each place in the code.
//
// corresponds: s[0] s[1] wants "one"
// corresponds: s[0] s[1] wants "three"
// corresponds: s[0] s[1] wants "three"
func correspondSwitch() {
	s := text("s", 2)
	for range 3 {
		switch s {
		case "one":
			print(1)
		case "no":
			print(2)
		case "three":
			print(3)
		}
	}
	if s == "three" {
		print("three")
	}
}

// Strings in other values; what is concrete is left open.
//
// corresponds: s[0] _ wants "wide"
// corresponds: s[0] wants "xyz"
// corresponds: s[0] wants "\x00\x00\x00"
// corresponds: t[0] t[1] t[2] wants "\x00"
func correspondInside() {
	s := text("s", 1)
	type pair struct {
		name string
		n    int
	}
	var v any = s + "!"
	if v == any("wide") || (pair{s, 1}) == (pair{"xyz", input("x")}) || s == text("t", 3) {
		print("found")
	}
}
