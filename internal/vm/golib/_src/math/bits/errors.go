package bits

// A runtimeError is what GOROOT's file takes from package runtime by its linker name.
type runtimeError string

func (e runtimeError) RuntimeError() {}

func (e runtimeError) Error() string { return "runtime error: " + string(e) }

var (
	overflowError error = runtimeError("integer overflow")
	divideError   error = runtimeError("integer divide by zero")
)
