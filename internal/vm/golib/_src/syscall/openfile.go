package syscall

import (
	"internal/goarch"
	"sync/atomic"
	"unsafe"
)

// An openFile is what a descriptor stands for.
type openFile struct {
	inode  *inode
	flags  int // of open
	offset int
	output bool // the machine's output
	uses   int  // descriptors
	// listing is what is left of a directory being listed.
	listing []entry
	listed  bool
}

// Descriptors are the open files by number. A descriptor can be looked up while
// others are opened and closed.
type descriptors struct {
	pages [maxDescriptors / 64]atomic.Pointer[[64]atomic.Pointer[openFile]]
}

// maxDescriptors is how many descriptors there can be.
const maxDescriptors = 4096

// get returns the open file of a descriptor, nil when there is none.
func (d *descriptors) get(fd int) *openFile {
	if fd < 0 || fd/64 >= len(d.pages) {
		return nil
	}
	page := d.pages[fd/64].Load()
	if page == nil {
		return nil
	}
	return page[fd%64].Load()
}

// set makes f, which may be nil, the open file of a descriptor that is in range.
func (d *descriptors) set(fd int, f *openFile) {
	page := d.pages[fd/64].Load()
	if page == nil {
		page = new([64]atomic.Pointer[openFile])
		d.pages[fd/64].Store(page)
	}
	page[fd%64].Store(f)
}

// add gives f the lowest free descriptor, not below from.
func (d *descriptors) add(f *openFile, from int) (int, Errno) {
	for fd := from; fd/64 < len(d.pages); fd++ {
		if d.get(fd) == nil {
			d.set(fd, f)
			f.uses++
			return fd, 0
		}
	}
	return 0, EMFILE
}

// file returns the open file of a descriptor.
func (k *system) file(fd uintptr) (*openFile, Errno) {
	f := k.files.get(int(fd))
	if f == nil {
		return nil, EBADF
	}
	return f, 0
}

func (f *openFile) reads() bool  { return f.flags&O_ACCMODE != O_WRONLY }
func (f *openFile) writes() bool { return f.flags&O_ACCMODE != O_RDONLY }

func (k *system) open(dir int, path string, flags int, perm uint32) (int, Errno) {
	at, last, err := k.walk(dir, path, flags&(O_NOFOLLOW|O_EXCL) == 0)
	if err != 0 {
		return 0, err
	}
	n := at.child(last)
	switch {
	case n == nil && flags&O_CREAT == 0:
		return 0, ENOENT
	case n == nil:
		if path[len(path)-1] == '/' {
			return 0, EISDIR
		}
		n = k.newInode(S_IFREG | perm&^k.umask)
		at.add(last, n)
	case flags&O_CREAT != 0 && flags&O_EXCL != 0:
		return 0, EEXIST
	case n.is(S_IFLNK):
		return 0, ELOOP
	case n.is(S_IFDIR) && flags&(O_ACCMODE|O_CREAT) != O_RDONLY:
		return 0, EISDIR
	case !n.is(S_IFDIR) && flags&O_DIRECTORY != 0:
		return 0, ENOTDIR
	case n.is(S_IFREG) && flags&O_TRUNC != 0:
		n.mu.Lock()
		n.truncate(0)
		n.mu.Unlock()
	}
	return k.files.add(&openFile{inode: n, flags: flags}, 0)
}

func (k *system) close(fd int) Errno {
	f, err := k.file(uintptr(fd))
	if err != 0 {
		return err
	}
	k.files.set(fd, nil)
	if f.uses--; f.uses > 0 {
		return 0
	}
	k.unlock(f)
	if n := f.inode; n.is(S_IFIFO) {
		n.mu.Lock()
		defer n.mu.Unlock()
		if f.reads() {
			n.readers--
		} else {
			n.writers--
		}
		n.changed.Broadcast()
	}
	return 0
}

// position returns where a read or write takes place: at a place of its own for
// those that name one, which do not move the offset.
func (f *openFile) position(given bool, at uintptr) *int {
	if given {
		p := int(at)
		return &p
	}
	return &f.offset
}

func (f *openFile) read(b []byte, at *int) (int, Errno) {
	n := f.inode
	switch {
	case !f.reads():
		return 0, EBADF
	case n.is(S_IFDIR):
		return 0, EISDIR
	case n.is(S_IFIFO):
		for len(n.data) == 0 && n.writers > 0 && len(b) > 0 {
			n.changed.Wait()
		}
		m := copy(b, n.data)
		n.data = n.data[m:]
		n.changed.Broadcast()
		return m, 0
	case *at >= len(n.data):
		return 0, 0
	}
	m := copy(b, n.data[*at:])
	*at += m
	return m, 0
}

// maxFileSize bounds the files that a program makes, in bytes: the memory of a run is smaller.
const maxFileSize = 1 << 40

// pipeSize is how many bytes a pipe holds.
const pipeSize = 65536

func (f *openFile) write(b []byte, at *int) (int, Errno) {
	n := f.inode
	switch {
	case !f.writes():
		return 0, EBADF
	case f.output:
		writeOutput(b)
		return len(b), 0
	case n.is(S_IFCHR):
		return len(b), 0
	case n.is(S_IFIFO):
		return n.writePipe(b)
	}
	if f.flags&O_APPEND != 0 {
		*at = len(n.data)
	}
	if end := *at + len(b); end > len(n.data) {
		if end > maxFileSize {
			unsupported(SYS_PWRITE64)
		}
		n.grow(end)
	}
	copy(n.data[*at:], b)
	*at += len(b)
	n.touch(nil)
	return len(b), 0
}

// writePipe writes all of b, waiting for room.
func (n *inode) writePipe(b []byte) (written int, err Errno) {
	for {
		if n.readers == 0 {
			return written, EPIPE
		}
		m := min(len(b), pipeSize-len(n.data))
		n.data = append(n.data, b[:m]...)
		b, written = b[m:], written+m
		n.changed.Broadcast()
		if len(b) == 0 {
			return written, 0
		}
		n.changed.Wait()
	}
}

func (f *openFile) seek(offset, whence int) (int, Errno) {
	n := f.inode
	switch {
	case n.is(S_IFIFO) || f.output:
		return 0, ESPIPE
	case whence == 1:
		offset += f.offset
	case whence == 2:
		offset += len(n.data)
	}
	if offset < 0 {
		return 0, EINVAL
	}
	f.offset = offset
	f.listed = f.listed && offset != 0
	return offset, 0
}

// list fills b with directory entries that have not been listed yet.
func (f *openFile) list(b []byte) (int, Errno) {
	f.inode.mu.Lock()
	defer f.inode.mu.Unlock()
	if !f.inode.is(S_IFDIR) {
		return 0, ENOTDIR
	}
	if !f.listed {
		f.listing, f.listed = f.inode.entries, true
	}
	const nameAt = unsafe.Offsetof(Dirent{}.Name)
	n := 0
	for len(f.listing) > 0 {
		e := f.listing[0]
		size := (int(nameAt) + len(e.name) + 1 + 7) &^ 7
		if n+size > len(b) {
			if n == 0 {
				return 0, EINVAL
			}
			break
		}
		d := b[n : n+size]
		clear(d)
		put(d[unsafe.Offsetof(Dirent{}.Ino):], e.inode.number, 8)
		put(d[unsafe.Offsetof(Dirent{}.Reclen):], uint64(size), 2)
		d[unsafe.Offsetof(Dirent{}.Type)] = byte(e.inode.mode >> 12)
		copy(d[nameAt:], e.name)
		n += size
		f.listing = f.listing[1:]
	}
	return n, 0
}

// put writes an integer of size bytes as the architecture has it in memory.
func put(b []byte, v uint64, size int) {
	for i := range size {
		if goarch.BigEndian {
			b[size-1-i] = byte(v >> (8 * i))
		} else {
			b[i] = byte(v >> (8 * i))
		}
	}
}

// pipe opens both ends of a new pipe.
func (k *system) pipe(fds *[2]_C_int, flags int) Errno {
	n := k.newInode(S_IFIFO | 0o600)
	n.readers, n.writers = 1, 1
	for i, access := range []int{O_RDONLY, O_WRONLY} {
		fd, err := k.files.add(&openFile{inode: n, flags: access | flags}, 0)
		if err != 0 {
			return err
		}
		fds[i] = _C_int(fd)
	}
	return 0
}

// allocate is fallocate: a file is as long as that part of it at least.
func (k *system) allocate(fd uintptr, mode, offset, length int) Errno {
	f, err := k.file(fd)
	switch {
	case err != 0:
		return err
	case mode != 0:
		unsupported(SYS_FALLOCATE)
	case !f.writes():
		return EBADF
	case offset < 0 || length <= 0:
		return EINVAL
	}
	n := f.inode
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.is(S_IFREG) {
		return ENODEV
	}
	return n.truncate(max(len(n.data), offset+length))
}

// duplicate makes descriptor to a copy of fd, in the place of what it was.
func (k *system) duplicate(fd, to uintptr) (int, Errno) {
	f, err := k.file(fd)
	switch {
	case err != 0:
		return 0, err
	case fd == to:
		return 0, EINVAL
	case to/64 >= uintptr(len(k.files.pages)):
		return 0, EBADF
	}
	k.close(int(to)) // it need not be open
	k.files.set(int(to), f)
	f.uses++
	return int(to), 0
}

// control is fcntl.
func (k *system) control(fd uintptr, command int, arg uintptr) (int, Errno) {
	f, err := k.file(fd)
	if err != 0 {
		return 0, err
	}
	switch command {
	case F_GETFL:
		return f.flags, 0
	case F_SETFL:
		f.inode.mu.Lock() // which writers hold
		defer f.inode.mu.Unlock()
		const settable = O_APPEND | O_NONBLOCK
		f.flags = f.flags&^settable | int(arg)&settable
		return 0, 0
	case F_GETFD, F_SETFD:
		return 0, 0
	case F_DUPFD, F_DUPFD_CLOEXEC:
		return k.files.add(f, int(arg))
	case F_SETLK, F_SETLKW:
		switch lock := (*Flock_t)(unsafe.Pointer(arg)); {
		case lock.Type != F_RDLCK && lock.Type != F_WRLCK && lock.Type != F_UNLCK:
			return 0, EINVAL
		case lock.Type == F_RDLCK && !f.reads(), lock.Type == F_WRLCK && !f.writes():
			return 0, EBADF
		}
		return 0, 0 // such locks belong to the process, and there is no other
	case F_GETLK:
		lock := (*Flock_t)(unsafe.Pointer(arg))
		if lock.Type != F_RDLCK && lock.Type != F_WRLCK {
			return 0, EINVAL
		}
		lock.Type = F_UNLCK
		return 0, 0
	}
	return 0, EINVAL
}
