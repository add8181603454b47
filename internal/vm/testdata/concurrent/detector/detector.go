// Package detector has computations that are made by the only goroutine of a run, where nothing is
// noted of accesses, and after another one was started, where data races are looked for.
package detector

import (
	"encoding/json"
	"slices"
	"strings"
)

// others starts a goroutine, and waits until it has ended.
func others() {
	done := make(chan bool)
	go func() { done <- true }()
	<-done
}

func sumsAlone()  { sums() }
func sumsAmong()  { others(); sums() }
func sortAlone()  { sort() }
func sortAmong()  { others(); sort() }
func wordsAlone() { words() }
func wordsAmong() { others(); words() }
func jsonAlone()  { encode() }
func jsonAmong()  { others(); encode() }

// sums does little but access the elements of a slice.
func sums() {
	a := make([]int, 256)
	for round := range 60 {
		for i := range a {
			a[i] += round
		}
	}
	if a[0] != 59*60/2 {
		panic("wrong sum")
	}
}

// sort sorts numbers.
func sort() {
	for round := range 4 {
		a := make([]int, 200)
		for i := range a {
			a[i] = i * 7919 % (251 + round)
		}
		slices.Sort(a)
		if !slices.IsSorted(a) {
			panic("not sorted")
		}
	}
}

// words counts words in a map.
func words() {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 40)
	count := map[string]int{}
	for _, w := range strings.Fields(text) {
		count[strings.ToUpper(w)]++
	}
	if count["THE"] != 80 {
		panic("wrong count")
	}
}

// encode writes a value as JSON and reads it again.
func encode() {
	type point struct {
		X, Y int
		Name string
	}
	for range 5 {
		text, err := json.Marshal([]point{{1, 2, "a"}, {3, 4, "b"}})
		var back []point
		if err != nil || json.Unmarshal(text, &back) != nil || len(back) != 2 {
			panic("not the same")
		}
	}
}
