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

// In the functions below, the steps after the choice come in one order: goroutines do nothing unless the right number of others
// have passed, and nobody learns anything from the length of a channel. Another goroutine has a step to take all the time,
// so that there is a choice in each state.

// An order says how many goroutines have passed.
type order chan int

func newOrder() order {
	o := make(order, 8)
	go func() {
		var n atomic.Int32
		n.Load()
	}()
	return o
}

// next runs do in a goroutine, which passes then, if n have passed.
func (o order) next(n int, do func()) {
	go func() {
		if len(o) == n {
			do()
			o <- 0
		}
	}()
}

// A store replaces what is known of a variable, and then there is something else to choose.
func replacedInOrder(k int) {
	d := new(int)
	var flag atomic.Int32
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
	})
	o.next(1, func() { flag.Store(1) })
	o.next(2, func() {
		flag.Load()
		_ = *d
	})
}

func replacedInOrderFirst()  { replacedInOrder(choice()) }
func replacedInOrderSecond() { replacedInOrder(1 - choice()) }

// The same, where two have something to do in either order before that.
func replacedInEitherOrder(k int) {
	d := new(int)
	var flag, n atomic.Int32
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		flag.Store(1)
	})
	for range 2 {
		go func() {
			if l := len(o); l == 1 || l == 2 {
				flag.Store(1)
				o <- 0
			}
		}()
	}
	o.next(3, func() {
		flag.Load()
		n.Load()
		_ = *d
	})
}

func replacedInEitherOrderFirst()  { replacedInEitherOrder(choice()) }
func replacedInEitherOrderSecond() { replacedInEitherOrder(1 - choice()) }

// What is known of one element is not known of another.
func elementsInOrder(k int) {
	d := new(int)
	ch := make(chan int, 2)
	o := newOrder()
	o.next(0, func() { ch <- 0 })
	o.next(1, func() {
		if k == 0 {
			*d = 0
		}
		ch <- 0
	})
	o.next(2, func() {
		<-ch
		_ = *d
	})
}

func elementsInOrderFirst()  { elementsInOrder(choice()) }
func elementsInOrderSecond() { elementsInOrder(1 - choice()) }

// Nor is what was known of an element known of the end of the channel.
func endInOrder(k int) {
	d := new(int)
	ch := make(chan int, 1)
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		ch <- 0
	})
	o.next(1, func() { <-ch })
	o.next(2, func() { close(ch) })
	o.next(3, func() {
		<-ch
		_ = *d
	})
}

func endInOrderFirst()  { endInOrder(choice()) }
func endInOrderSecond() { endInOrder(1 - choice()) }

// Readers do not learn of each other.
func readersInOrder(k int) {
	d := new(int)
	var mu sync.RWMutex
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		mu.RLock()
		mu.RUnlock()
	})
	o.next(1, func() {
		mu.RLock()
		mu.RUnlock()
		_ = *d
	})
}

func readersInOrderFirst()  { readersInOrder(choice()) }
func readersInOrderSecond() { readersInOrder(1 - choice()) }

// What a goroutine learns later is not known to those that it has started, or to timers that it has set.
func learnsLater(k int, set func(do, learn func())) {
	d := new(int)
	var n atomic.Int32
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		n.Store(1)
	})
	o.next(1, func() { set(func() { _ = *d }, func() { n.Load() }) })
}

func startedBefore(do, learn func()) {
	go do()
	learn()
}

func timerBefore(do, learn func()) {
	time.AfterFunc(time.Millisecond, do)
	learn()
}

func timersBeforeAndAfter(do, learn func()) {
	time.AfterFunc(time.Millisecond, do)
	learn()
	time.AfterFunc(time.Millisecond, func() {})
}

func sentBefore(do, learn func()) {
	ch := time.After(time.Millisecond)
	go func() {
		<-ch
		do()
	}()
	learn()
}

func startedBeforeFirst()         { learnsLater(choice(), startedBefore) }
func startedBeforeSecond()        { learnsLater(1-choice(), startedBefore) }
func timerBeforeFirst()           { learnsLater(choice(), timerBefore) }
func timerBeforeSecond()          { learnsLater(1-choice(), timerBefore) }
func timersBeforeAndAfterFirst()  { learnsLater(choice(), timersBeforeAndAfter) }
func timersBeforeAndAfterSecond() { learnsLater(1-choice(), timersBeforeAndAfter) }
func sentBeforeFirst()            { learnsLater(choice(), sentBefore) }
func sentBeforeSecond()           { learnsLater(1-choice(), sentBefore) }

// What a goroutine has accessed before it accesses again.
func accessedAgain(k int) {
	d := new(int)
	o := newOrder()
	_ = *d
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
	})
	if len(o) == 1 {
		_ = *d
	}
}

func accessedAgainFirst()  { accessedAgain(choice()) }
func accessedAgainSecond() { accessedAgain(1 - choice()) }

// The last element of a range counts as the first one does.
func lastOfRange(k int) {
	d := new([4]int)
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			d[3] = 0
		}
	})
	o.next(1, func() { clear(d[:]) })
}

func lastOfRangeFirst()  { lastOfRange(choice()) }
func lastOfRangeSecond() { lastOfRange(1 - choice()) }

// What can come only when a goroutine has gone round comes after all states on the way. It can be stopped at one place only.
func goesRound(k int) {
	d := new(int)
	var n atomic.Int32
	ch, quit := make(chan int, 1), make(chan int)
	go func() {
		for {
			select {
			case <-quit:
				_ = *d
				return
			default:
			}
			ch <- 0
			n.Load()
			<-ch
		}
	}()
	go func() {
		if len(ch) == 1 && k == 0 {
			*d = 0
		}
	}()
	quit <- 0
}

func goesRoundFirst()  { goesRound(choice()) }
func goesRoundSecond() { goesRound(1 - choice()) }

// Of a state from which another one is reached that is known already, what comes after that is known.
func joinsAnother(k int) {
	d := new(int)
	var n atomic.Int32
	o := newOrder()
	o.next(0, func() {
		if k == 2 {
			*d = 0
		}
		n.Store(int32(min(k, 1)))
	})
	o.next(1, func() { n.Store(0) })
	o.next(2, func() {
		n.Load()
		_ = *d
	})
}

// oneOfThree returns 0, 1 or 2.
func oneOfThree() int {
	if choice() == 1 {
		return 2
	}
	return choice()
}

func joinsAnotherFirst()  { joinsAnother(oneOfThree()) }
func joinsAnotherSecond() { joinsAnother(2 - oneOfThree()) }

// What a goroutine passes on each time that it goes round takes some rounds to come through.
func passesOnInRounds(k int) {
	d := new(int)
	var a, b, c atomic.Int32
	var stop atomic.Bool
	o := newOrder()
	go func() {
		for !stop.Load() {
			c.Store(b.Load())
			b.Store(a.Load())
			a.Store(0)
		}
	}()
	o.next(0, func() {
		if k == 0 {
			*d = 0
		}
		a.Store(0)
	})
	o.next(1, func() {
		c.Load()
		_ = *d
	})
	stop.Store(true)
}

func passesOnInRoundsFirst()  { passesOnInRounds(choice()) }
func passesOnInRoundsSecond() { passesOnInRounds(1 - choice()) }

// accessInOrder lets one of two functions be called that access something, and then another one that does not know of it.
func accessInOrder(k int, access, then func()) {
	o := newOrder()
	o.next(0, func() {
		if k == 0 {
			access()
		}
	})
	o.next(1, then)
}

// A Wait beside an Add is a misuse, and so is an Add beside a Wait that had to wait.
func addThenWait(k int) {
	var wg sync.WaitGroup
	accessInOrder(k, func() { wg.Add(1); wg.Done() }, wg.Wait)
}

func addThenWaitFirst()  { addThenWait(choice()) }
func addThenWaitSecond() { addThenWait(1 - choice()) }

func waitThenAdd(k int) {
	var wg sync.WaitGroup
	wg.Add(1)
	o := newOrder()
	go func() {
		if k == 0 {
			wg.Wait()
		}
		o <- 0
	}()
	o.next(0, wg.Done)
	o.next(2, func() { wg.Add(1); wg.Done() })
}

func waitThenAddFirst()  { waitThenAdd(choice()) }
func waitThenAddSecond() { waitThenAdd(1 - choice()) }

// Plain accesses race with atomic ones.
func atomicThenPlain(k int) {
	n := new(atomic.Int32)
	accessInOrder(k, func() { n.Store(0) }, func() { m := *n; _ = m })
}

func atomicThenPlainFirst()  { atomicThenPlain(choice()) }
func atomicThenPlainSecond() { atomicThenPlain(1 - choice()) }

func plainThenAtomic(k int) {
	n := new(atomic.Int32)
	accessInOrder(k, func() { m := *n; _ = m }, func() { n.Store(0) })
}

func plainThenAtomicFirst()  { plainThenAtomic(choice()) }
func plainThenAtomicSecond() { plainThenAtomic(1 - choice()) }

// Two goroutines are alike but for which of them has been chosen. It is always the first one that accesses d before that shows.
func alikeInOrder(k int) {
	d := new(int)
	o := newOrder()
	for i := range 2 {
		go func() {
			if i == 0 {
				*d = 0
			}
			chosen := i == k
			o <- 0
			if len(o) == 2 && chosen {
				_ = *d
			}
		}()
	}
}

func alikeInOrderFirst()  { alikeInOrder(choice()) }
func alikeInOrderSecond() { alikeInOrder(1 - choice()) }

// Nor does it show which of two objects remains.
func objectsInOrder(k int) {
	x, y := new(int), new(int)
	p := x
	if k == 0 {
		p = y
	}
	o := newOrder()
	o.next(0, func() { *x = 0 })
	o.next(1, func() { _ = *p })
}

func objectsInOrderFirst()  { objectsInOrder(choice()) }
func objectsInOrderSecond() { objectsInOrder(1 - choice()) }

// What has been made meanwhile is not what was there before.
func childInOrder(k int) {
	d := new(int)
	o := newOrder()
	o.next(0, func() {
		go func() {
			if len(o) == 1 {
				if k == 0 {
					*d = 0
				}
				o <- 0
			}
			new(atomic.Int32).Load()
		}()
	})
	o.next(2, func() { _ = *d })
}

func childInOrderFirst()  { childInOrder(choice()) }
func childInOrderSecond() { childInOrder(1 - choice()) }

// What a goroutine has made last is there already.
func madeLast(k int, set func(o order, p *atomic.Pointer[int])) {
	var p atomic.Pointer[int]
	quit := make(chan int)
	o := newOrder()
	o.next(1, func() {
		if d := p.Load(); k == 0 {
			*d = 0
		}
	})
	o.next(2, func() {
		_ = *p.Load()
		close(quit)
	})
	set(o, &p)
	<-quit
}

func madeBySelf(o order, p *atomic.Pointer[int]) {
	p.Store(new(int))
	o <- 0
}

func madeByChild(o order, p *atomic.Pointer[int]) {
	go madeBySelf(o, p)
}

func madeBySelfFirst()   { madeLast(choice(), madeBySelf) }
func madeBySelfSecond()  { madeLast(1-choice(), madeBySelf) }
func madeByChildFirst()  { madeLast(choice(), madeByChild) }
func madeByChildSecond() { madeLast(1-choice(), madeByChild) }
