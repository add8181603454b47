// Package blocked has goroutines that fail unless another one has locked a lock before them, for ever.
package blocked

import (
	"sync"
	"sync/atomic"
	"testing"
)

func locks(steps int) {
	var mu sync.Mutex
	var n atomic.Int64
	go func() {
		n.Load()
		mu.Lock()
	}()
	go func() {
		for range steps {
			n.Load()
		}
		mu.Lock()
		panic("the lock was free")
	}()
}

func Test14(t *testing.T) { locks(14) }
func Test15(t *testing.T) { locks(15) }
func Test16(t *testing.T) { locks(16) }
func Test17(t *testing.T) { locks(17) }
