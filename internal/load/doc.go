// Package load turns package patterns into SSA: from what `go test` would
// compile to an [ssa.Program] with every dependency from source.
//
// The go command lists the packages (patterns, build tags, go.mod and test
// variants are its business), but for those of GOROOT, which library.go lists
// with the models in the place of the files they replace. Load parses and type-checks
// them in dependency order, in parallel, and creates an SSA package for each. Functions
// are not built: [ssa.Package.Build] is called by whoever first wants one.
//
// A program runs a small part of what it imports. A lazy load leaves the bodies of
// the standard library's functions to [Bodies], which checks and builds one at a time
// (body.go), and drops its variables that nothing mentions (unused.go).
//
// [Load] gives a [Result]; [Result.Targets] lists what can be run in it and
// [Result.Funcs] finds a function or method by name.
package load
