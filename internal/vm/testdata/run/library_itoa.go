package main

import (
	"fmt"
	"math"
	"strconv"
)

func main() {
	for _, n := range []int64{0, 1, 9, 10, 11, 99, 100, 101, 12345, 999999999, 1000000000, 1 << 29, math.MaxInt64, math.MinInt64, -1, -10} {
		fmt.Println(strconv.Itoa(int(n)), n, uint64(n))
		for _, b := range []int{2, 3, 8, 16, 36} {
			fmt.Print(strconv.FormatInt(n, b), " ", strconv.FormatUint(uint64(n), b), " ")
		}
		fmt.Printf("%x %X %o %b %+d %08d\n", n, n, n, n, n, n)
		fmt.Println(string(strconv.AppendInt(nil, n, 10)), string(strconv.AppendUint([]byte("a"), uint64(n), 16)), strconv.Quote(string(rune(n))))
	}
	for e := uint64(1); e != 0 && e < 1e19; e *= 10 {
		fmt.Println(e, e-1, e+1)
	}
}
