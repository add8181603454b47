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
	for k := range map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true} {
		print(k)
	}
	println()
}
