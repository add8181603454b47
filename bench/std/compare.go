package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// A comparison is how the tests of a package fare on both sides.
type comparison struct {
	name    string
	tests   int // that pass or are skipped natively
	same    int
	differ  []difference // that have a reason
	wrong   []difference // that have none
	stale   []string     // tests with a reason that do not differ
	failing []string     // natively
}

// A difference is a test that does not end as natively.
type difference struct {
	test, how, reason string
}

// compare compares the tests of a package.
func compare(name string, native, machine outcomes, reasons *reasons) comparison {
	c := comparison{name: name}
	for _, test := range slices.Sorted(maps.Keys(native.Tests)) {
		n := native.Tests[test]
		if n.Status == fail {
			c.failing = append(c.failing, test)
			continue
		}
		c.tests++
		m, ran := machine.Tests[test]
		reason := reasons.tests[name+"."+test]
		d := difference{test: test, reason: reason}
		switch {
		case m.Status == n.Status:
			c.same++
			if reason != "" {
				c.stale = append(c.stale, test)
			}
			continue
		case !ran && machine.Error != "":
			d.how = machine.Error
		case !ran:
			d.how = "is not there"
		case m.Status == fail:
			d.how = m.Why
		default:
			d.how = fmt.Sprintf("is a %s, natively a %s", m.Status, n.Status)
		}
		if reason != "" {
			c.differ = append(c.differ, d)
		} else {
			c.wrong = append(c.wrong, d)
		}
	}
	return c
}

// print writes what is not as expected, and a line of counts. It returns how much that is.
func (c *comparison) print(w io.Writer) int {
	for _, d := range c.wrong {
		fmt.Fprintf(w, "%s.%s: %s\n", c.name, d.test, d.how)
	}
	for _, test := range c.stale {
		fmt.Fprintf(w, "%s.%s: does not differ, but reasons.txt has a reason\n", c.name, test)
	}
	fmt.Fprintf(w, "%-20s %4d of %4d as natively, %d listed, %d not\n", c.name, c.same, c.tests, len(c.differ), len(c.wrong))
	return len(c.wrong) + len(c.stale)
}
