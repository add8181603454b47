// Command library_native calls the functions of the standard library that run natively,
// with arguments for which they do and for which they do not.
package main

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

func main() {
	words()
	for _, n := range []int64{0, 1, -1, 9, 10, 99, 100, -100, math.MaxInt64, math.MinInt64} {
		fmt.Println(strconv.Itoa(int(n)))
		for _, base := range []int{2, 10, 36, 37} {
			fmt.Println(attempt(func() string { return strconv.FormatInt(n, base) }))
			fmt.Println(attempt(func() string { return strconv.FormatUint(uint64(n), base) }))
		}
	}
	for _, s := range []string{"", "0", "-0", "+7", "12", "-128", "300", "0x1f", "0b11", "1_000", "x", "z", "9223372036854775808", "18446744073709551616"} {
		fmt.Println(strconv.Atoi(s))
		for _, base := range []int{0, 10, 36, 99} {
			for _, bits := range []int{0, 8, 64, 65} {
				fmt.Println(strconv.ParseInt(s, base, bits))
				fmt.Println(strconv.ParseUint(s, base, bits))
			}
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 0.1, -2.5, 1e21, 1e-7, 123456789, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
		for _, format := range []byte("bcefgGxX") {
			for _, precision := range []int{-1, 0, 3} {
				for _, bits := range []int{32, 64} {
					fmt.Println(strconv.FormatFloat(f, format, precision, bits))
				}
			}
		}
		fmt.Println(attempt(func() string { return strconv.FormatFloat(f, 'g', -1, 16) }))
	}
	for _, s := range []string{"", "0", "-0", "1.5", "1e400", "-1e400", "1e-400", "0x1p-2", "inf", "nan", "1_0", "1.0000000000000002", "3.4e38", "3.5e38", "x"} {
		for _, bits := range []int{32, 64} {
			f, err := strconv.ParseFloat(s, bits)
			fmt.Println(f, err)
			if f == f { // the bits of a NaN are not specified
				fmt.Println(math.Float64bits(f))
			}
		}
	}
	for _, s := range []string{"", "abc", "ABC", "Value 7!", "straße", "ǅ", "İI", "a\xffb", "Ünïcode", "K"} {
		fmt.Printf("%q %q\n", strings.ToUpper(s), strings.ToLower(s))
		for _, t := range []string{"", "ab", "aBc", "C", "!", "STRASSE", "k", "Ü"} {
			fmt.Print(strings.HasPrefix(s, t), strings.HasSuffix(s, t), strings.EqualFold(s, t), strings.Index(s, t), " ")
		}
		fmt.Println()
	}
	floats := []float64{0, math.Copysign(0, -1), 1.5, -7, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, x := range floats {
		frac, exp := math.Frexp(x)
		fmt.Println(frac, exp, math.Ldexp(x, 3), math.Ldexp(x, -1070))
		for _, y := range floats {
			fmt.Println(math.Max(x, y), math.Min(x, y), math.Mod(x, y), math.Remainder(x, y))
		}
	}
}

// words prints sums, differences and products of words.
func words() {
	values := []uint64{0, 1, 2, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64}
	for _, x := range values {
		for _, y := range values {
			for carry := range uint64(2) {
				fmt.Println(bits.Add64(x, y, carry))
				fmt.Println(bits.Sub64(x, y, carry))
				fmt.Println(bits.Add(uint(x), uint(y), uint(carry)))
				fmt.Println(bits.Sub(uint(x), uint(y), uint(carry)))
			}
			fmt.Println(bits.Mul64(x, y))
			fmt.Println(bits.Mul(uint(x), uint(y)))
		}
	}
}

// attempt returns what f returns or panics with.
func attempt(f func() string) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic: ", r)
		}
	}()
	return f()
}
