// Package run runs an operation on symbolic operands.
package run

import "github.com/everyway-go/everyway/internal/vm/testdata/operations"

func number() int
func input(name string) int
func report(result uint64, ok bool)

func run() {
	result, ok := operations.Run(number(), uint64(input("x")), uint64(input("y")))
	report(result, ok)
}
