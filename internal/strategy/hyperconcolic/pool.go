package hyperconcolic

// A pool lends items their memory, and takes it back when they have been explored: a
// search that goes depth first then allocates next to nothing.
type pool struct {
	items []*item
	runs  []*runMoves
}

// runMoves are the moves of a run, with which the items that it leads to begin.
type runMoves struct {
	list  []move
	items int // that begin with some of them and have not been explored
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

// moves returns a copy of a run's moves.
func (p *pool) moves(of []move) *runMoves {
	n := len(p.runs)
	if n == 0 {
		p.runs = append(p.runs, &runMoves{})
		n = 1
	}
	r := p.runs[n-1]
	p.runs = p.runs[:n-1]
	r.list = append(r.list[:0], of...)
	return r
}

// release takes back the memory of an item that nobody refers to any more.
func (p *pool) release(it *item) {
	if r := it.run; r != nil {
		if r.items--; r.items == 0 {
			p.runs = append(p.runs, r)
		}
	}
	clear(it.flips)
	*it = item{tail: it.tail[:0], edges: it.edges[:0], flips: it.flips[:0]}
	p.items = append(p.items, it)
}
