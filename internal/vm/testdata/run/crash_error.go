package main

type failure struct{ code int }

func (f failure) Error() string {
	if f.code < 0 {
		return "negative"
	}
	return "failure\nin two lines"
}

func main() {
	defer println("deferred runs")
	defer func() {
		defer func() { panic(failure{2}) }()
		panic("second")
	}()
	panic(failure{-1})
}
