package many

import "sync"

// Functions in which n goroutines wait, each on what its name says, while two others
// exchange values.

func receive100()  { receive(100) }
func receive1000() { receive(1000) }

func receive(n int) {
	c := make(chan int)
	waiting(n, func() { <-c })
}

func send100()  { send(100) }
func send1000() { send(1000) }

func send(n int) {
	c := make(chan int)
	waiting(n, func() { c <- 1 })
}

func sendFull100()  { sendFull(100) }
func sendFull1000() { sendFull(1000) }

func sendFull(n int) {
	c := make(chan int, 1)
	c <- 0
	waiting(n, func() { c <- 1 })
}

func selects100()  { selects(100) }
func selects1000() { selects(1000) }

func selects(n int) {
	c, d := make(chan int), make(chan int)
	waiting(n, func() {
		select {
		case <-c:
		case d <- 1:
		}
	})
}

func lock100()  { lock(100) }
func lock1000() { lock(1000) }

func lock(n int) {
	var mu sync.Mutex
	mu.Lock()
	waiting(n, mu.Lock)
}

func rlock100()  { rlock(100) }
func rlock1000() { rlock(1000) }

func rlock(n int) {
	var mu sync.RWMutex
	mu.Lock()
	waiting(n, mu.RLock)
}

func group100()  { group(100) }
func group1000() { group(1000) }

func group(n int) {
	var wg sync.WaitGroup
	wg.Add(1)
	waiting(n, wg.Wait)
}

func cond100()  { cond(100) }
func cond1000() { cond(1000) }

func cond(n int) {
	waiting(n, func() {
		c := sync.NewCond(&sync.Mutex{})
		c.L.Lock()
		c.Wait()
	})
}

func waiting(n int, wait func()) {
	for range n {
		go wait()
	}
	c := make(chan int)
	go func() {
		for i := range 500 {
			c <- i
		}
	}()
	for range 500 {
		<-c
	}
}
