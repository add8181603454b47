package inputs

var roman = map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}

// Numbers in a map are expressions: whether there is one is a condition, which one it is another.
//
// want: 900
// want: none
// want: other
// over: s[0]=CDILMVXabc s[1]=CDILMVXabc
func mapNumbers() {
	s := text("s", 2)
	x, ok := roman[s[0]]
	y, good := roman[s[1]]
	switch {
	case !ok || !good:
		print("none")
	case y-x == 900:
		print(900)
	default:
		print("other")
	}
}

type verb struct {
	least int
	loud  bool
}

// want: loud 10
// want: quiet
// want: unknown
// over: s[0]=dws s[1]=aet s[2]=nor s[3]=npy
func mapOfStructs() {
	verbs := map[string]verb{"deny": {1, false}, "warn": {10, true}, "stop": {20, false}, "longer": {10, true}}
	v, ok := verbs[text("s", 4)]
	switch {
	case !ok:
		print("unknown")
	case v.loud && v.least == 10:
		print("loud 10")
	default:
		print("quiet")
	}
}

// Which text it is, is known: "none of them" is one condition, and texts that come twice are one.
//
// want: one
// want: two
// want: 0
func mapOfTexts() {
	name := map[int]string{1: "one", 2: "two", 11: "one", 21: "one", 22: "two"}[input("x")]
	if name == "" {
		print(0)
	} else {
		print(name)
	}
}

// Keys that the input has put in.
//
// want: same
// want: x
// want: neither
// over: a[0]=wxy b[0]=wxyz
func mapSymbolicKeys() {
	m := map[string]int{text("a", 1): 1, "x": 2}
	n, ok := m[text("b", 1)]
	switch {
	case ok && n == 1:
		print("same")
	case n == 2:
		print("x")
	default:
		print("neither")
	}
}

// Keys with strings in them, behind interfaces too.
//
// want: 1
// want: 2
// want: 0
// over: s[0]=ab s[1]=bc
func mapWideKeys() {
	type key struct {
		name string
		n    int
	}
	m := map[any]uint8{key{"ab", 3}: 1, "ab": 2}
	s, n := text("s", 2), input("x")
	v := m[key{s, n}]
	if v == 0 {
		v = m[s]
	}
	switch v {
	case 0, 1, 2:
		print(v)
	}
}

// What is put in and taken out is told apart by every key.
//
// want: 2 true
// want: 1 false
// over: s[0]=abc s[1]=abd
func mapWrites() {
	m := map[string]bool{"ab": true, "cd": true}
	delete(m, text("s", 2))
	print(len(m), " ", m["ab"] && m["cd"])
}

// No key is equal to a NaN, and the zeros are one key.
//
// want: NaN
// want: zero
// want: none
// want:
func mapFloats() {
	x, y := float64(int8(input("x"))), float64(int8(input("y")))
	_, ok := map[float64]int{0: 10, -1: 11}[-x/y]
	switch {
	case x == 0 && y == 0:
		if ok {
			print("found ")
		}
		print("NaN")
	case x == 0 && y < 0:
		if !ok {
			print("not found ")
		}
		print("zero")
	case !ok:
		print("none")
	}
}

// want: found
// want: not found
// over: s[0]=cfb s[1]=auh s[2]=nsa s[3]=cne
func mapSwitch() {
	words := map[string]bool{"break": true, "case": true, "chan": true, "const": true, "func": true}
	if words[text("s", 4)] {
		print("found")
	} else {
		print("not found")
	}
}

// A map that has lost its keys, and one that was built again.
//
// want: 0
// want: 7
// want: 9
// over: a[0]=?ACk b[0]=?ACk
func mapCleared() {
	m := map[string]int{text("a", 1): 5}
	clear(m)
	m["k"] = 7
	for i := range 20 {
		m[string(rune('A'+i))+"!"] = i
	}
	delete(m, "C!")
	m[text("a", 1)+"?"] = 9
	switch v := m[text("b", 1)+"?"] | m[text("b", 1)]; v {
	case 7, 9:
		print(v)
	default:
		print(0)
	}
}
