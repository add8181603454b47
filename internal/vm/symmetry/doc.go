// Package symmetry finds symmetric goroutines.
//
// Two goroutines are symmetric if one could have been started in the place of the other:
//
//   - the same goroutine starts both, one after the other, by the same go statement;
//   - they call the same function with the same arguments;
//   - happens-before orders the same before both of them; and
//   - in between, the goroutine that starts them accesses nothing that others could race with,
//     except that it adds to wait groups.
//
// The machine finds that out for each goroutine and the one that was started before it, in
// [run.Trace.Symmetric], if the plan asks for it.
//
// Arguments are the same if their words are, and closures if they are of the same function and
// what they capture is the same. Programs capture the addresses of variables. If a variable is
// only set before it is captured, and never changed after, it is the value that counts.
package symmetry
