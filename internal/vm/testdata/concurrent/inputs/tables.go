package inputs

import "sync"

// weekdays is written by an initialiser.
var weekdays = func() *[8]byte {
	t := new([8]byte)
	for i, c := range "smtwtfs?" {
		t[i] = byte(c)
	}
	return t
}()

// want: friday
// want: other
// reads: an element of any index
func tableOfInit() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if weekdays[input("x")&7] == 'f' {
			print("friday")
		} else {
			print("other")
		}
		wg.Done()
	}()
	wg.Wait()
}

// The write may come first or last, but not at the same time.
//
// want: old
// want: new
// want: other
// reads: an element of any index
func tableOfOne() {
	var mu sync.Mutex
	t := []int{10, 20, 30, 40}
	done := make(chan bool)
	go func() {
		mu.Lock()
		t[1] = 21
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	switch t[input("x")&3] {
	case 20:
		print("old")
	case 21:
		print("new")
	default:
		print("other")
	}
	mu.Unlock()
	<-done
}

// A write at the same time that has come already: the element that is read is made concrete.
//
// reads: an element of one index
func tableOfRace() {
	t := []int{10, 20, 30, 40}
	done := make(chan bool)
	go func() {
		if t[input("x")&3] == 40 {
			print(40)
		}
		done <- true
	}()
	t[1] = 21
	<-done
}

// A write at the same time that is still to come.
//
// reads: an element of any index, given up: write to a table that another goroutine reads at an index that depends on the input
func tableOfLaterRace() {
	t := []int{10, 20, 30, 40}
	done := make(chan bool)
	go func() {
		t[1] = 21
		done <- true
	}()
	if t[input("x")&3] == 40 {
		print(40)
	}
	<-done
}
