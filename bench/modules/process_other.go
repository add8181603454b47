//go:build !unix

package main

import "os"

// interrupt ends a process.
func interrupt(p *os.Process) error { return p.Kill() }
