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
