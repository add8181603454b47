package net

// A monitor is a lock that can be taken on a condition. Its zero value is
// unlocked, and no condition holds.
type monitor struct {
	state int32 // 1 while locked, and the conditions that hold
}

// A condition is a set of bits that say what a goroutine can wait for.
type condition int32

const (
	readable condition = 2 << iota
	writable
	always condition = 0
)

// lockWhen locks a monitor when it is unlocked and some bit of conditions is set,
// or none is asked for.
func lockWhen(state *int32, conditions int32)

// unlock unlocks a monitor in which conditions hold from now on.
func unlock(state *int32, conditions int32)
