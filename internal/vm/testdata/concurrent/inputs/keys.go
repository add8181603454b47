package inputs

// want: none
// want: minute
// want: second
func textKey() {
	m := map[string]string{"s": "second", "mi": "minute"}
	if v, ok := m[text("a", 1)]; ok {
		print(v)
	} else if v, ok := m[text("b", 2)]; ok {
		print(v)
	} else {
		print("none")
	}
}

// want: 0
// want: 1
// want: 2
func keptTextKey() {
	m := map[any]int{7: 3}
	m[text("a", 2)] = 1
	m[struct{ s string }{text("b", 1)}] = 2
	switch {
	case m["go"] == 1:
		print(1)
	case m[struct{ s string }{"x"}] == 2:
		print(2)
	default:
		print(0)
	}
}

// want: 1
// want: 2
func deletedTextKey() {
	m := map[[1]string]bool{{text("a", 1)}: true, {"yy"}: true}
	delete(m, [1]string{"x"})
	print(len(m))
}
