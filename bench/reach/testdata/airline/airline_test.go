// Package airline is the benchmark of that name: tickets are issued to sellers, one each, until somebody notices that more
// seats are sold than there are. Its name in the benchmark of Eytani, Havelund, Stoller and Ur is airline; the parameters are the
// number of tickets and how many of them are for no seat.
package airline

import "testing"

type flight struct {
	seats int // that there are
	sold  int
	stop  bool
}

func (f *flight) sell() {
	f.sold++
	if f.sold > f.seats {
		f.stop = true
	}
}

func (f *flight) issue(tickets int) {
	for range tickets {
		if f.stop {
			f.sold--
			break
		}
		go f.sell()
	}
	if f.sold > f.seats {
		panic("oversold") // the place to reach
	}
}

func run(tickets, cushion int) {
	f := &flight{seats: tickets - cushion}
	f.issue(tickets)
}

func TestAirline15x3(t *testing.T)  { run(15, 3) }
func TestAirline20x2(t *testing.T)  { run(20, 2) }
func TestAirline20x1(t *testing.T)  { run(20, 1) }
func TestAirline100x1(t *testing.T) { run(100, 1) }
