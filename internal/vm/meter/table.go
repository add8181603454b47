package meter

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Stack is the number of a call stack.
type Stack int32

// Numbers of no stack of a goroutine.
const (
	None  Stack = iota // it is not known, or there is none
	Timer              // a timer fires, or time passes
	first              // of a goroutine
)

// MaxDepth is the number of frames of a stack that a Table keeps: of deeper ones the innermost, as the Go runtime does.
const MaxDepth = 128

// maxStacks is how many stacks there are at most. After that, new ones consist of their innermost frame alone.
const maxStacks = 1 << 15

// A Table numbers call stacks.
type Table struct {
	stacks  [][]run.SiteID // by number, innermost first
	numbers map[uint64]Stack
	frames  []run.SiteID // of the stack that is being numbered
}

func newTable() Table {
	return Table{stacks: make([][]run.SiteID, first), numbers: map[uint64]Stack{}}
}

// Frames returns the frames of a stack, innermost first. The slice must not be changed.
func (t *Table) Frames(s Stack) []run.SiteID { return t.stacks[s] }

// Push adds the next frame, from the innermost on, to the stack that Number will number. It returns false if no more
// are kept.
func (t *Table) Push(site run.SiteID) bool {
	t.frames = append(t.frames, site)
	return len(t.frames) < MaxDepth
}

// Number returns the number of the stack of the frames that have been pushed since its last call.
func (t *Table) Number() Stack {
	frames := t.frames
	t.frames = t.frames[:0]
	if len(frames) == 0 {
		return None
	}
	n, key := t.find(frames)
	if n == None && len(t.stacks) >= maxStacks {
		frames = frames[:1]
		n, key = t.find(frames)
	}
	if n == None {
		n = Stack(len(t.stacks))
		t.stacks = append(t.stacks, slices.Clone(frames))
		t.numbers[key] = n
	}
	return n
}

// find returns the number of a stack and its key, or None and the key that it can have.
func (t *Table) find(frames []run.SiteID) (Stack, uint64) {
	for key := hash(frames); ; key++ {
		n, ok := t.numbers[key]
		if !ok || slices.Equal(t.stacks[n], frames) {
			return n, key
		}
	}
}

// hash is FNV-1a, a site at a time.
func hash(frames []run.SiteID) uint64 {
	h := uint64(14695981039346656037)
	for _, f := range frames {
		h ^= uint64(uint32(f.Func))<<32 | uint64(uint32(f.Instr))
		h *= 1099511628211
		h ^= h >> 29
	}
	return h
}
