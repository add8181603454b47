// Pfscan is a parallel file scanner after pfscan 1.0: one goroutine walks directories and puts names of files into a
// bounded queue; workers take them, and look for a string in the files.
//
//	pfscan pattern file...
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/pfscan"
)

// room is how many files the queue has room for.
const room = 8

// A scanner is the state of the program.
type scanner struct {
	queue   *pfscan.Queue
	pattern []byte

	mu      sync.Mutex // of what follows, and of standard error
	matches int
	files   int // with matches
	failed  int // files that cannot be read
}

func main() {
	if len(os.Args) < 3 || os.Args[1] == "" {
		fmt.Fprintln(os.Stderr, "usage: pfscan pattern file...")
		os.Exit(2)
	}
	s := &scanner{queue: pfscan.NewQueue(room), pattern: []byte(os.Args[1])}
	s.run(os.Args[2:])
	fmt.Printf("%d matches in %d files, %d failed\n", s.matches, s.files, s.failed)
	if s.failed > 0 {
		os.Exit(1)
	}
}

// run scans files and directories.
func (s *scanner) run(names []string) {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(s.work)
	}
	for _, name := range list(names) {
		s.queue.Put(pfscan.File{Name: name})
	}
	s.queue.Close()
	wg.Wait()
}

// list returns the regular files below directories, and whatever else is named.
func list(names []string) []string {
	var files []string
	for _, name := range names {
		// What cannot be walked is a file that cannot be read.
		_ = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Type().IsRegular() {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// work scans files until there are no more.
func (s *scanner) work() {
	for {
		f, ok := s.queue.Get()
		if !ok {
			return
		}
		s.scan(f.Name)
	}
}

// scan counts the matches in a file.
func (s *scanner) scan(name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		s.mu.Lock()
		fmt.Fprintln(os.Stderr, "pfscan:", err)
		s.failed++
		s.mu.Unlock()
		return
	}
	n := bytes.Count(data, s.pattern)
	if n == 0 {
		return
	}
	s.mu.Lock()
	s.matches += n
	s.files++
	s.mu.Unlock()
}
