// Package expr builds, simplifies, evaluates and prints symbolic expressions.
//
// An expression is a bit-vector of 1 to 64 bits; a boolean is a bit-vector of
// width 1. Expressions live in an [Arena] and are named by an [ID], a handle
// of four bytes. They are hash-consed: within one arena the same expression
// always has the same ID, so equality is a comparison of integers and shared
// subexpressions are stored, evaluated and solved once.
//
// The machine builds an expression beside each value that depends on an
// input: Var for the input itself, then Add, Ult, Ite and so on as the code
// under test computes. Every constructor simplifies what it builds (the rules
// stand beside the constructors in arith.go, bits.go, shape.go and
// compare.go), so constants fold away and a branch on a concrete value never
// reaches the solver. A branch taken leaves a width 1 expression in the path
// condition; package solve decides conjunctions of those and answers with a
// value for each Var, under which [Arena.Eval] computes any other expression.
//
// Operators mean what they mean in the SMT-LIB theory of fixed-size
// bit-vectors. In particular division is total: see [Op]. Operators that take
// bit-vectors for floats mean what IEEE 754 says, with one NaN: see float.go.
// Memory at an index that depends on an input is an array, from bit-vectors to
// bit-vectors: see array.go.
//
// An arena only grows, until [Arena.Release] cuts it back to an earlier
// [Mark]; what has to outlive that is taken to another arena with
// [Arena.Copy], or to text and back by package smtlib.
//
// Nothing here depends on the order in which unrelated expressions were
// built: operands of commutative operators are ordered by a hash of their
// structure, so two arenas print and solve the same expression alike.
package expr
