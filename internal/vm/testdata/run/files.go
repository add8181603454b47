// Files and pipes, from several goroutines.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "files")
	check(err)
	defer os.RemoveAll(dir)

	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			f, err := os.Create(filepath.Join(dir, fmt.Sprint(i)))
			check(err)
			for k := range 4 {
				fmt.Fprint(f, i, k, ";")
			}
			check(f.Close())
		})
	}
	wg.Wait()
	check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		check(err)
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			fmt.Println(d.Name(), string(b), err)
		}
		return nil
	}))

	name := filepath.Join(dir, "log")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	check(err)
	for range 3 {
		wg.Go(func() { fmt.Fprintln(f, "line") })
	}
	wg.Wait()
	n, err := f.Seek(0, io.SeekStart)
	fmt.Println(n, err)
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		lines++
	}
	check(f.Truncate(2))
	info, err := f.Stat()
	check(err)
	fmt.Println(lines, info.Size(), info.Mode())
	check(os.Chmod(name, 0o640))
	check(os.Rename(name, name+"2"))
	info, err = os.Stat(name + "2")
	fmt.Println(info.Mode(), info.Name(), err)
	_, err = os.Stat(name)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	check(f.Close())
	_, err = f.Write(nil)
	fmt.Println(errors.Is(err, os.ErrClosed))

	r, w, err := os.Pipe()
	check(err)
	wg.Go(func() {
		n, err := w.Write(make([]byte, 200_000)) // more than a pipe holds
		fmt.Println("written", n, err)
		w.Close()
	})
	b, err := io.ReadAll(r)
	fmt.Println(len(b), err)
	wg.Wait()
	r.Close()

	r, w, err = os.Pipe()
	check(err)
	_, err = r.ReadAt(make([]byte, 1), 0)
	fmt.Println(errors.Is(err, syscall.ESPIPE))
	_, err = w.WriteAt([]byte("x"), 0)
	fmt.Println(errors.Is(err, syscall.ESPIPE), errors.Is(w.Sync(), syscall.EINVAL))
	check(w.Close())
	b, err = io.ReadAll(r)
	fmt.Println(len(b), err)
	check(r.Close())

	os.Stdout.WriteString("done\n")
}
