package syscall

import (
	"internal/goarch"
	"unsafe"
)

// An openFile is what a descriptor stands for.
type openFile struct {
	inode  *inode
	flags  int // of open
	offset int
	output bool // the machine's output
	// listing is what is left of a directory being listed.
	listing []entry
	listed  bool
}

// file returns the open file of a descriptor.
func (k *system) file(fd uintptr) (*openFile, Errno) {
	if fd >= uintptr(len(k.files)) || k.files[fd] == nil {
		return nil, EBADF
	}
	return k.files[fd], 0
}

// descriptor gives f the lowest free descriptor, not below from.
func (k *system) descriptor(f *openFile, from int) int {
	for len(k.files) < from {
		k.files = append(k.files, nil)
	}
	for fd := from; fd < len(k.files); fd++ {
		if k.files[fd] == nil {
			k.files[fd] = f
			return fd
		}
	}
	k.files = append(k.files, f)
	return len(k.files) - 1
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
		n.truncate(0)
	}
	return k.descriptor(&openFile{inode: n, flags: flags}, 0), 0
}

func (k *system) close(fd int) Errno {
	f, err := k.file(uintptr(fd))
	if err != 0 {
		return err
	}
	k.files[fd] = nil
	if f.inode.is(S_IFIFO) {
		for _, other := range k.files {
			if other == f {
				return 0
			}
		}
		if f.reads() {
			f.inode.readers--
		} else {
			f.inode.writers--
		}
		k.changed.Broadcast()
	}
	return 0
}

// position returns where a read or write takes place: at a place of its own for
// those that name one, which do not move the offset.
func position(f *openFile, given bool, at uintptr) *int {
	if given {
		p := int(at)
		return &p
	}
	return &f.offset
}

func (k *system) read(f *openFile, b []byte, at *int) (int, Errno) {
	n := f.inode
	switch {
	case !f.reads():
		return 0, EBADF
	case n.is(S_IFDIR):
		return 0, EISDIR
	case n.is(S_IFIFO):
		for len(n.data) == 0 && n.writers > 0 && len(b) > 0 {
			k.changed.Wait()
		}
		m := copy(b, n.data)
		n.data = n.data[m:]
		k.changed.Broadcast()
		return m, 0
	case *at >= len(n.data):
		return 0, 0
	}
	m := copy(b, n.data[*at:])
	*at += m
	return m, 0
}

// pipeSize is how many bytes a pipe holds.
const pipeSize = 65536

func (k *system) write(f *openFile, b []byte, at *int) (int, Errno) {
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
		return k.writePipe(n, b)
	}
	if f.flags&O_APPEND != 0 {
		*at = len(n.data)
	}
	if end := *at + len(b); end > len(n.data) {
		n.data = append(n.data, make([]byte, end-len(n.data))...)
	}
	copy(n.data[*at:], b)
	*at += len(b)
	n.touch(nil)
	return len(b), 0
}

// writePipe writes all of b, waiting for room.
func (k *system) writePipe(n *inode, b []byte) (written int, err Errno) {
	for {
		if n.readers == 0 {
			return written, EPIPE
		}
		m := min(len(b), pipeSize-len(n.data))
		n.data = append(n.data, b[:m]...)
		b, written = b[m:], written+m
		k.changed.Broadcast()
		if len(b) == 0 {
			return written, 0
		}
		k.changed.Wait()
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
	fds[0] = _C_int(k.descriptor(&openFile{inode: n, flags: O_RDONLY | flags}, 0))
	fds[1] = _C_int(k.descriptor(&openFile{inode: n, flags: O_WRONLY | flags}, 0))
	return 0
}

// control is fcntl.
func (k *system) control(fd uintptr, command, arg int) (int, Errno) {
	f, err := k.file(fd)
	if err != 0 {
		return 0, err
	}
	switch command {
	case F_GETFL:
		return f.flags, 0
	case F_SETFL:
		const settable = O_APPEND | O_NONBLOCK
		f.flags = f.flags&^settable | arg&settable
		return 0, 0
	case F_GETFD, F_SETFD:
		return 0, 0
	case F_DUPFD, F_DUPFD_CLOEXEC:
		return k.descriptor(f, arg), 0
	}
	return 0, EINVAL
}
