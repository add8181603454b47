package main

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func main() {
	s := "Hello, 世界!"
	println(len(s), s[7], s[7:10], s[:5]+s[10:])
	for i, c := range s {
		print(i, "=", c, " ")
	}
	println()
	for i, c := range "a\xffb\xe4\xb8" {
		print(i, "=", c, " ")
	}
	println()
	println(reverse(s))
	println("a" < "b", "a" < "A", "abc" < "abcd", "" < "a", "b" > "a", "x" == "x", "x" != "y", s >= s)
	t := ""
	for i := range 5 {
		t += string(rune('a' + i))
	}
	println(t, t == "abcde", len(t))
	b := []byte(t)
	b[0] = 'z'
	println(t, string(b))
	switch t {
	case "x":
		println("x")
	case "abcde":
		println("found")
	}
	var e string
	println(e == "", len(e), e+"x", "x"+e)
	const c = "const" + "ant"
	println(c, c[3:])
	m := map[string]int{"世": 1}
	println(m[s[7:10]])
	println("multi\nline", `raw\n`)
	x := "abc"
	y := x[1:2]
	println(y, x[3:] == "")
}
