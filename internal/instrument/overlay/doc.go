// Package overlay has the go command build a program from other sources than those on disk, which stay as they are.
//
// Files of the main module and of the standard library reach the go command through an overlay.
// Overlays do not reach the module cache: of other modules there are whole copies, which a go.mod
// file of its own names.
package overlay
