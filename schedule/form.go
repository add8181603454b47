package schedule

// An operand is a part of an event that its encodings have.
type operand uint8

const (
	noOperand operand = iota
	objectOperand
	cellOperand  // object and offset
	newObject    // defined by the event
	childOperand // NoGoroutine possible
	newChild     // started by the event
	valueOperand
	wroteOperand // of the kind of the value before it
	resultOperand
	leftOperand
	rightOperand
	listOperand
	caseOperand
	numberOperand
	countOperand
	truthOperand // Number, as true or false
	kindOperand
	lockOperand
	nameOperand
	casesOperand
)

// A form is how the text names an operation, and its operands, in order.
type form struct {
	name     string
	operands []operand
}

// forms holds the form of each operation. Their place in it is their number in the binary
// encoding, so that new ones come last. NoOp has none.
var forms = [NumOps]form{
	Read:          {"read", []operand{cellOperand, valueOperand, resultOperand}},
	Write:         {"write", []operand{cellOperand, valueOperand, leftOperand}},
	AtomicRead:    {"atomicread", []operand{cellOperand, valueOperand, resultOperand}},
	AtomicWrite:   {"atomicwrite", []operand{cellOperand, valueOperand, leftOperand}},
	AtomicUpdate:  {"atomicupdate", []operand{cellOperand, valueOperand, rightOperand, wroteOperand, leftOperand}},
	Lock:          {"acq", []operand{cellOperand, lockOperand}},
	Unlock:        {"rel", []operand{cellOperand}},
	RLock:         {"racq", []operand{cellOperand}},
	RUnlock:       {"rrel", []operand{cellOperand}},
	TryFail:       {"tryfail", []operand{cellOperand}},
	LockIntent:    {"announce", []operand{cellOperand}},
	Send:          {"send", []operand{objectOperand, valueOperand, leftOperand, caseOperand}},
	Recv:          {"receive", []operand{objectOperand, valueOperand, resultOperand, caseOperand}},
	RecvClosed:    {"receiveclosed", []operand{objectOperand, caseOperand}},
	Close:         {"close", []operand{objectOperand}},
	SelectDefault: {"default", []operand{objectOperand}},
	LenChan:       {"length", []operand{objectOperand, valueOperand, resultOperand}},
	WaitGroupAdd:  {"add", []operand{cellOperand, numberOperand}},
	WaitGroupWait: {"wait", []operand{cellOperand, truthOperand}},
	CondWait:      {"condwait", []operand{cellOperand}},
	CondWake:      {"condwake", []operand{cellOperand}},
	CondSignal:    {"signal", []operand{cellOperand, childOperand}},
	SemAcquire:    {"semacq", []operand{cellOperand}},
	SemRelease:    {"semrel", []operand{cellOperand}},
	Sleep:         {"sleep", []operand{numberOperand}},
	TimerSet:      {"timerset", []operand{objectOperand}},
	TimerFire:     {"fire", []operand{objectOperand, newChild, numberOperand}},
	TimePass:      {"pass", []operand{numberOperand}},
	BubbleWait:    {"bubblewait", []operand{objectOperand}},
	BubbleIdle:    {"bubbleidle", []operand{objectOperand}},
	Spawn:         {"fork", []operand{newChild, nameOperand}},
	Start:         {"begin", nil},
	End:           {"end", nil},
	Branch:        {"branch", []operand{leftOperand, truthOperand}},
	Assume:        {"assume", []operand{leftOperand, truthOperand}},
	Choice:        {"choice", []operand{numberOperand}},
	Yield:         {"yield", nil},
	Collect:       {"collect", nil},
	Fail:          {"fail", []operand{nameOperand}},
	Join:          {"join", []operand{childOperand}},
	Once:          {"once", []operand{cellOperand}},
	OnceSeen:      {"onceseen", []operand{cellOperand}},
	Let:           {"let", []operand{resultOperand, valueOperand}},
	New:           {"new", []operand{newObject, kindOperand, numberOperand, childOperand, countOperand, nameOperand}},
	Symbol:        {"symbol", []operand{resultOperand, valueOperand, nameOperand}},
	Binary:        {"binopr", []operand{nameOperand, leftOperand, rightOperand, resultOperand}},
	Unary:         {"unopr", []operand{nameOperand, leftOperand, resultOperand}},
	Call:          {"call", []operand{nameOperand, listOperand, resultOperand}},
	VoidCall:      {"voidcall", []operand{nameOperand, listOperand}},
	Enter:         {"enter", []operand{nameOperand, listOperand}},
	Exit:          {"exit", []operand{leftOperand}},
	VoidExit:      {"voidexit", nil},
	Pending:       {"pending", []operand{casesOperand}},
}

// Word returns the word for op in the text of a schedule, such as "acq".
func (op Op) Word() string {
	if op >= NumOps {
		return ""
	}
	return forms[op].name
}

// has reports whether the form of op has an operand.
func (op Op) has(o operand) bool {
	for _, p := range forms[op].operands {
		if p == o {
			return true
		}
	}
	return false
}
