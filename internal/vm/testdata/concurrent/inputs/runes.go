package inputs

import (
	"strings"
	"unicode/utf8"
)

// want: é
// want: other
// over: x=-1,0,65,127,128,232,233,234,255,2047,2048,55295,55296,57343,57344,65533,65535,65536,1114111,1114112,4294967529
func runeToText() {
	if s := string(rune(input("x"))); s == "é" {
		print("é")
	} else {
		print("other")
	}
}

// The form of the encoding is a path, the bytes are expressions.
//
// want: 1
// want: 2
// want: 3
// want: 4
// want: 3 no character
// over: x=-1,0,65,127,128,233,2047,2048,55295,55296,57343,57344,65533,65535,65536,1114111,1114112,4294967529
func runeForms() {
	x := input("x")
	s := string(rune(x))
	c, n := utf8.DecodeRuneInString(s)
	if int(c) == int(rune(x)) {
		print(n)
	} else if c == utf8.RuneError {
		print(n, " no character")
	}
}

// want: found
// want: not found
// over: s[0]=a\xc3\xe2\xf0\xff s[1]=b\x82\xa9\xac s[2]=c\x82\xa9\xac
func runesOfText() {
	runes := []rune(text("s", 3))
	if len(runes) > 1 && runes[len(runes)-1] == 'é' {
		print("found")
	} else {
		print("not found")
	}
}

// want: €5
// want: other
// over: x=8363,8364,8365 y=52,53,54,-1
func textOfRunes() {
	runes := []rune{rune(input("x")), rune(input("y"))}
	if string(runes) == "€5" {
		print("€5")
	} else {
		print("other")
	}
}

// Searches for a character of several bytes.
//
// want: 0
// want: 1
// want: -1
// over: s[0]=a\xc3\xa9 s[1]=b\xc3\xa9 s[2]=c\xc3\xa9
func runeIndex() {
	switch i := strings.IndexRune(text("s", 3), 'é'); i {
	case 0, 1, -1:
		print(i)
	}
}
