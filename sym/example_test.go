package sym_test

import (
	"fmt"
	"os"

	"github.com/everyway-go/everyway/sym"
)

// Plain go test takes the inputs from the environment, as in
//
//	EVERYWAY_INPUT='amount=-3 len(name)=2 name[0]=104 name[1]=105' go test
//
// What it does not name is zero.
func Example() {
	os.Setenv("EVERYWAY_INPUT", "amount=-3 len(name)=2 name[0]=104 name[1]=105")
	defer os.Unsetenv("EVERYWAY_INPUT")

	fmt.Println(sym.Int("amount"))
	fmt.Println(sym.String("name"))
	fmt.Println(sym.Bool("urgent"))
	// Output:
	// -3
	// hi
	// false
}

// A test tries its operations in every order by choosing the next one.
func ExampleChoice() {
	os.Setenv("EVERYWAY_INPUT", "step0=1 step1=4")
	defer os.Unsetenv("EVERYWAY_INPUT")

	operations := []string{"insert", "delete", "lookup"}
	for i := range 2 {
		next := sym.Choice(fmt.Sprintf("step%d", i), len(operations))
		fmt.Println(operations[next])
	}
	// Output:
	// delete
	// delete
}

// A T stands for the *testing.T of a test.
type T struct{}

func (T) Helper()          {}
func (T) Skip(args ...any) { fmt.Println(args...) }

// A test of withdrawals is not about amounts that the account does not have: they are
// skipped, and a search does not count them as failures.
func ExampleAssume() {
	os.Setenv("EVERYWAY_INPUT", "balance=10 amount=11")
	defer os.Unsetenv("EVERYWAY_INPUT")

	var t T // of func TestWithdraw(t *testing.T)
	balance, amount := sym.Uint8("balance"), sym.Uint8("amount")
	sym.Assume(t, amount <= balance)
	// Output: sym: the assumption does not hold for this input
}

// An amount is at most what the account has: of all numbers, only these are inputs.
func ExampleRange() {
	os.Setenv("EVERYWAY_INPUT", "amount=7 month=14")
	defer os.Unsetenv("EVERYWAY_INPUT")

	fmt.Println(sym.Range("amount", 0, 10))
	fmt.Println(sym.Range("month", 1, 12)) // one that is not in the range stands for one that is
	// Output:
	// 7
	// 2
}

func ExampleOneOf() {
	os.Setenv("EVERYWAY_INPUT", "method=1")
	defer os.Unsetenv("EVERYWAY_INPUT")

	fmt.Println(sym.OneOf("method", "GET", "PUT", "POST"))
	// Output: PUT
}

// Without a list of inputs, a seed gives all that a test draws.
func ExampleString_seed() {
	os.Setenv("EVERYWAY_SEED", "3")
	defer os.Unsetenv("EVERYWAY_SEED")

	fmt.Println(sym.String("name") == sym.String("name"))
	// Output: true
}

// A Stack is a stack of numbers.
type Stack struct{ items []int }

func NewStack(first int) *Stack { return &Stack{items: []int{first}} }

func (s *Stack) Push(v int) { s.items = append(s.items, v) }

func (s *Stack) Drop() {
	if len(s.items) > 0 {
		s.items = s.items[:len(s.items)-1]
	}
}

// A stack on which a test begins is any that a few calls lead to. Methods have the order of their
// names: call 2 is Push.
func ExampleBuilt() {
	os.Setenv("EVERYWAY_INPUT", "s.new.arg1=5 s.call1=2 s.call1.arg1=6 s.call2=2 s.call2.arg1=7 s.call3=1")
	defer os.Unsetenv("EVERYWAY_INPUT")

	s := sym.Built[*Stack]("s", sym.From(NewStack), sym.Calls(3))
	fmt.Println(s.items)
	// Output: [5 6]
}

// A Chain is an element of a list.
type Chain struct {
	next *Chain
	name string
}

// A test that has built a ring of two opens it: here the first one has become a ring of its own.
func ExampleOpen() {
	os.Setenv("EVERYWAY_INPUT", "ring=1 &1.next=1 &2.next=1")
	defer os.Unsetenv("EVERYWAY_INPUT")

	a, b := &Chain{name: "a"}, &Chain{name: "b"}
	a.next, b.next = b, a
	sym.Open("ring", a)
	fmt.Println(a.name, a.next.name, b.next.name)
	// Output: a a a
}

// A Link is an element of a ring.
type Link struct{ next, prev *Link }

// A search that draws a ring builds only those whose links lead back, such as this one.
func ExampleBackLink() {
	os.Setenv("EVERYWAY_INPUT", "l=1 &1.next=2 &1.prev=2 &2.next=1 &2.prev=1")
	defer os.Unsetenv("EVERYWAY_INPUT")

	sym.BackLink[Link]("next", "prev")
	sym.BackLink[Link]("prev", "next")
	l := sym.Any[*Link]("l")
	fmt.Println(l.next.prev == l, l.prev.next == l, l.next == l)
	// Output: true true false
}

// A Pair has pointers to two others.
type Pair struct{ first, second *Pair }

// A structure that nobody has built: both pointers of the first pair lead to the second one, which leads back.
func ExampleAny() {
	os.Setenv("EVERYWAY_INPUT", "p=1 &1.first=2 &1.second=2 &2.first=1")
	defer os.Unsetenv("EVERYWAY_INPUT")

	p := sym.Any[*Pair]("p")
	fmt.Println(p.first == p.second, p.first.first == p, p.first.second)
	// Output: true true <nil>
}

// Bytes are given by their number and each of them, as a string is.
func ExampleBytes() {
	os.Setenv("EVERYWAY_INPUT", "len(name)=2 name[0]=1 name[1]=255")
	defer os.Unsetenv("EVERYWAY_INPUT")

	fmt.Println(sym.Bytes("name"), sym.Bytes("other"))
	// Output: [1 255] []
}

func (T) Error(args ...any) { fmt.Println(args...) }
func (T) Fatal(args ...any) { fmt.Println(args...) }

func ExampleAssert() {
	os.Setenv("EVERYWAY_INPUT", "a=100 b=100")
	defer os.Unsetenv("EVERYWAY_INPUT")

	var t T // of func TestSum(t *testing.T)
	a, b := sym.Int8("a"), sym.Int8("b")
	sum := a + b
	sym.Assert(t, (sum < a) == (b < 0), a, "+", b, "is", sum)
	// Output: 100 + 100 is -56
}

// A search says with which input the second error can be returned.
func ExampleReachable() {
	os.Setenv("EVERYWAY_INPUT", "n=12")
	defer os.Unsetenv("EVERYWAY_INPUT")

	var t T // of func TestLimits(t *testing.T)
	if n := sym.Int("n"); n > 10 && n%3 == 0 {
		sym.Reachable(t, "the second limit")
	}
	// Output: sym: reached the second limit
}

// Without a list of inputs, a seed gives structures that nobody has thought of, and the same ones each time.
func ExampleAny_seed() {
	os.Setenv("EVERYWAY_SEED", "4")
	defer os.Unsetenv("EVERYWAY_SEED")

	size := func(p *Pair) int {
		met := map[*Pair]bool{nil: true}
		for list := []*Pair{p}; len(list) > 0; list = list[1:] {
			if p := list[0]; !met[p] {
				met[p] = true
				list = append(list, p.first, p.second)
			}
		}
		return len(met) - 1
	}
	fmt.Println(size(sym.Any[*Pair]("p")) == size(sym.Any[*Pair]("p")))
	// Output: true
}
