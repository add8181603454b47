// Package block marks the blocks of statements of a program, so that it can be told which of them are
// executed.
//
// The blocks are those that go test -cover counts (cmd/cover): a block ends behind a statement that diverts
// control, such as an if statement, and where the body of a loop, a branch or a function literal begins. [Mark]
// puts an assignment to a variable of its own before the statements of each block, in the syntax only: positions
// stay what they are. [Declare] declares these variables. A compiler that finds such an assignment, by [Number],
// knows that whoever executes it executes the block.
package block
