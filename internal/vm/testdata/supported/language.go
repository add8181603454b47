// Generics, closures, range over functions, defer and recover.
package main

import "iter"

type number interface{ ~int | ~float64 }

func sum[T number](seq iter.Seq[T]) (s T) {
	for v := range seq {
		s += v
	}
	return s
}

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func main() {
	defer func() {
		if r := recover(); r != 45 {
			panic(r)
		}
	}()
	panic(sum(upTo(10)))
}
