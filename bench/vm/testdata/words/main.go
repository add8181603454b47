// Command words counts in maps, by numbers and by words.
package main

const text = "a goroutine is a lightweight thread of execution and a channel is a way for goroutines to talk and to wait for each other "

func main() {
	var list []string
	start := 0
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' {
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	words := make(map[string]int)
	for n := 0; n < 20_000; n++ {
		for _, w := range list {
			words[w]++
		}
	}
	numbers := make(map[int]int)
	x := uint32(1)
	for n := 0; n < 500_000; n++ {
		x = x*1664525 + 1013904223
		numbers[int(x>>20)]++
	}
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	if words["a"] != 4*20_000 || sum != 500_000 {
		panic("wrong count")
	}
}
