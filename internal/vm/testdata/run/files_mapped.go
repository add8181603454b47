package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Files that are locked and mapped into memory.

func main() {
	dir, err := os.MkdirTemp("", "mapped")
	check(err)
	defer os.RemoveAll(dir)
	locks(filepath.Join(dir, "lock"))
	waits(filepath.Join(dir, "wait"))
	records(filepath.Join(dir, "record"))
	anonymous()
	mapped(filepath.Join(dir, "mapped"))
	private(filepath.Join(dir, "private"))
	refused(filepath.Join(dir, "refused"))
	copies(filepath.Join(dir, "copies"))
	later(filepath.Join(dir, "later"))
	closes(filepath.Join(dir, "closes"))
	large()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func create(path, text string) *os.File {
	check(os.WriteFile(path, []byte(text), 0o600))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	check(err)
	return f
}

// locks has locks that are shared, exclusive, converted and given back by closing.
func locks(path string) {
	a, b := create(path, ""), create(path, "")
	defer a.Close()
	lock := func(f *os.File, how int) {
		fmt.Println(how, syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB))
	}
	lock(a, syscall.LOCK_SH)
	lock(b, syscall.LOCK_SH)
	lock(a, syscall.LOCK_EX)
	lock(b, syscall.LOCK_UN)
	lock(a, syscall.LOCK_EX)
	lock(a, syscall.LOCK_EX)
	lock(b, syscall.LOCK_SH)
	lock(b, syscall.LOCK_EX)
	lock(a, syscall.LOCK_SH)
	lock(b, syscall.LOCK_SH)
	lock(b, 0)
	fd, err := syscall.Dup(int(b.Fd()))
	check(err)
	b.Close()
	lock(a, syscall.LOCK_EX)
	check(syscall.Close(fd))
	lock(a, syscall.LOCK_EX)
	fmt.Println(syscall.Flock(99, syscall.LOCK_EX), syscall.Flock(int(a.Fd()), 77))
}

// waits has goroutines that wait for a lock.
func waits(path string) {
	a := create(path, "")
	defer a.Close()
	check(syscall.Flock(int(a.Fd()), syscall.LOCK_EX))
	var wg sync.WaitGroup
	n := 0
	for range 3 {
		wg.Go(func() {
			f, err := os.Open(path)
			check(err)
			defer f.Close()
			check(syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
			n++
			fmt.Println("locked", n)
		})
	}
	fmt.Println("unlocks", n)
	check(syscall.Flock(int(a.Fd()), syscall.LOCK_UN))
	wg.Wait()
}

// records has locks of parts of a file, which belong to the process.
func records(path string) {
	a, b := create(path, "text"), create(path, "text")
	defer a.Close()
	defer b.Close()
	for _, f := range []*os.File{a, b} {
		lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 1, Len: 2}
		fmt.Println(syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock))
	}
	lock := syscall.Flock_t{Type: syscall.F_WRLCK}
	fmt.Println(syscall.FcntlFlock(a.Fd(), syscall.F_GETLK, &lock), lock.Type == syscall.F_UNLCK)
	r, err := os.Open(path)
	check(err)
	defer r.Close()
	for _, typ := range []int16{syscall.F_RDLCK, syscall.F_WRLCK, 77} {
		lock := syscall.Flock_t{Type: typ}
		fmt.Println(syscall.FcntlFlock(r.Fd(), syscall.F_SETLK, &lock))
	}
	var size [4]uint16
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, a.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	fmt.Println(errno)
}

// anonymous has memory that is of no file.
func anonymous() {
	b, err := syscall.Mmap(-1, 0, 100000, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	check(err)
	fmt.Println(len(b), cap(b), b[99999])
	b[99999] = 7
	check(syscall.Madvise(b, syscall.MADV_RANDOM))
	fmt.Println(b[99998:])
	check(syscall.Munmap(b))
	fmt.Println(syscall.Munmap(b))
	_, err = syscall.Mmap(-1, 0, 0, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	fmt.Println(err)
}

// mapped has a file that is changed by writing, truncating and through a mapping.
func mapped(path string) {
	f := create(path, "0123456789")
	defer f.Close()
	r, err := syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ, syscall.MAP_SHARED)
	check(err)
	w, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	check(err)
	fmt.Printf("%q\n", r[:12])
	f.WriteAt([]byte("ab"), 2)
	fmt.Printf("%q %q\n", r[:12], w[:12])
	w[5] = 'X'
	content, err := os.ReadFile(path)
	fmt.Printf("%q %q %v\n", r[:12], content, err)
	check(f.Truncate(3))
	fmt.Printf("%q\n", r[:12])
	check(f.Truncate(5000))
	f.WriteAt([]byte("end"), 4997)
	fmt.Printf("%q %q\n", r[:6], r[4995:5000])
	check(syscall.Munmap(r))
	check(syscall.Munmap(w))
	f.WriteAt([]byte("beyond"), 9000)
	second, err := syscall.Mmap(int(f.Fd()), 8192, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	check(err)
	fmt.Printf("%q\n", second[806:816])
	check(syscall.Munmap(second))
}

// private has a mapping whose changes the file does not see.
func private(path string) {
	f := create(path, "private")
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, 7, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	check(err)
	b[0] = 'P'
	content, err := os.ReadFile(path)
	fmt.Printf("%q %q %v\n", b, content, err)
}

// later has a private mapping that is only read, and a file that is written to after that.
func later(path string) {
	f := create(path, "private")
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, 7, syscall.PROT_READ, syscall.MAP_PRIVATE)
	check(err)
	f.WriteAt([]byte("P"), 0)
	fmt.Printf("%q %v\n", b, syscall.Madvise(b, syscall.MADV_DONTNEED))
	check(syscall.Munmap(b))
}

// closes has a descriptor that is closed while it waits for a lock, which it then has for no time.
func closes(path string) {
	a := create(path, "")
	defer a.Close()
	check(syscall.Flock(int(a.Fd()), syscall.LOCK_EX))
	fd, err := syscall.Open(path, syscall.O_RDWR, 0)
	check(err)
	c := make(chan error)
	go func() { c <- syscall.Flock(fd, syscall.LOCK_EX) }()
	time.Sleep(10 * time.Millisecond)
	check(syscall.Close(fd))
	check(syscall.Flock(int(a.Fd()), syscall.LOCK_UN))
	fmt.Println(<-c, syscall.Flock(int(a.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
}

// refused has mappings that cannot be.
func refused(path string) {
	f := create(path, "refused")
	defer f.Close()
	g, err := os.Open(path)
	check(err)
	defer g.Close()
	for _, test := range []struct {
		fd     int
		offset int64
		prot   int
	}{
		{99, 0, syscall.PROT_READ},
		{int(f.Fd()), 1, syscall.PROT_READ},
		{int(g.Fd()), 0, syscall.PROT_READ | syscall.PROT_WRITE},
	} {
		_, err := syscall.Mmap(test.fd, test.offset, 4096, test.prot, syscall.MAP_SHARED)
		fmt.Println(err)
	}
	_, err = syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ, 0)
	fmt.Println(err)
}

// copies has descriptors that are copies of others.
func copies(path string) {
	f, g := create(path, "copies"), create(path, "other")
	defer f.Close()
	defer g.Close()
	fmt.Println(syscall.Dup3(int(f.Fd()), int(g.Fd()), 0), syscall.Dup3(99, 98, 0), syscall.Dup3(int(f.Fd()), int(f.Fd()), 0))
	f.WriteString("1")
	g.WriteString("2") // where f has got to
	content, err := os.ReadFile(path)
	fmt.Printf("%q %v\n", content, err)
	fmt.Println(syscall.Fallocate(int(f.Fd()), 0, 10, 5), syscall.Fallocate(int(f.Fd()), 0, 0, 3), syscall.Fallocate(99, 0, 0, 3), syscall.Fallocate(int(f.Fd()), 0, 0, 0))
	content, err = os.ReadFile(path)
	fmt.Printf("%q %v\n", content, err)
	var limit syscall.Rlimit
	fmt.Println(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit), limit.Cur > 100)
	fmt.Println(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit), limit.Cur > 100)
}

// large sees a mapping as an array that is longer than any.
func large() {
	b, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	check(err)
	p := (*[1 << 46]byte)(unsafe.Pointer(&b[0]))
	for i := range 10 {
		p[i*100] = byte(i)
	}
	q := (*[1 << 40]uint16)(unsafe.Pointer(p))
	fmt.Println(len(p), p[100], q[50], p[200:205:4096], cap(p[:10:4096]))
	defer func() { fmt.Println(recover()) }()
	i := -1
	p[len(b)+i-len(b)] = 1
}
