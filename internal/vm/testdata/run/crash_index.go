package main

func f(s []int, i int) int { return s[i] }

func main() {
	println("start")
	println(f([]int{1, 2, 3}, 5))
}
