// Package art is a relay that scales the number of goroutines: each one hands
// the baton on when it is its turn and it was given its key. The last one is
// reached only when every other ran before it in order, so that each further
// goroutine asks for one more interference, and all keys must be right at once.
//
// It has the property of the program art in Farzan, Holzer, Razavi and Veith,
// "Con2colic Testing" (FSE 2013), section 8: one more assertion for each
// further goroutine, reachable only with one more interference.
package art

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Keys are what the runners must be given, in order.
var Keys = [...]byte{0x5a, 0xc3, 0x17, 0x88, 0xe1}

// Relay starts a goroutine for each key and waits for them. It calls report
// when the baton reached the end, which was thought to be impossible.
func Relay(report func(error), keys ...byte) {
	var (
		baton atomic.Int32 // how many runners have handed on
		wg    sync.WaitGroup
	)
	for i, key := range keys {
		turn := int32(i)
		wg.Go(func() {
			if key != Keys[turn] {
				return
			}
			if baton.Load() != turn {
				return
			}
			baton.Store(turn + 1)
			if int(turn) == len(keys)-1 {
				report(fmt.Errorf("the baton went through all %d runners, which must not be possible", len(keys)))
			}
		})
	}
	wg.Wait()
}
