package summary

import (
	"fmt"

	"github.com/everyway-go/everyway/internal/code"
)

// Check returns an error if a tree is not well formed as one of f: what takes it relies on that.
func Check(t *Tree, f *code.Func) error {
	c := &checker{tree: t}
	if t.PC < 0 || int(t.PC) >= len(f.Code) {
		return fmt.Errorf("it begins at instruction %d of %d", t.PC, len(f.Code))
	}
	if len(t.Formals) > t.Values {
		return fmt.Errorf("%d registers for %d values", len(t.Formals), t.Values)
	}
	for _, r := range t.Formals {
		if r < 0 || int(r) >= f.Regs {
			return fmt.Errorf("register %d of %d", r, f.Regs)
		}
	}
	defined := make([]bool, t.Values)
	for i := range t.Formals {
		defined[i] = true
	}
	return c.node(t.Root, defined, 0, 1)
}

// A checker checks a tree.
type checker struct{ tree *Tree }

// node checks n, which is reached with values, objects and frames.
func (c *checker) node(n *Node, before []bool, objects, frames int) error {
	if n == nil {
		return nil
	}
	defined := append([]bool(nil), before...)
	for i := range n.Steps {
		s := &n.Steps[i]
		uses, defines := s.values()
		if err := c.used(uses, defined); err != nil {
			return fmt.Errorf("instruction %d: %w", s.PC, err)
		}
		if err := c.exit(s.Exit, defined, frames); err != nil {
			return fmt.Errorf("instruction %d: %w", s.PC, err)
		}
		for _, v := range defines {
			if v < 0 || int(v) >= len(defined) {
				return fmt.Errorf("instruction %d: value %d of %d", s.PC, v, len(defined))
			}
			defined[v] = true
		}
		switch s.Kind {
		case Enter:
			frames++
		case Leave:
			frames--
		case New:
			objects++
		}
		if frames < 1 || frames > c.tree.Frames {
			return fmt.Errorf("instruction %d: %d frames of at most %d", s.PC, frames, c.tree.Frames)
		}
	}
	if n.Exit == nil {
		return fmt.Errorf("the node that ends at instruction %d has no exit", n.PC)
	}
	if err := c.exit(n.Exit, defined, frames); err != nil {
		return err
	}
	want := 0
	switch n.End {
	case Branch, Nil:
		want = 2
	case Shape:
		want = objects + 1
	}
	if len(n.Next) != want {
		return fmt.Errorf("%d nodes follow instruction %d, want %d", len(n.Next), n.PC, want)
	}
	if err := c.used(n.uses(), defined); err != nil {
		return fmt.Errorf("instruction %d: %w", n.PC, err)
	}
	for k, next := range n.Next {
		more := 0
		if n.End == Shape && k == objects {
			more = 1
		}
		if err := c.node(next, defined, objects+more, frames); err != nil {
			return err
		}
	}
	return nil
}

// used checks that values are defined.
func (c *checker) used(values []int32, defined []bool) error {
	for _, v := range values {
		if v < 0 || int(v) >= len(defined) || !defined[v] {
			return fmt.Errorf("value %d is not defined", v)
		}
	}
	return nil
}

// exit checks the values of an exit, and that it has all frames.
func (c *checker) exit(e *Exit, defined []bool, frames int) error {
	if e == nil {
		return nil
	}
	if len(e.Frames) != frames {
		return fmt.Errorf("an exit with %d frames of %d", len(e.Frames), frames)
	}
	return c.used(e.values(), defined)
}
