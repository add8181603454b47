package main

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"time"
	_ "unsafe"
)

//go:linkname absClock time.absClock
func absClock(abs uint64) (hour, min, sec int)

//go:linkname timeAbs time.Time.abs
func timeAbs(t time.Time) uint64

// links calls functions of another package by the symbols that it gives them.
func links() {
	fmt.Println(absClock(timeAbs(time.Date(2006, time.January, 2, 15, 4, 5, 6, time.UTC))))
}

// readings prints which times have a reading of the monotonic clock.
func readings() {
	monotonic := func(t time.Time) bool { return strings.Contains(t.String(), " m=") }
	now := time.Now()
	fmt.Println(monotonic(now), monotonic(now.Round(0)), monotonic(now.Add(1)), monotonic(now.UTC()), now == now.Round(0), now.Equal(now.Round(0)))
	fmt.Println(monotonic(<-time.After(1)), time.Since(now) > 0, time.Until(now.Add(time.Hour)) > time.Minute)
	text, err := now.MarshalText()
	var back time.Time
	fmt.Println(err, back.UnmarshalText(text), back.Equal(now), back == now)
}

// zones prints a time in some places.
func zones() {
	t := time.Date(2020, time.July, 1, 12, 0, 0, 0, time.UTC)
	for _, name := range []string{"Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu", "UTC", "Mars/Olympus"} {
		if l, err := time.LoadLocation(name); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println(t.In(l), t.AddDate(0, 6, 0).In(l))
		}
	}
}

// pulls prints how many goroutines there are for an iterator that is pulled from.
func pulls() {
	start := runtime.NumGoroutine()
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	fmt.Print(runtime.NumGoroutine()-start, " ")
	fmt.Print(next())
	fmt.Print(" ", runtime.NumGoroutine()-start, " ")
	stop()
	fmt.Print(runtime.NumGoroutine()-start, " ")
	fmt.Println(next())
	_, unused := iter.Pull(func(yield func(int) bool) { fmt.Println("not run") })
	unused()
	fmt.Println(runtime.NumGoroutine() - start)
}

func main() {
	links()
	readings()
	zones()
	pulls()
}
