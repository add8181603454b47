package main

type stringer struct{ s string }

func (s *stringer) String() string { return "<" + s.s + ">" }

func main() {
	defer func() {
		println(recover().(*stringer).String())
		panic(1.5)
	}()
	panic(&stringer{"text"})
}
