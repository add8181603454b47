package integrate

import (
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// A build makes a path of an input and of conditions as text: "a = b" says where a pointer leads
// that was used, "a == b", "a != b" and "a < b" are conditions on inputs or numbers.
func build(a *expr.Arena, input run.Input, pointers string, conditions ...string) *Path {
	p := &Path{Input: input, Pointers: map[string]bool{}}
	for _, name := range strings.Fields(pointers) {
		p.Pointers[name] = true
	}
	for _, text := range conditions {
		part := strings.Fields(text)
		operand := func(s string) expr.ID {
			if s[0] >= '0' && s[0] <= '9' {
				return a.Const(uint64(s[0]-'0'), 64)
			}
			return a.Var(s, 64)
		}
		x, y := operand(part[0]), operand(part[2])
		c := Condition{Holds: a.Eq(x, y), Chosen: part[1] == "="}
		switch part[1] {
		case "!=":
			c.Holds = a.Ne(x, y)
		case "<":
			c.Holds = a.Ult(x, y)
		}
		p.Conditions = append(p.Conditions, c)
	}
	return p
}

// TestCombine combines what two paths want of a list, or of a tree. In the inputs l leads to object 1.
func TestCombine(t *testing.T) {
	const list, tree = "l &1.next &2.next &3.next", "t &1.left &1.right &2.left &2.right"
	for _, test := range []struct {
		name    string
		a, b    func(*expr.Arena) *Path
		meeting [2]int32
		want    run.Input // nil for none
		why     string
	}{
		{
			name: "one path goes left and one right",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"t": 1, "&1.left": 2, "&1.right": 0, "&2.left": 0, "&2.right": 0, "&2.n": 3}, tree,
					"t != 0", "t = 1", "&1.left != 0", "&1.left = 2", "&2.n == 3")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"t": 1, "&1.left": 0, "&1.right": 2, "&2.left": 0, "&2.right": 0, "&2.n": 5}, tree,
					"t != 0", "t = 1", "&1.right != 0", "&1.right = 2", "&2.n == 5")
			},
			want: run.Input{"t": 1, "&1.left": 2, "&1.right": 3, "&2.n": 3, "&3.n": 5},
		}, {
			name: "nil and not nil",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 0}, list, "l != 0", "l = 1", "&1.next == 0")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 2, "&2.next": 0}, list, "l != 0", "l = 1", "&1.next != 0", "&1.next = 2")
			},
			why: "next has to be nil and not nil",
		}, {
			name: "nil, which was not asked",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 0, "&1.n": 1}, list, "l != 0", "l = 1", "&1.n == 1")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 2, "&2.next": 0, "&1.n": 0, "&2.n": 4}, list, "l != 0", "l = 1", "&1.next != 0", "&1.next = 2", "&2.n == 4")
			},
			want: run.Input{"l": 1, "&1.next": 2, "&2.next": 0, "&1.n": 1, "&2.n": 4},
		}, {
			name: "numbers that contradict each other",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.n": 1}, list, "l != 0", "l = 1", "&1.n == 1")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.n": 2}, list, "l != 0", "l = 1", "&1.n == 2")
			},
			why: "the conditions of the paths contradict each other",
		}, {
			name: "two objects of a path are one of the other, which has a cycle",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 1, "&1.n": 1}, list, "l = 1", "&1.next == l", "&1.next = 1")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 2, "&2.next": 0, "&1.n": 7, "&2.n": 6}, list, "l = 1", "&1.next != 0", "&1.next = 2", "&2.n == 6")
			},
			want: run.Input{"l": 1, "&1.next": 1, "&1.n": 6},
		}, {
			name: "two objects of a path that must not be one",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 1}, list, "l = 1", "&1.next == l", "&1.next = 1")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"l": 1, "&1.next": 2, "&2.next": 0}, list, "l = 1", "&1.next != l", "&1.next = 2")
			},
			why: "the paths want pointers to be equal and not equal",
		}, {
			name: "two chains that are to end in the same object",
			a: func(a *expr.Arena) *Path {
				return build(a, run.Input{"t": 1, "&1.left": 2, "&1.right": 0, "&2.n": 3}, tree, "t = 1", "&1.left != 0", "&1.left = 2", "&2.n < 9")
			},
			b: func(a *expr.Arena) *Path {
				return build(a, run.Input{"t": 1, "&1.left": 0, "&1.right": 2, "&2.n": 5}, tree, "t = 1", "&1.right != 0", "&1.right = 2", "&2.n == 5")
			},
			meeting: [2]int32{2, 2},
			want:    run.Input{"t": 1, "&1.left": 2, "&1.right": 2, "&2.n": 5},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := expr.NewArena()
			c := New(a, solve.New(a, solve.Options{Stats: new(solve.Stats)}), [2]*Path{test.a(a), test.b(a)}, test.meeting)
			shape, err := c.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if test.want == nil {
				if shape != nil || c.Why != test.why {
					t.Errorf("%v, %q, want none because %q", shape, c.Why, test.why)
				}
				return
			}
			if shape == nil {
				t.Fatalf("no shape: %s", c.Why)
			}
			for name, value := range test.want {
				if shape.Input[name] != value {
					t.Errorf("%s is %d, want %d, in %v", name, shape.Input[name], value, shape.Input)
				}
			}
		})
	}
}

// TestHash compares paths that differ in the numbers of objects, and in something else.
func TestHash(t *testing.T) {
	a := expr.NewArena()
	of := func(first, second string, n string) uint64 {
		input := run.Input{"l": uint64(first[0] - '0'), "&" + first + ".next": uint64(second[0] - '0')}
		return Hash(a, build(a, input, "l &1.next &2.next &3.next", "l = "+first, "&"+first+".next = "+second, "&"+second+".n == "+n))
	}
	if of("1", "2", "5") != of("2", "3", "5") || of("1", "2", "5") != of("3", "1", "5") {
		t.Error("paths that differ in the numbers of objects only have different hashes")
	}
	if of("1", "2", "5") == of("1", "2", "6") || of("1", "2", "5") == of("1", "1", "5") {
		t.Error("paths that want something else have the same hash")
	}
}
