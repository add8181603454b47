// Package load turns package patterns into SSA: from what `go test` would
// compile to an [ssa.Program] with every dependency from source.
//
// The go command lists the packages (patterns, build tags, go.mod and test
// variants are its business); load parses and type-checks them in dependency
// order, in parallel, with the models of the standard library in the place of
// the files they replace, and creates an SSA package for each. Functions are not
// built: [ssa.Package.Build] is called by whoever first wants one.
//
// [Load] gives a [Result]; [Result.Targets] lists what can be run in it and
// [Result.Funcs] finds a function or method by name.
package load
