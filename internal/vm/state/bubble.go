package state

import "github.com/everyway-go/everyway/internal/vm/heap"

// The words of a bubble of testing/synctest, which is a struct of package internal/synctest.
// In transitions, its object stands for the bubble.
const (
	BubbleNow     = iota // the bubble's time, ns since ClockStart
	BubbleWaiting        // 1 while a goroutine is in Wait
	BubbleDone           // 1 when the goroutine that runs Run's function has ended
)

// BubbleTime returns the time in the bubble b.
func BubbleTime(b *heap.Object) int64 { return int64(b.Cells[BubbleNow].N) }
