package code

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// foldedAppend is the variadic part of append(s, x, y): go/ssa makes an array
// for it, slices it and appends the slice. AppendN takes the elements instead.
type foldedAppend struct {
	elems []ssa.Value
}

// foldAppend recognises in call an append of single elements.
func (c *compiler) foldAppend(call *ssa.Call) {
	builtin, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || builtin.Name() != "append" || len(call.Call.Args) != 2 {
		return
	}
	slice, ok := call.Call.Args[1].(*ssa.Slice)
	if !ok || slice.Block() != call.Block() || len(*slice.Referrers()) != 1 || slice.Low != nil || slice.High != nil || slice.Max != nil {
		return
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok || alloc.Block() != call.Block() || alloc.Comment != "varargs" {
		return
	}
	t := c.p.Type(elem(alloc.Type()))
	if t.Words > maxVariable || t.Len == 0 {
		return
	}
	app := &foldedAppend{elems: make([]ssa.Value, t.Len)}
	var gone []ssa.Value
	for _, ref := range *alloc.Referrers() {
		if ref == slice {
			continue
		}
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok || len(*addr.Referrers()) != 1 {
			return
		}
		i, ok := constElement(addr)
		store, isStore := (*addr.Referrers())[0].(*ssa.Store)
		if !ok || !isStore || store.Addr != addr || store.Block() != call.Block() || app.elems[i] != nil {
			return
		}
		app.elems[i] = store.Val
		gone = append(gone, addr)
	}
	if slices.Contains(app.elems, nil) {
		return
	}
	for _, addr := range gone {
		c.values[addr] = &value{role: dead}
	}
	c.values[alloc] = &value{role: dead}
	c.values[slice] = &value{role: folded}
	c.appends[slice] = app
}

// inFoldedAppend says whether store fills the array of a folded append.
func (c *compiler) inFoldedAppend(store *ssa.Store) bool {
	addr, ok := store.Addr.(*ssa.IndexAddr)
	return ok && c.values[addr] != nil && c.values[addr].role == dead && len(*addr.Referrers()) > 0
}
