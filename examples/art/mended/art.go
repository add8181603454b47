// Package art is the relay of the example art, mended: that the baton reached
// the end is an error only when some key was wrong.
package art

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Keys are what the runners must be given, in order.
var Keys = [...]byte{0x5a, 0xc3, 0x17, 0x88, 0xe1}

// Relay starts a goroutine for each key and waits for them. It calls report
// when the baton reached the end although a key was wrong.
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
			if int(turn) < len(keys)-1 {
				return
			}
			for j, key := range keys {
				if key != Keys[j] {
					report(fmt.Errorf("the baton went through all %d runners, key %d is wrong", len(keys), j))
				}
			}
		})
	}
	wg.Wait()
}
