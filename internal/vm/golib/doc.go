// Package golib contains the models: replacements, written in Go, for the parts of the
// standard library that the machine cannot run from GOROOT's source, because they have no
// Go body or reach below Go (runtime, sync, time, os, the core of reflect, testing and
// others).
//
// The model of a package is in the directory _src/<import path>. Its Go files are added
// to the package's own directory, in memory only. Of the original files, only those are
// kept that the file KEEP in the model's directory lists, one name per line; '#' begins a
// comment. In KEEP, "*" stands for all files, and "-name" excludes a file. Without KEEP no
// original file is kept. Test files are always kept unless they are listed with "-". A
// model may have test files of its own, which give the package's tests access to what
// they need of the model. A function or method that the model declares replaces the one
// in an original file. A function that the model declares without a body is a primitive:
// the packages below internal/vm/prim implement it under its full name.
//
// [Overlay] makes the files that package load passes to the go command and the type
// checker. Nothing on disk changes.
package golib
