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

// fixed returns v, of which this run has only one value from now on if it is a random number
// that has many.
func fixed(v uint64) uint64

// fmtInteger formats an integer. If it is random, it has one value then, rather than a path for
// each number of digits.
func (p *pp) fmtInteger(v uint64, isSigned bool, verb rune) {
	v = fixed(v)
	base, digits := 10, ldigits
	switch verb {
	case 'v':
		if p.fmt.sharpV && !isSigned {
			p.fmt0x64(v, true)
			return
		}
	case 'd':
	case 'b':
		base = 2
	case 'o', 'O':
		base = 8
	case 'x':
		base = 16
	case 'X':
		base, digits = 16, udigits
	case 'c':
		p.fmt.fmtC(v)
		return
	case 'q':
		p.fmt.fmtQc(v)
		return
	case 'U':
		p.fmt.fmtUnicode(v)
		return
	default:
		p.badVerb(verb)
		return
	}
	p.fmt.fmtInteger(v, base, isSigned, verb, digits)
}
