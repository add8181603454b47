package runtime

// A program counter is a number of the machine for a function and an
// instruction; as in gc's runtime, those of callers are return addresses.

// callers fills pcs with the calls on the stack, the one of callers first, skipping that many
// of them, and returns how many there are.
func callers(skip int, pcs []uintptr) int

// position returns the function and the source position of the call that
// returns to pc.
func position(pc uintptr) (function, file string, line int)

// entry returns the first program counter of the function of pc, 0 for none.
func entry(pc uintptr) uintptr

// stackText returns the stack of the calling goroutine as text.
func stackText() string

// allStackTexts returns the stacks of all goroutines as text, that of the calling one
// first, and allStacks as numbers of eight bytes: for each its length and its program
// counters.
func allStackTexts() string
func allStacks() string

// The functions below are on the stacks that callers shows, as in gc's runtime. Nobody
// calls them.

func main()    {} // calls the main function
func goexit()  {} // is where the function of a goroutine returns to
func gopanic() {} // makes the deferred calls of a panic

// Caller returns the position of the caller, skip calls further out.
func Caller(skip int) (pc uintptr, file string, line int, ok bool) {
	var pcs [1]uintptr
	if callers(skip+1, pcs[:]) < 1 {
		return 0, "", 0, false
	}
	_, file, line = position(pcs[0])
	return pcs[0], file, line, true
}

// Callers fills pc with the program counters of the calls on the stack; skip 0
// is Callers itself, 1 its caller.
func Callers(skip int, pc []uintptr) int {
	if len(pc) == 0 {
		return 0
	}
	return callers(skip, pc)
}

// A Frame is a call on a stack.
type Frame struct {
	PC       uintptr
	Func     *Func
	Function string
	File     string
	Line     int
	Entry    uintptr
}

// Frames gives the frames of the program counters that Callers returned.
type Frames struct {
	callers []uintptr
}

// CallersFrames returns the frames of callers.
func CallersFrames(callers []uintptr) *Frames { return &Frames{callers} }

// Next returns the next frame, and whether there are more after it.
func (f *Frames) Next() (frame Frame, more bool) {
	if len(f.callers) == 0 {
		return Frame{}, false
	}
	pc := f.callers[0]
	f.callers = f.callers[1:]
	function, file, line := position(pc)
	// As in gc's runtime, the PC of a frame is inside its call, not after it.
	frame = Frame{PC: pc - 1, Function: function, File: file, Line: line, Entry: entry(pc)}
	if fn := FuncForPC(pc); fn != nil {
		frame.Func = fn
	}
	return frame, len(f.callers) > 0
}

// A Func is a function of the program.
type Func struct {
	name  string
	file  string
	line  int
	entry uintptr
}

// FuncForPC returns the function that has the instruction pc, or nil.
func FuncForPC(pc uintptr) *Func {
	start := entry(pc)
	if start == 0 {
		return nil
	}
	name, file, line := position(start)
	return &Func{name, file, line, start}
}

// Name returns the name of the function.
func (f *Func) Name() string {
	if f == nil {
		return ""
	}
	return f.name
}

// Entry returns the first program counter of the function.
func (f *Func) Entry() uintptr { return f.entry }

// FileLine returns the source position of pc.
func (f *Func) FileLine(pc uintptr) (file string, line int) {
	if pc == f.entry {
		return f.file, f.line
	}
	_, file, line = position(pc)
	return file, line
}

// Stack writes the stack of the calling goroutine or, if all is set, those of all
// goroutines to buf and returns how many bytes that took.
func Stack(buf []byte, all bool) int {
	if len(buf) == 0 {
		return 0
	}
	if all {
		return copy(buf, allStackTexts())
	}
	return copy(buf, stackText())
}

// stackRecords returns the stacks of all goroutines, that of the calling one first.
func stackRecords() [][]uintptr {
	text := allStacks()
	next := func() (n uintptr) {
		for i := 7; i >= 0; i-- {
			n = n<<8 | uintptr(text[i])
		}
		text = text[8:]
		return n
	}
	var records [][]uintptr
	for text != "" {
		pcs := make([]uintptr, next())
		for i := range pcs {
			pcs[i] = next()
		}
		records = append(records, pcs)
	}
	return records
}

// A StackRecord is a stack in a profile.
type StackRecord struct {
	Stack0 [32]uintptr
}

// Stack returns the program counters of the record.
func (r *StackRecord) Stack() []uintptr {
	for i, pc := range r.Stack0 {
		if pc == 0 {
			return r.Stack0[:i]
		}
	}
	return r.Stack0[:]
}
