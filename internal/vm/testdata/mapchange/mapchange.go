// Package mapchange holds loops over maps that change the map while they go on. A seed
// determines how.
package mapchange

// Keys is the number of keys that change.
const Keys = 12

// A Change is what the body of the loop does at one key: it deletes keys, or clears the map,
// and then inserts keys. Keys below zero are none.
type Change struct {
	Delete [2]int
	Clear  bool
	Insert [2]int
}

// Size returns the number of entries that the map of a seed has at the start.
func Size(seed uint64) int { return [...]int{0, 1, 2, 3, 3, 15}[number(seed, 0)%6] }

// At returns what the loop does when it visits a key.
func At(seed uint64, key int) Change {
	n := number(seed, uint64(key)+1)
	maybe := func(at int) int {
		if n>>at&3 > 1 {
			return -1
		}
		return int(n>>(at+2)&0xff) % Keys
	}
	return Change{
		Delete: [2]int{maybe(0), maybe(10)},
		Clear:  n>>50&31 == 0,
		Insert: [2]int{maybe(20), maybe(30)},
	}
}

// Run iterates over the map of a seed. Each key is visited with visit. Large maps get new
// tables: if grow is set, each insertion is followed by that of many keys which are deleted
// again.
func Run(seed uint64, grow bool, visit func(key int)) {
	m := make(map[int]bool)
	for i := range Size(seed) {
		m[i] = true
	}
	for k := range m {
		visit(k)
		c := At(seed, k)
		for _, d := range c.Delete {
			delete(m, d)
		}
		if c.Clear {
			clear(m)
		}
		for _, i := range c.Insert {
			if i < 0 {
				continue
			}
			m[i] = true
			if grow {
				for extra := range 40 {
					m[1000+extra] = true
				}
				for extra := range 40 {
					delete(m, 1000+extra)
				}
			}
		}
	}
}

// number returns a number that looks random (splitmix64).
func number(seed, i uint64) uint64 {
	z := seed*0x9e3779b97f4a7c15 + (i+1)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
