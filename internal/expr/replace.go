package expr

// Replace returns x with parts of it replaced. It asks with once for each expression in x, from the
// outside in: with returns what stands for the expression, or false if that is its operator applied
// to what its operands are replaced by.
func (a *Arena) Replace(x ID, with func(ID) (ID, bool)) ID {
	built := make(map[ID]ID)
	var build func(x ID) ID
	build = func(x ID) ID {
		if y, done := built[x]; done {
			return y
		}
		y, replaced := with(x)
		if !replaced {
			y = x
			if n := a.NumArgs(x); n > 0 {
				args := make([]ID, n)
				for i := range args {
					args[i] = build(a.Arg(x, i))
				}
				y = a.Rebuild(a, x, args)
			}
		}
		built[x] = y
		return y
	}
	return build(x)
}
