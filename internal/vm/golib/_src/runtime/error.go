package runtime

// An Error is a panic of the language: an index out of range, a nil
// dereference, a failed type assertion.
type Error interface {
	error

	// RuntimeError only tells an Error from other errors.
	RuntimeError()
}

// The machine makes the panics of the language from the types below, by name
// and field by field.

// An errorString is a runtime error of a fixed text.
type errorString string

func (e errorString) RuntimeError() {}
func (e errorString) Error() string { return "runtime error: " + string(e) }

// A plainError is a runtime error whose text has no prefix.
type plainError string

func (e plainError) RuntimeError() {}
func (e plainError) Error() string { return string(e) }

// A boundsError is an index or slice expression out of range.
type boundsError struct {
	x      int64 // the offending value
	y      int   // what it was compared with
	signed bool  // x is of a signed kind
	code   uint8 // index in boundsFormats
}

// boundsFormats are the messages by code: %x stands for x, %y for y. A negative
// x has negativeFormats instead, since what it was compared with does not matter.
var boundsFormats = [...]string{
	"index out of range [%x] with length %y",
	"slice bounds out of range [:%x] with length %y",
	"slice bounds out of range [:%x] with capacity %y",
	"slice bounds out of range [%x:%y]",
	"slice bounds out of range [::%x] with length %y",
	"slice bounds out of range [::%x] with capacity %y",
	"slice bounds out of range [:%x:%y]",
	"slice bounds out of range [%x:%y:]",
	"cannot convert slice with length %y to array or pointer to array with length %x",
}

var negativeFormats = [...]string{
	"index out of range [%x]",
	"slice bounds out of range [:%x]",
	"slice bounds out of range [:%x]",
	"slice bounds out of range [%x:]",
	"slice bounds out of range [::%x]",
	"slice bounds out of range [::%x]",
	"slice bounds out of range [:%x:]",
	"slice bounds out of range [%x::]",
}

func (e boundsError) RuntimeError() {}

func (e boundsError) Error() string {
	format := boundsFormats[e.code]
	if e.signed && e.x < 0 {
		format = negativeFormats[e.code]
	}
	text := "runtime error: "
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] != '%':
			text += format[i : i+1]
			continue
		case format[i+1] == 'y':
			text += decimal(uint64(e.y))
		case e.signed && e.x < 0:
			text += "-" + decimal(-uint64(e.x))
		default:
			text += decimal(uint64(e.x))
		}
		i++
	}
	return text
}

// decimal returns n in decimal digits.
func decimal(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + string(rune('0'+n%10))
}

// A TypeAssertionError explains a failed type assertion.
type TypeAssertionError struct {
	message string // beginning with "interface conversion: "
}

func (*TypeAssertionError) RuntimeError()   {}
func (e *TypeAssertionError) Error() string { return e.message }

// A PanicNilError is what recover returns after panic(nil).
type PanicNilError struct {
	// Uncomparable, so that nobody relies on its identity.
	_ [0]func()
}

func (*PanicNilError) Error() string {
	return "panic called with nil argument"
}

func (*PanicNilError) RuntimeError() {}
