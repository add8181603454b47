package sym

import (
	"os"
	"reflect"
	"strconv"
	"strings"
)

// kind is the kind of a scalar. Everyway's machine knows these numbers.
type kind uint8

const (
	kindBool   kind = 1
	kindInt8   kind = 2
	kindInt16  kind = 3
	kindInt32  kind = 4
	kindInt64  kind = 5
	kindUint8  kind = 6
	kindUint16 kind = 7
	kindUint32 kind = 8
	kindUint64 kind = 9

	kindFloat32 kind = 10
	kindFloat64 kind = 11

	kindLength kind = 255 // of a string or slice: only native runs have it
	kindObject kind = 254 // to which a pointer leads, or the type of an interface: likewise
)

// Everyway's machine replaces the seven functions that follow by its own.

// word returns the scalar input of that name; the bits beyond those of its kind
// mean nothing.
func word(name string, k kind) uint64 {
	if v, ok := seeded(name, k); ok {
		return v
	}
	return environment(name)
}

// within returns the input of that name, of a kind of 64 bits, which is at most size above low.
// Others stand for one of these: no value is lost.
func within(name string, k kind, low, size uint64) uint64 {
	above := word(name, k) - low
	if size != 1<<64-1 {
		above %= size + 1
	}
	return low + above
}

// length returns the length of a string or slice, the input of that name.
func length(name string) int { return int(word(name, kindLength)) }

// draw draws a value for the variable that to, a pointer, points to.
func draw(name string, to any) { drawNatively(name, reflect.ValueOf(to).Elem()) }

// open makes the pointers of the structure inputs that x, a pointer, points to.
func open(name string, x any) { openNatively(name, reflect.ValueOf(x)) }

// backLink says that pointers lead back: see [BackLink]. Of is a pointer to what has the field link.
func backLink(of any, link, back string) {}

// assumed is called by Assume: a search looks whether a predicate has changed its argument.
func assumed() {}

// inputVariable is the environment variable with the inputs of a native run.
const inputVariable = "EVERYWAY_INPUT"

// environment returns the value that the environment gives to an input, 0 when
// it gives none. It panics on one that is no number.
func environment(name string) uint64 {
	value, _ := listedInput(name)
	return value
}

// listedInput is environment, but says whether the environment gives the input a value.
func listedInput(name string) (value uint64, ok bool) {
	for field := range strings.FieldsSeq(inputs()) {
		key, value, _ := strings.Cut(field, "=")
		if key != name {
			continue
		}
		if n, err := strconv.ParseInt(value, 0, 64); err == nil {
			return uint64(n), true
		}
		n, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			panic("sym: " + inputVariable + ": input " + name + " is " + strconv.Quote(value) + ", which is no number (inputs are separated by spaces)")
		}
		return n, true
	}
	return 0, false
}

// inputs returns the list of inputs in the environment.
func inputs() string { return os.Getenv(inputVariable) }
