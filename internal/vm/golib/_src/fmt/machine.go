package fmt

import "os"

// settled returns args with the numbers and texts in them concrete, as far as no method of
// the program sees them.
func settled(args []any) []any

// countNeeded reports whether the count that Printf, Print or Println returns is needed by its
// caller. It is called by a function that they call.
func countNeeded() bool

// stdout is the machine's output, unless the program sets os.Stdout.
var stdout = os.Stdout

// printed returns args as they are to be printed to the standard output. What
// only the machine sees need not be symbolic: printing a number does not
// multiply the paths to explore. How many bytes are printed does, if the caller
// asks.
func printed(args []any) []any {
	if os.Stdout == stdout && !countNeeded() {
		return settled(args)
	}
	return args
}

// Printf formats its arguments to the standard output.
func Printf(format string, a ...any) (n int, err error) {
	return Fprintf(os.Stdout, format, printed(a)...)
}

// Print prints its arguments to the standard output.
func Print(a ...any) (n int, err error) {
	return Fprint(os.Stdout, printed(a)...)
}

// Println prints its arguments, as a line, to the standard output.
func Println(a ...any) (n int, err error) {
	return Fprintln(os.Stdout, printed(a)...)
}
