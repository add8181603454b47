package sync

// A Pool is a set of items that Get may or may not find again.
type Pool struct {
	noCopy noCopy
	mu     Mutex
	store  store

	// New makes an item when Get finds none.
	New func() any
}

// A store holds the items of a pool. The collector knows how it is laid out: a collection
// drops the victims, and makes the items victims.
type store struct {
	items   []any // put since the last collection
	victims []any // put before it
	inUse   bool  // whether the collector knows that there are items
}

// addPool tells the collector that a pool is in use. It does not keep it for longer than one
// collection.
func addPool(s *store)

// use notes that the pool has been used, when that has been done: a collection comes before
// or after it.
func (s *store) use() {
	if !s.inUse {
		s.inUse = true
		addPool(s)
	}
}

// choose returns a number below n: a decision of the run.
func choose(n int) int

// trusted reports whether the caller of the pool's method is the standard
// library. Its own pools always make new items, which is one of the ways they
// may behave, and does not add a decision to every fmt.Println.
func trusted() bool

// Put adds x to the pool.
func (p *Pool) Put(x any) {
	if x == nil || trusted() {
		return
	}
	p.mu.Lock()
	p.store.items = append(p.store.items, x)
	p.store.use()
	p.mu.Unlock()
}

// Get takes any item out of the pool, or makes one.
func (p *Pool) Get() any {
	if !trusted() {
		p.mu.Lock()
		x := p.store.take()
		p.store.use()
		p.mu.Unlock()
		if x != nil {
			return x
		}
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

// take removes an item, any one or none: nil.
func (s *store) take() any {
	n := len(s.victims) + len(s.items)
	if n == 0 {
		return nil
	}
	// The first choice is the item put last, the one most often got.
	i := n - 1 - choose(n+1)
	if i < 0 {
		return nil
	}
	from := &s.victims
	if i >= len(s.victims) {
		from, i = &s.items, i-len(s.victims)
	}
	list := *from
	x := list[i]
	copy(list[i:], list[i+1:])
	list[len(list)-1] = nil // or it would keep the item
	*from = list[:len(list)-1]
	return x
}
