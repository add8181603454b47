// Yaegi runs a program of one file in the interpreter yaegi.
package main

import (
	"fmt"
	"os"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

func main() {
	i := interp.New(interp.Options{})
	err := i.Use(stdlib.Symbols)
	if err == nil {
		_, err = i.EvalPath(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "yaegi:", err)
		os.Exit(1)
	}
}
