package sync

// A Pool is a sync.Pool that drops what it is given, as one may.
type Pool struct {
	New func() any
}

func (p *Pool) Get() any {
	if p.New == nil {
		return nil
	}
	return p.New()
}

func (p *Pool) Put(any) {}
