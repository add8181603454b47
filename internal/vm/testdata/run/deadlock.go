package main

func main() {
	c := make(chan int)
	println("waiting")
	<-c
}
