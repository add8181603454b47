package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"

	"github.com/everyway-go/everyway/internal/disk"
)

// A scheduleFile is where a schedule is written.
type scheduleFile struct {
	name   string // as -o gives it, - for the standard output; empty for the file that is the default
	stdout io.Writer
	disks  disk.System
}

// A written is a schedule that has been written.
type written struct {
	file   string // empty for the standard output
	events int64
}

// put writes a schedule to the file or, if it has no name, to another one. The function write
// writes it, and returns the number of events.
func (f scheduleFile) put(other disk.Path, write func(io.Writer) (events int64, err error)) (written, error) {
	var is written
	fill := func(to io.Writer) (err error) {
		is.events, err = write(to)
		return err
	}
	if f.name == "-" {
		buf := bufio.NewWriter(f.stdout)
		if err := fill(buf); err != nil {
			return is, err
		}
		return is, buf.Flush()
	}
	if f.name != "" {
		path, err := filepath.Abs(f.name)
		if err != nil {
			return is, err
		}
		other = disk.Path{Dir: disk.Dir{System: f.disks, Path: filepath.Dir(path)}, Name: filepath.Base(path)}
	}
	if err := other.Write(fill); err != nil {
		return is, fmt.Errorf("writing a schedule: %w", err)
	}
	is.file = other.String()
	return is, nil
}
