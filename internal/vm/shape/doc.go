// Package shape makes pointers inputs, so that code that works on linked structures is searched
// over structures of every shape.
//
// The objects to which input pointers lead are the symbolic heap of a run; which pointer leads
// where is its shape. A pointer is decided only when the code uses it: it is nil, or leads to an
// object that is known already or to a new one, and a search tries all of these.
//
// # Choices
//
// A pointer that is an input is an input variable, as a number is: its value is 0 for nil, and
// otherwise the code (heap.Word.PointerCode) of the object that it points to. So a shape is a part
// of the input, conditions on pointers are conditions of the path, and whatever handles inputs and
// conditions handles shapes, too: all strategies, the solver, replay, minimisation and run files.
//
// The objects that the input asks for exist from the beginning on, so that each pointer has a
// concrete value beside its symbolic one. A comparison of two pointers, or of one with nil, is a
// condition and chooses nothing. The pointer is chosen when it is used (lazy initialisation;
// Khurshid, Păsăreanu and Visser, TACAS 2003): it points to one of the objects of its type that
// have been chosen, the one that it lies in included, or to the next new one. That is a condition
// of the path as well, of kind run.Concretized, so a search tries all of these. Only then are the
// fields of a new object inputs; those of its fields that are pointers are not chosen until they
// are used.
//
// # One shape has one name
//
// Objects are numbered in the order in which they are chosen, and a pointer can be chosen to point
// to a numbered object or to the one with the next number, but to no other one. So two inputs that
// differ in the names of objects only are never both among the runs of a search: each shape is
// named in one way, as by the restricted growth strings that number set partitions. If an input is
// named in another way, by a mutation of a strategy or in a file that somebody has written, the
// objects get the right numbers while the run goes on, and its trace has these.
//
// The numbers depend on the order in which the code uses the pointers, which may differ from path
// to path. So shapes are counted by another numbering, run.Trace.Shape: that of a breadth-first
// search from the inputs.
//
// The order in which pointers are used must not depend on the schedule, since runs that differ in
// the order of independent steps only are one run for a search. Therefore all pointers that are
// left are chosen when goroutines may begin to use them concurrently: at the first visible
// operation at which another goroutine lives or a timer has been set (see [Heap.Settle]). Up to
// then the order depends on the input alone. A test usually draws a structure, assumes that a
// predicate holds for it, and then starts goroutines: most pointers are chosen before that. The
// others are chosen in the order of the numbers and fields.
//
// # Maps, channels, functions and interfaces
//
// A map, a channel or a function is an object to which a variable leads, as a pointer leads to one.
// What is in a map or in the buffer of a channel is drawn when the object is chosen. A function has
// code of its own, which calls [Call]: that looks for an earlier call with the same arguments, or
// draws the results. The name of a call has its goroutine in it, so that it does not depend on the
// schedule.
//
// The dynamic type of an interface is a number, which is chosen when the type is used. Since the
// words of an interface may have been copied by then, its data exists before, for the type that the
// plan gives; what holds of it is a condition from the choice on.
//
// # Parts of objects
//
// A pointer can also point to a field or an array element of an object; its value is the code of
// the object and the offset of the part, so the same value means the first field. When it is drawn,
// the object may not have been chosen: it is one whose value the plan gives to a pointer drawn
// before, of another type. When such a pointer is used, the path branches on whether it leads into
// an object of one of these, and if so, that one is chosen first. A pointer that was drawn before
// all pointers to the object around its pointee is left out, as a bound says.
//
// # Structures that the program has made
//
// [Heap.OpenObjects] makes the pointers of a structure inputs that exists already. Its objects get
// numbers, too, and are known from then on. But they keep the names by which events, maps and
// addresses know them. So the value of a pointer to one of them is its number, as for any other
// object, and the word in memory is an expression, which has the address in its place.
//
// # Bounds
//
// run.Settings.MaxObjects bounds the objects of each type, and MaxChain the number of pointers that
// lead to an object one after the other. Where a pointer cannot point to a new object because of
// that, the bound is recorded in the trace, so that the verdict names it. A run in which a pointer
// that is known not to be nil would need one ends there, as if the test had skipped itself.
package shape
