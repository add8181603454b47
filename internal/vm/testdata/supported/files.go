// Files in memory, arguments, environment and users.
package main

import (
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"os/user"
	"path/filepath"
)

func main() {
	dir, err := os.MkdirTemp("", "example")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	check(os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o666))
	list, err := os.ReadDir(dir)
	check(err)
	if len(list) != 2 || list[0].Name() != "a" || !list[1].IsDir() {
		log.Panicln(list)
	}
	if _, err := os.ReadFile(filepath.Join(dir, "b")); !errors.Is(err, fs.ErrNotExist) {
		log.Panicln(err)
	}
	f, err := os.CreateTemp(dir, "x*.txt")
	check(err)
	f.WriteString("written")
	f.Seek(0, io.SeekStart)
	b, err := io.ReadAll(f)
	check(err)
	if string(b) != "written" {
		log.Panicf("%q", b)
	}
	check(f.Close())
	if b, err := io.ReadAll(os.Stdin); len(b) != 0 || err != nil {
		log.Panicln(b, err)
	}
	os.Setenv("KEY", "value")
	if os.Getenv("KEY") != "value" || len(os.Args) != 1 {
		log.Panicln(os.Args)
	}
	wd, err := os.Getwd()
	check(err)
	check(os.Chdir(dir))
	check(os.Chdir(wd))
	u, err := user.Current()
	check(err)
	if u.HomeDir != os.Getenv("HOME") {
		log.Panicln(u)
	}
	if _, err := os.Hostname(); err != nil {
		log.Panicln(err)
	}
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}
