package hyperconcolic

// A pool lends items their memory, and takes it back when they have been explored: a
// search that goes depth first then allocates next to nothing.
type pool struct {
	items []*item
	runs  []*runMoves
}

// runMoves are the moves of a run, with which the items that it leads to begin.
type runMoves struct {
	list []move
	// from is the run that led to this one, nil for none. They have at least the first
	// common moves in common.
	from   *runMoves
	common int
	users  int // items that have not been explored, and runs that are from this one
}

// common returns a number of moves that a run has in common with an item: it knows of
// those that they both have from the same run. The run's moves are r, or it is that
// of the item was and led to nothing.
func (it *item) common(r *runMoves, was *item) int {
	n := 0
	if r != nil {
		n = len(r.list)
	} else {
		r, n = was.run, len(was.head)
	}
	for ; r != nil; r = r.from {
		if r == it.run {
			return min(n, len(it.head))
		}
		n = min(n, r.common)
	}
	return 0
}

// item returns an empty item.
func (p *pool) item() *item {
	n := len(p.items)
	if n == 0 {
		return &item{}
	}
	it := p.items[n-1]
	p.items = p.items[:n-1]
	return it
}

// moves returns a copy of the moves of the run of an item.
func (p *pool) moves(of []move, it *item) *runMoves {
	n := len(p.runs)
	if n == 0 {
		p.runs = append(p.runs, &runMoves{})
		n = 1
	}
	r := p.runs[n-1]
	p.runs = p.runs[:n-1]
	r.list = append(r.list[:0], of...)
	if r.from, r.common = it.run, min(len(it.head), len(of)); r.from != nil {
		r.from.users++
	}
	return r
}

// release takes back the memory of an item that nobody refers to any more.
func (p *pool) release(it *item) {
	for r := it.run; r != nil; r = r.from {
		if r.users--; r.users > 0 {
			break
		}
		p.runs = append(p.runs, r)
	}
	clear(it.flips)
	*it = item{tail: it.tail[:0], edges: it.edges[:0], flips: it.flips[:0]}
	p.items = append(p.items, it)
}
