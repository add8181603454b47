// Package golib holds the models: the parts of the standard library that the
// machine does not run from GOROOT's source, because they have no Go body or
// reach below Go (runtime, sync, time, os, reflect's core, testing and others).
//
// The model of a package is the directory _src/<import path>. Its Go files join
// the package's own directory in memory; of the original files, those stay that
// the file KEEP there lists, one name a line ('#' begins a comment), and none
// when there is no such file. In KEEP, "*" stands for all files and "-name" for
// all but that one. Test files stay unless they are listed with "-"; a model may
// have test files of its own, which show the package's tests what they need to see
// of it. A function or method that the model declares replaces the
// one in a file that stays. A function declared without a body is a primitive:
// package vm implements it under its full name.
//
// [Overlay] makes the files that package load hands to the go command and the
// type checker; nothing on disk changes.
package golib
