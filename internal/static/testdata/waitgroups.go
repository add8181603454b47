// Waitgroups has goroutines that wait groups count for sure where a line says "owed", and perhaps where it says "unknown".
package main

import (
	"sync"
	"time"
)

var use int

func step() { use++ }

type server struct {
	wg    sync.WaitGroup
	other sync.WaitGroup
}

func (s *server) work() {
	defer s.wg.Done()
	step() // owed
}

func (s *server) plain() {
	step() // owed
	s.wg.Done()
	use = 1 // unknown: it is done
}

func each(s *server) {
	for range 3 {
		s.wg.Add(1)
		go s.work()
	}
	s.wg.Add(1)
	go s.plain()
	s.wg.Wait()
}

func counted(names []string) {
	var wg sync.WaitGroup
	wg.Add(len(names))
	for range names {
		go func() {
			defer wg.Done()
			step() // owed
		}()
	}
	wg.Wait()
}

func timer() {
	var wg sync.WaitGroup
	f := func() {
		defer wg.Done()
		step() // unknown: the timer calls it, too
	}
	wg.Add(1)
	go f()
	wg.Add(1)
	time.AfterFunc(1, f)
	wg.Wait()
}

func spare(names []string) {
	var wg sync.WaitGroup
	wg.Add(len(names))
	for i := 0; i < cap(names); i++ {
		go func() {
			defer wg.Done()
			step() // unknown: there may be more than were added
		}()
	}
	wg.Wait()
}

func constant() {
	var wg sync.WaitGroup
	wg.Add(3)
	for i := range 3 {
		go func() {
			defer wg.Done()
			use += i // owed
		}()
	}
	wg.Wait()
}

func classic(n int) {
	var wg sync.WaitGroup
	wg.Add(4)
	for i := 0; i < 4; i++ {
		go func(i int) {
			defer func() { wg.Done() }()
			use += i // owed
		}(i)
	}
	wg.Wait()
}

func passed(wg *sync.WaitGroup) {
	defer wg.Done()
	step() // owed
}

func two() {
	wg := new(sync.WaitGroup)
	wg.Add(2)
	go passed(wg)
	go passed(wg)
	wg.Wait()
}

func inTurn() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		step() // owed
		wg.Done()
	}()
	wg.Add(1)
	go func() {
		defer wg.Done()
		step() // owed
	}()
	wg.Wait()
}

func tooFew() {
	var wg sync.WaitGroup
	wg.Add(1)
	for range 2 {
		go func() {
			defer wg.Done()
			step() // unknown: there are two of them
		}()
	}
	wg.Wait()
}

func tooMany(n int) {
	var wg sync.WaitGroup
	wg.Add(3)
	for i := 0; i < n; i++ {
		go func() {
			defer wg.Done()
			step() // unknown: n may be more
		}()
	}
	wg.Wait()
}

func late() {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1)
		defer wg.Done()
		step() // unknown: it has not been added before
	}()
	wg.Wait()
}

func twice() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		step() // unknown: another one may take it away
		wg.Done()
	}()
	wg.Wait()
}

func others() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		step() // unknown: the Done of others is not paired
	}()
	wg.Done()
	wg.Wait()
}

func again(n int) {
	var wg sync.WaitGroup
	wg.Add(1)
again:
	go func() {
		defer wg.Done()
		step() // unknown: it may be started again
	}()
	if n--; n > 0 {
		goto again
	}
	wg.Wait()
}

func copied() {
	var s, t server
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		step() // unknown: it may have been overwritten
	}()
	s.wg = t.wg
	s.wg.Wait()
}

func mixed(s *server) {
	s.other.Add(1)
	s.wg.Add(1)
	go func() {
		defer s.other.Done()
		step() // owed
	}()
	go s.work()
	s.wg.Wait()
}

func main() {
	timer()
	each(new(server))
	counted([]string{"a", "b"})
	spare(make([]string, 1, 2))
	constant()
	classic(2)
	two()
	inTurn()
	tooFew()
	tooMany(3)
	late()
	twice()
	others()
	again(3)
	copied()
	mixed(new(server))
}
