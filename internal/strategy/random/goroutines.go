package random

// A perGoroutine has a value for each goroutine of a run, and one for timers, whose number is -1. Schedulers look at
// all goroutines before each step, and a map takes several times as long for that.
type perGoroutine[T any] []T

// at returns the value of a goroutine, to be read or changed.
func (p *perGoroutine[T]) at(g int32) *T {
	i := int(g) + 1
	if i >= len(*p) {
		*p = append(*p, make([]T, i+1-len(*p))...)
	}
	return &(*p)[i]
}
