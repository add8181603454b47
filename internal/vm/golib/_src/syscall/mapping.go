package syscall

import "unsafe"

// mmap maps length bytes of an open file, from offset, or zeros, into memory.
// A mapping that others share is the memory that the content of the file is in, which lasts until the file
// outgrows it. So is one that is private and only read, in which Linux shows changes of the file, too. Memory is not
// protected: who is not allowed to write to a mapping does not try.
func (k *system) mmap(length uintptr, protection, flags int, fd, offset uintptr) (uintptr, Errno) {
	const page = 4096
	switch {
	case length == 0 || offset%page != 0 || flags&(MAP_SHARED|MAP_PRIVATE) == 0:
		return ^uintptr(0), EINVAL
	case length > maxFileSize || flags&MAP_FIXED != 0:
		unsupported(SYS_MMAP)
	}
	asked := length
	length = (length + page - 1) &^ (page - 1)
	if flags&MAP_ANON != 0 {
		return address(make([]byte, length)), 0
	}
	f, err := k.file(fd)
	if err != 0 {
		return ^uintptr(0), err
	}
	n := f.inode
	k.mu.Lock()
	defer k.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.is(S_IFREG) {
		return ^uintptr(0), ENODEV
	}
	shared := flags&MAP_SHARED != 0 || protection&PROT_WRITE == 0
	if !f.reads() || shared && protection&PROT_WRITE != 0 && !f.writes() {
		return ^uintptr(0), EACCES
	}
	end := int(offset + length)
	if !shared {
		b := make([]byte, length)
		if int(offset) < len(n.data) {
			copy(b, n.data[offset:])
		}
		return address(b), 0
	}
	if end > cap(n.data) {
		if n.mapped > 0 {
			unsupported(SYS_MMAP) // the other mappings would have to become those of this memory
		}
		larger := make([]byte, len(n.data), end)
		copy(larger, n.data)
		n.data = larger
	}
	at := address(n.data[offset:end])
	for _, m := range k.mappings {
		if m.end == at+asked {
			unsupported(SYS_MMAP) // syscall.Munmap tells mappings apart by where they end
		}
	}
	n.mapped++
	k.mappings = append(k.mappings, mapping{at, at + asked, n})
	return at, 0
}

// A mapping is where a file is in memory.
type mapping struct {
	address, end uintptr
	inode        *inode
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// unmap ends the mapping at an address, if it is one of a file. It ends as a whole.
func (k *system) unmap(address uintptr) {
	for i, m := range k.mappings {
		if m.address == address {
			m.inode.mu.Lock()
			m.inode.mapped--
			m.inode.mu.Unlock()
			k.mappings = append(k.mappings[:i:i], k.mappings[i+1:]...)
			return
		}
	}
}

// advise notes what the program intends to do with memory, which may be to lose what is in it.
func (k *system) advise(address uintptr, advice int) Errno {
	switch advice {
	case MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTFORK, MADV_DOFORK,
		MADV_MERGEABLE, MADV_UNMERGEABLE, MADV_HUGEPAGE, MADV_NOHUGEPAGE:
		return 0
	case MADV_DONTNEED:
		for _, m := range k.mappings {
			if m.address == address {
				return 0 // it is read from the file again
			}
		}
	}
	unsupported(SYS_MADVISE)
	return EINVAL
}
