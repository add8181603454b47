// Package sym lets a test name inputs of its own, beside the arguments of a fuzz
// callback:
//
//	func TestTransfer(t *testing.T) {
//		amount := sym.Int("amount")
//		sym.Assume(t, amount >= 0)
//		...
//	}
//
// Under everyway the values are inputs of the search: every value that makes a
// difference is tried. Under plain go test they come from the environment
// variable EVERYWAY_INPUT, a list such as
//
//	amount=-3 len(name)=2 name[0]=104 name[1]=105
//
// and are zero, false or empty where it says nothing. An input drawn again under
// the same name has the same value.
package sym
