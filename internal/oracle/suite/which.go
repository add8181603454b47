package suite

// Which is the source of a function of generated programs that has two outcomes: what a program
// does depends on it, and nothing else does.
const Which = `// which returns 0 or 1, and leaves nothing behind that says which.
func which() int {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 0
	b <- 1
	select {
	case v := <-a:
		<-b
		return v
	case v := <-b:
		<-a
		return v
	}
}
`
