package sync

// A Pool is a set of items that Get may or may not find again.
type Pool struct {
	noCopy noCopy
	mu     Mutex
	items  []any

	// New makes an item when Get finds none.
	New func() any
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
	p.items = append(p.items, x)
	p.mu.Unlock()
}

// Get takes any item out of the pool, or makes one.
func (p *Pool) Get() any {
	if !trusted() {
		if x := p.take(); x != nil {
			return x
		}
	}
	if p.New == nil {
		return nil
	}
	return p.New()
}

// take removes an item, any one or none: nil.
func (p *Pool) take() any {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.items)
	if n == 0 {
		return nil
	}
	// The first choice is the item put last, the one most often got.
	i := n - 1 - choose(n+1)
	if i < 0 {
		return nil
	}
	x := p.items[i]
	p.items = append(p.items[:i], p.items[i+1:]...)
	return x
}
