// Package console is the command line of the debugger: it reads commands and prints what they show. Commands have
// the names that gdb and delve have for them.
package console
