// Package racing looks for data races between goroutines that work on objects that are inputs, as
// containers that are searched over all their shapes have them (Sun, Concolic Testing of Programs
// with Concurrent Dynamic Data Structures, Ph.D. thesis, UC Riverside 2023, chapters 4 and 5).
//
// First each goroutine is tried alone, by concolic execution (alone.go): it runs as soon as it has
// been started and until it has ended or waits for others, which come after it. The frontier
// (frontier.go) has the other outcomes of the conditions of such runs: of those of the goroutine
// itself, which lead to its other paths, and of those before it, which lead to other inputs and
// shapes. A path is recorded (path.go) with its conditions and its accesses, each with the locks
// that are held: it is a path in the summary of the goroutine.
//
// Two accesses of paths of different goroutines may race if they are to the same object, one of
// them writes, and no lock is held at both (potential.go). In the same shape that is so if the
// objects are the same; the solver finds an input for both paths. If they are of different shapes,
// package integrate makes one of what both paths want (Algorithm 1), and the structure is repaired,
// by more concolic execution, until the test accepts it (jump.go). In it both goroutines are tried
// alone again.
//
// Then a run is made (meet.go, Algorithm 3): one goroutine comes to its access and is postponed
// there, the other one comes to its own, and both make them. Where locks do not let the one that
// comes first hold what it holds then, an order of the locks of both is computed that does
// (order.go). A race is confirmed if the machine sees it, in that run or another one.
//
// Nothing is proved. The paths are those of goroutines that are not disturbed: a goroutine may take
// others if it is. That finds most races; an exhaustive search finds the rest, and says of a
// potential race whether it is none. The lists and numbers of the search are in [strategy.Alone].
package racing
