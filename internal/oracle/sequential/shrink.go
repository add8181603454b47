package sequential

// shrunk returns a smaller program that is different, by leaving statements out. The
// argument of different is a list of programs that compile; it returns the index of one
// that is different, -1 if there is none.
func shrunk(p *Program, different func([]*Program) (int, error)) (*Program, error) {
	c := newCompiler()
	for {
		var candidates []*Program
		for _, body := range smaller(p.body) {
			q := *p
			q.body = body
			if c.check(&q) == nil {
				candidates = append(candidates, &q)
			}
		}
		// A few at a time, those first that leave much out.
		const few = 12
		found := false
		for len(candidates) > 0 && !found {
			n := min(few, len(candidates))
			i, err := different(candidates[:n])
			if err != nil {
				return nil, err
			}
			if found = i >= 0; found {
				p = candidates[i]
			}
			candidates = candidates[n:]
		}
		if !found {
			return p, nil
		}
	}
}

// smaller returns the lists that are made from a list by leaving out a statement, or by
// replacing one by what is in it; at the top first, and then below.
func smaller(list []*stmt) (all [][]*stmt) {
	replaced := func(i int, by ...*stmt) []*stmt {
		out := append([]*stmt(nil), list[:i]...)
		return append(append(out, by...), list[i+1:]...)
	}
	for i := range list {
		all = append(all, replaced(i))
	}
	for i, s := range list {
		for k, b := range s.blocks {
			all = append(all, replaced(i, b.list...))
			if len(s.blocks) > 2 {
				less := *s
				less.blocks = append(append([]block(nil), s.blocks[:k]...), s.blocks[k+1:]...)
				all = append(all, replaced(i, &less))
			}
		}
	}
	for i, s := range list {
		for k, b := range s.blocks {
			for _, inner := range smaller(b.list) {
				less := *s
				less.blocks = append([]block(nil), s.blocks...)
				less.blocks[k].list = inner
				all = append(all, replaced(i, &less))
			}
		}
	}
	return all
}
