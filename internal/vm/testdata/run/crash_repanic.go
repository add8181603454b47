package main

type name string

func main() {
	defer func() {
		e := recover()
		println("again")
		panic(e)
	}()
	panic(name("custom"))
}
