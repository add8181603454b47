// Timers, tickers and sleepers on a clock that waits for nobody.
package main

import "time"

func main() {
	start := time.Now()
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	<-tick.C
	select {
	case <-time.After(24 * time.Hour):
	}
	time.Sleep(time.Hour)
	if d := time.Since(start); d < 26*time.Hour {
		panic(d)
	}
}
