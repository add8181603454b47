// Lu is the program of that name of SPLASH-2: goroutines factor a matrix into a lower and an upper triangular one, in
// blocks that each have an owner, with barriers between the steps.
//
//	lu blocks=8 block=16    # how many blocks are in a row, and the size of one
package main

import (
	"fmt"

	_ "github.com/everyway-go/everyway/bench/cover/testdata/arguments"
	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/lu"
	"github.com/everyway-go/everyway/sym"
)

func main() {
	blocks, block := sym.Range("blocks", 1, 16), sym.Range("block", 1, 64)
	n := blocks * block
	a := matrix(n)
	rows := 1
	for rows*rows*2 <= workers {
		rows *= 2
	}
	lu.Factor(a, n, block, rows, workers/rows)
	sum := 0
	for i, row := range a {
		for j, v := range row {
			sum = (sum*31 + v*(i+1) + j) % 1000003
		}
	}
	fmt.Printf("checksum %d\n", sum)
}

// matrix returns one that has factors: it is the product of a lower and an upper triangular matrix with small numbers.
func matrix(n int) [][]int {
	a := make([][]int, n)
	for i := range a {
		a[i] = make([]int, n)
		for j := range a[i] {
			// Both have 1 on the diagonal, and a band of 2 beside it.
			for k := max(0, max(i, j)-1); k <= min(i, j); k++ {
				l, u := 2, 2
				if i == k {
					l = 1
				}
				if j == k {
					u = 1
				}
				a[i][j] = (a[i][j] + l*u) % lu.Prime
			}
		}
	}
	return a
}
