//go:build !unix

package main

import "os"

// peak returns 0, since it is not known.
func peak(*os.ProcessState) int64 { return 0 }

// interrupt ends a process.
func interrupt(p *os.Process) error { return p.Kill() }
