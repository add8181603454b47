package protection

import (
	"sync"
	"sync/atomic"
	"time"
)

// In the functions below, states differ in who knows of an access to d, and nothing else: what is written is the zero that was
// there. Whether a later access races with it
// depends on what its goroutine has learned, and from whom. Each function is there
// twice, so that either choice comes first in a search.

// A store of an atomic variable says nothing of what the one before it knew. Nobody learns anything from the length of a channel.
func replacedByStore(k int) {
	d := new(int)
	var flag atomic.Int32
	stored := make(chan int, 1)
	go func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
		stored <- 0
	}()
	go func() {
		if len(stored) == 1 {
			flag.Store(2)
		}
	}()
	go func() {
		if flag.Load() == 2 {
			_ = *d
		}
	}()
}

func replacedByStoreFirst()  { replacedByStore(choice()) }
func replacedByStoreSecond() { replacedByStore(1 - choice()) }

// Whoever comes first knows less.
func eitherOrder(k int) {
	d := new(int)
	var n atomic.Int32
	go func() {
		if k == 0 {
			*d = 0
		}
		n.Add(1)
	}()
	go func() {
		n.Load()
		_ = *d
	}()
}

func eitherOrderFirst()  { eitherOrder(choice()) }
func eitherOrderSecond() { eitherOrder(1 - choice()) }

// One who knows of an access reads, and then one who does not, while nobody else can do anything.
func oneAfterTheOther(k int) {
	d := new(int)
	ch := make(chan int)
	go func() {
		if k == 0 {
			*d = 0
		}
		ch <- 0
	}()
	go func() {
		<-ch
		_ = *d
	}()
	go func() {
		time.Sleep(time.Millisecond)
		_ = *d
	}()
}

func oneAfterTheOtherFirst()  { oneAfterTheOther(choice()) }
func oneAfterTheOtherSecond() { oneAfterTheOther(1 - choice()) }

// Whoever adds to an atomic variable says what the others before have known, and knows it.
func passedOn(k int) {
	d := new(int)
	var n atomic.Int32
	for i := range 2 {
		go func() {
			if i == k {
				*d = 0
			}
			n.Add(1)
		}()
	}
	go func() {
		if n.Add(1) == 3 {
			_ = *d
		}
	}()
}

func passedOnFirst()  { passedOn(choice()) }
func passedOnSecond() { passedOn(1 - choice()) }

// An access is known to those who have the lock later.
func afterLock(k int) {
	d := new(int)
	var mu sync.Mutex
	n := 0
	go func() {
		if k == 0 {
			*d = 0
		}
		mu.Lock()
		n++
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		m := n
		mu.Unlock()
		if m == 1 {
			*d = 0
		}
	}()
}

func afterLockFirst()  { afterLock(choice()) }
func afterLockSecond() { afterLock(1 - choice()) }

// An access is known to those who read when whoever made it has written, but not to those who read beside it.
func afterReadLock(k int) {
	d := new(int)
	var mu sync.RWMutex
	var n atomic.Int32
	go func() {
		mu.RLock()
		if k == 0 {
			*d = 0
		}
		mu.RUnlock()
		n.Add(1)
	}()
	go func() {
		if n.Load() == 1 {
			mu.Lock()
			mu.Unlock()
			*d = 0
		}
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		mu.RLock()
		_ = *d
		mu.RUnlock()
	}()
}

func afterReadLockFirst()  { afterReadLock(choice()) }
func afterReadLockSecond() { afterReadLock(1 - choice()) }

// What the sender knows is with the element.
func withElement(k int) {
	d := new(int)
	ch := make(chan int, 2)
	for i := range 2 {
		go func() {
			if i == k {
				*d = 0
			}
			ch <- 0
		}()
	}
	<-ch
	_ = *d
}

func withElementFirst()  { withElement(choice()) }
func withElementSecond() { withElement(1 - choice()) }

// What whoever closes a channel knows is with its end.
func withEnd(k int) {
	d := new(int)
	ch, done := make(chan int), make(chan int, 2)
	go func() {
		if k == 0 {
			*d = 0
		}
		done <- 0
		close(ch)
	}()
	go func() { done <- 0 }()
	<-done
	<-ch
	*d = 0
}

func withEndFirst()  { withEnd(choice()) }
func withEndSecond() { withEnd(1 - choice()) }

// What a goroutine knows that starts another one is known to that.
func startedLater(k int) {
	d := new(int)
	var n atomic.Int32
	go func() {
		if k == 0 {
			*d = 0
		}
		n.Add(1)
	}()
	go func() {
		if n.Load() == 1 {
			go func() { *d = 0 }()
		}
	}()
	go func() {
		n.Store(1)
		go func() { _ = *d }()
	}()
}

func startedLaterFirst()  { startedLater(choice()) }
func startedLaterSecond() { startedLater(1 - choice()) }

// What is known when a timer is set is known when it has fired.
func withTimer(k int) {
	d := new(int)
	done := make(chan int, 2)
	for i := range 2 {
		go func() {
			if i == k {
				*d = 0
			}
			time.AfterFunc(time.Millisecond, func() {
				if i == 0 {
					_ = *d
				}
				done <- 0
			})
		}()
	}
	<-done
	<-done
}

func withTimerFirst()  { withTimer(choice()) }
func withTimerSecond() { withTimer(1 - choice()) }

// Whoever is notified knows what the other one knows.
func notified(k int) {
	d := new(int)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	waiting := make(chan int)
	go func() {
		mu.Lock()
		close(waiting)
		cond.Wait()
		mu.Unlock()
		_ = *d
	}()
	<-waiting
	for i := range 2 {
		go func() {
			if i == k {
				*d = 0
			}
			cond.Signal()
		}()
	}
}

func notifiedFirst()  { notified(choice()) }
func notifiedSecond() { notified(1 - choice()) }

// A Wait knows what those have known who are done.
func afterWait(k int) {
	d := new(int)
	var wg, both sync.WaitGroup
	wg.Add(1)
	both.Add(2)
	for i := range 2 {
		go func() {
			if i == k {
				*d = 0
			}
			if i == 0 {
				wg.Done()
			}
			both.Done()
		}()
	}
	go func() {
		wg.Wait()
		_ = *d
		both.Wait()
		_ = *d
	}()
}

func afterWaitFirst()  { afterWait(choice()) }
func afterWaitSecond() { afterWait(1 - choice()) }

// Nobody needs to have learned anything when a variable is accessed, and each time that goroutines go round they may learn more.
func againAndAgain(k int) {
	d := new(int)
	var a, b atomic.Int32
	var stop atomic.Bool
	go func() {
		if k == 0 {
			*d = 0
		}
		a.Store(1)
	}()
	go func() {
		for !stop.Load() {
			b.Store(a.Load() & 2)
		}
		_ = *d
	}()
	go func() {
		if b.Load() == 0 {
			_ = *d
		}
	}()
	stop.Store(true)
}

func againAndAgainFirst()  { againAndAgain(choice()) }
func againAndAgainSecond() { againAndAgain(1 - choice()) }

// A wait group that is added to while others wait is misused, whoever knows of the first Add.
func addedBesideWait(k int) {
	var wg sync.WaitGroup
	var n atomic.Int32
	go func() {
		if k == 0 {
			wg.Wait()
		}
		n.Add(1)
	}()
	go func() {
		if n.Load() == 1 {
			wg.Add(1)
			wg.Done()
		}
	}()
	go func() {
		n.Store(1)
		wg.Wait()
	}()
}

func addedBesideWaitFirst()  { addedBesideWait(choice()) }
func addedBesideWaitSecond() { addedBesideWait(1 - choice()) }

// A variable of which only some fields are shared is accessed as a whole.
func asAWhole(k int) {
	type pair struct{ a, b int }
	d := &pair{}
	var n atomic.Int32
	go func() {
		if k == 0 {
			d.a = 0
		} else {
			d.b = 0
		}
		n.Store(1)
	}()
	go func() {
		n.Store(1)
		e := *d
		_ = e
	}()
	go func() {
		if n.Load() == 1 {
			_ = d.b
		}
	}()
}

func asAWholeFirst()  { asAWhole(choice()) }
func asAWholeSecond() { asAWhole(1 - choice()) }

// A lock is overwritten after it has been used by somebody.
func lockOverwritten(k int) {
	mu := new(sync.Mutex)
	var n atomic.Int32
	for i := range 2 {
		go func() {
			if i == k {
				mu.Lock()
				mu.Unlock()
			}
			n.Add(1)
		}()
	}
	go func() {
		if n.Load() == 1 {
			*mu = sync.Mutex{}
		}
	}()
}

func lockOverwrittenFirst()  { lockOverwritten(choice()) }
func lockOverwrittenSecond() { lockOverwritten(1 - choice()) }

// One of two goroutines that are alike has accessed what the third one accesses.
func oneOfTwo() {
	d := new(int)
	var n, turn atomic.Int32
	for range 2 {
		go func() {
			if turn.Add(1) == 1 {
				*d = 0
			}
			n.Add(1)
		}()
	}
	go func() {
		if n.Load() == 1 {
			_ = *d
		}
	}()
}
