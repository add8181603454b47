// Signals can be asked for; none is ever delivered.
package main

import (
	"os"
	"os/signal"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	select {
	case <-c:
		panic("a signal")
	default:
	}
	signal.Stop(c)
}
