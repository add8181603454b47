// Package access says which events of a schedule access memory, and which of two conflict.
//
// Two accesses to a cell conflict if one of them writes and they are not both atomic: without an
// order between them they are a data race of the Go memory model.
package access
