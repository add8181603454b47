package schedule

import "fmt"

var opNames = [NumOps]string{
	NoOp: "none", Read: "read", Write: "write",
	AtomicRead: "atomic read", AtomicWrite: "atomic write", AtomicUpdate: "atomic update",
	Lock: "lock", Unlock: "unlock", RLock: "read lock", RUnlock: "read unlock", TryFail: "try lock failed", LockIntent: "lock announced",
	Send: "send", Recv: "receive", RecvClosed: "receive from closed", Close: "close",
	SelectDefault: "select default", LenChan: "channel length",
	WaitGroupAdd: "wait group add", WaitGroupWait: "wait group wait",
	CondWait: "cond wait", CondWake: "cond wake", CondSignal: "cond signal",
	SemAcquire: "semaphore acquire", SemRelease: "semaphore release",
	Sleep: "sleep", TimerSet: "timer set", TimerFire: "timer fires",
	BubbleWait: "bubble wait", BubbleIdle: "bubble idle",
	Spawn: "go", Start: "start", End: "end", Branch: "branch", Assume: "assume",
	Choice: "choice", Yield: "yield", Fail: "fail",
}

// String returns the operation's name as reports and run files have it.
func (op Op) String() string {
	if op < NumOps && opNames[op] != "" {
		return opNames[op]
	}
	return fmt.Sprintf("op %d", uint8(op))
}

// MarshalText writes the name.
func (op Op) MarshalText() ([]byte, error) {
	if op >= NumOps {
		return nil, fmt.Errorf("unknown operation %d", uint8(op))
	}
	return []byte(op.String()), nil
}

// UnmarshalText reads the name.
func (op *Op) UnmarshalText(text []byte) error {
	for i, name := range opNames {
		if name == string(text) {
			*op = Op(i)
			return nil
		}
	}
	return fmt.Errorf("unknown operation %q", text)
}
