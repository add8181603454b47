// Package arguments has the inputs of package sym be on the command line of a program that imports it, as in
//
//	lu n=64 block=8
package arguments

import (
	"os"
	"strings"
)

func init() {
	if len(os.Args) > 1 {
		os.Setenv("EVERYWAY_INPUT", strings.Join(os.Args[1:], " "))
	}
}
