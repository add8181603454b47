// Package merge has functions with small branches on inputs. Their comments have the
// outcomes, and the numbers of paths: as they are, and with both sides of small
// branches merged.
package merge

// input draws an input variable; text a string of that many symbolic bytes.
func input(name string) int
func text(name string, n int) string

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// want: three
// want: other
// paths: 81 2
func digits() {
	n, s := 0, text("s", 4)
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	if n == 3 {
		print("three")
	} else {
		print("other")
	}
}

// want: invalid
// want: found
// want: other
// paths: 29 4
func hexNumber() {
	n, s := 0, text("s", 2)
	for i := range len(s) {
		d := hexDigit(s[i])
		if d < 0 {
			print("invalid")
			return
		}
		n = 16*n + d
	}
	if n == 0xbe {
		print("found")
	} else {
		print("other")
	}
}

// What is chosen becomes a length: the branches are there again.
//
// want: 0
// want: 1
// want: 2
// want: 3
// paths: 8 8
func length() {
	n, s := 0, text("s", 3)
	for i := range len(s) {
		if s[i] == '.' {
			n++
		}
	}
	print(len(make([]int, n)))
}

// want: sorted
// paths: 6 1
func exchange() {
	a, b, c := int8(input("a")), int8(input("b")), int8(input("c"))
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	if a <= b && b <= c {
		print("sorted")
	} else {
		print("not sorted")
	}
}

// Strings and pointers are not chosen between.
//
// want: less
// want: more
// paths: 2 2
func words() {
	s := "less"
	if input("x") > 5 {
		s = "more"
	}
	print(s)
}

// A shift by a negative count fails, where one would not have been shifted.
//
// want: 0
// want: 8
// want: panic: panic: runtime error: negative shift amount
// paths: 3 3
func shifts() {
	x, y := input("x"), 0
	if x > 3 {
		y = 1 << (5 - x)
	}
	if y == 8 || y == 0 {
		print(y)
	} else {
		print(8)
	}
}

// want: 1
// want: 2
// paths: 3 2
func both() {
	x := input("x")
	positive, small := x > 0, false
	if positive {
		small = x < 10
	}
	if !small {
		print(1)
	} else {
		print(2)
	}
}

// A value goes through memory and to another goroutine.
//
// want: far
// want: near
// paths: 4 2
func distance() {
	x := input("x")
	c := make(chan struct{ d int }, 1)
	go func() {
		d := x - 7
		if d < 0 {
			d = -d
		}
		c <- struct{ d int }{d}
	}()
	if v := <-c; v.d > 100 {
		print("far")
	} else {
		print("near")
	}
}

// want: 0
// want: 1
// paths: 6 2
func floats() {
	f := float64(int8(input("x"))) / 4
	if f < 0 {
		f = -f
	}
	n := 0
	if f > 2.5 {
		n = 2
	} else if f > 1 {
		n = 1
	}
	if n == 1 {
		print(1)
	} else {
		print(0)
	}
}

// Which condition matters follows from the others: each class of inputs has one path.
//
// want: 1
// want: 2
// want: 3
// want: 4
// paths: 5 4
func decided() {
	x, y, n := input("x"), input("y"), 2
	if x > 7 {
		n = 4
	}
	if y > 0 {
		if n--; x > 9 {
			n = 3
		}
	}
	print(len(make([]int, n)))
}

// So does whether any other value does.
//
// want: 0
// want: 1
// want: 2
// want: 3
// want: 5
// paths: 5 5
func tied() {
	x, y, n := input("x"), input("y"), 5
	if x > 7 {
		n = y & 3
	}
	print(len(make([]int, n)))
}
