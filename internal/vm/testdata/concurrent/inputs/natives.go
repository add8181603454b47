package inputs

import "strings"

// Functions of the library that the machine has a version of its own of, for texts
// with symbolic bytes.

// want: yes
// want: no
// want: other
// want:
// over: s[0]=xXz@[`{\xc3 s[1]=-m s[2]=aA\xa9
func nativeCases() {
	s := text("s", 3)
	if s[0]|s[1]|s[2] >= 0x80 {
		return
	}
	switch {
	case strings.ToLower(s) == "x-a":
		print("yes")
	case strings.ToUpper(s[:1]) == "X":
		print("no")
	default:
		print("other")
	}
}

// want: get
// want: kelvin
// want: neither
// over: s[0]=gGk\xe2 s[1]=eE\x84 s[2]=tTz\xaa
func nativeFold() {
	switch s := text("s", 3); {
	case strings.EqualFold(s, "Get"):
		print("get")
	case strings.EqualFold(s, "k"):
		print("kelvin")
	default:
		print("neither")
	}
}

// want: both
// want: one
// want: none
// over: s[0]=abc s[1]=abc s[2]=abc s[3]=abc
// corresponds: s[0] s[1] s[2] s[3] wants "abcab"
// corresponds: s[0] s[1] s[2] s[3] wants "xabca"
// corresponds: s[0] s[1] s[2] s[3] wants "longer"
func nativeAffixes() {
	s := text("s", 4)
	if strings.HasPrefix(s, "abcab") || strings.HasSuffix(s, "xabca") || strings.Contains(s, "longer") {
		print("never")
	}
	before, after := strings.HasPrefix(s, "ab"), strings.HasSuffix(s, "bc")
	switch {
	case before && after:
		print("both")
	case before || after:
		print("one")
	default:
		print("none")
	}
}
