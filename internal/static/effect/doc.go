// Package effect says what functions do to memory that goroutines share, together with all that
// they call: which parts of shared objects they read, and which they write. Whoever uses a
// sync.Mutex or another object of package sync writes it.
//
// Two functions of which one may write what the other one uses may notice each other when they run
// at once, and others may not, but for what the standard library does: it is not looked at. So
// effects say what is worth a look, and prove nothing.
package effect
