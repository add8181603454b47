package main

import (
	"maps"
	"slices"
)

func main() {
	three := map[string]int{"a": 1, "b": 2, "c": 3}
	for k := range three {
		print(k)
	}
	print(" ")
	for _, k := range slices.Collect(maps.Keys(map[string]int{"d": 1, "e": 2})) {
		print(k)
	}
	print(" ")
	many := map[rune]bool{}
	for k := 'A'; k <= 'M'; k++ {
		many[k] = true
	}
	for k := range many {
		print(string(k))
	}
	println()
}
