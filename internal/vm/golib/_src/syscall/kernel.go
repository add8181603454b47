package syscall

import (
	"sync"
	"unsafe"
)

// A system is the operating system that the program runs on: files in memory,
// pipes, and little else. It belongs to the run, as all memory does.
//
// A lock guards directories, what is known of a file by its name, and which
// descriptors are in use. What is in a file is guarded by a lock of its own, which comes after
// the system's: goroutines that read and write different files do not meet.
type system struct {
	mu     sync.Mutex
	root   *inode
	given  *inode // the root of the files that the machine's user gives the program
	at     string // the path at which the program finds them
	work   *inode // working directory
	start  string // path of the working directory at the start
	inodes uint64 // made so far
	files  descriptors
	umask  uint32

	mappings []mapping // of files, that are shared
	unlocked sync.Cond // a lock of flock has been given back
}

const home = "/root"

var kernel = boot()

// boot returns the system as a program finds it.
func boot() *system {
	k := &system{umask: 0o022}
	k.unlocked.L = &k.mu
	k.root = k.newInode(S_IFDIR | 0o755)
	k.root.parent = k.root
	for _, dir := range []string{"dev", "etc", "root", "tmp"} {
		k.root.add(dir, k.newInode(S_IFDIR|0o755))
	}
	hosts := k.newInode(S_IFREG | 0o644)
	hosts.data = []byte("127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n")
	k.root.get("etc").add("hosts", hosts)
	k.given = k.newInode(S_IFDIR | 0o755)
	k.given.host = "."
	k.given.parent = k.root
	k.at = hostRoot()
	if onlySlashes(k.at) {
		k.at = "/src"
	}
	k.enter(workDirectory())
	null := k.newInode(S_IFCHR | 0o666)
	k.root.get("dev").add("null", null)
	k.files.add(&openFile{inode: null, flags: O_RDONLY}, 0)
	out := k.newInode(S_IFIFO | 0o600) // a pipe, as go test gives it to a test, and no terminal
	for range 2 {
		k.files.add(&openFile{inode: out, flags: O_WRONLY, output: true}, 0)
		out.writers++
	}
	return k
}

// enter makes the directory at path, among the files that the program is given, the
// working directory. Those on the way there are not read for that.
func (k *system) enter(path string) {
	k.work = k.given
	host := ""
	for name, rest := component(path); name != ""; name, rest = component(rest) {
		if name == "." {
			continue
		}
		child := k.newInode(S_IFDIR | 0o755)
		host += name
		child.host = host
		host += "/"
		k.work.add(name, child)
		k.work = child
	}
	k.start = k.path(k.work)
}

// enterFrom begins to follow an absolute path: at the files that the program is given if it leads there, and otherwise at the root. The
// directories above these files are made when a path leads to one of them, and not before, so that how many objects a program has does
// not depend on where they are.
func (k *system) enterFrom(path string) (at *inode, rest string) {
	above, left, rest := k.root, k.at, path
	for {
		want, more := component(left)
		if want == "" {
			return k.given, rest
		}
		name, after := component(rest)
		for name == "." {
			name, after = component(after)
		}
		if name != want {
			if above == nil {
				k.makeAbove()
			}
			return k.root, path
		}
		if above != nil {
			above = above.get(want)
		}
		left, rest = more, after
	}
}

// makeAbove makes the directories above the files that the program is given.
func (k *system) makeAbove() {
	at := k.root
	for name, rest := component(k.at); ; name, rest = component(rest) {
		next := at.get(name)
		switch {
		case onlySlashes(rest):
			at.add(name, k.given)
			return
		case next == nil:
			next = k.newInode(S_IFDIR | 0o755)
			at.add(name, next)
		}
		at = next
	}
}

// call carries out the system call trap, other than mmap. Its result is never negative.
func (k *system) call(trap, a1, a2, a3, a4, a5 uintptr) (result int, err Errno) {
	switch trap {
	case SYS_READ, SYS_PREAD64, SYS_WRITE, SYS_PWRITE64, SYS_LSEEK, SYS_FTRUNCATE, SYS_FSYNC, SYS_FDATASYNC:
		f, err := k.file(a1)
		if err != 0 {
			return 0, err
		}
		return f.call(trap, a2, a3, a4)
	case SYS_GETPID, SYS_GETTID:
		return processID, 0
	case SYS_GETPPID:
		return 1, 0
	case SYS_KILL, SYS_TGKILL:
		if trap == SYS_TGKILL {
			a2 = a3
		}
		if a1 != processID {
			unsupported(trap)
			return 0, ENOSYS
		}
		return 0, raise(Signal(a2))
	case SYS_GETUID, SYS_GETEUID, SYS_GETGID, SYS_GETEGID, SYS_GETGROUPS:
		return 0, 0 // root, who may do everything
	case SYS_UNAME:
		name(&(*Utsname)(unsafe.Pointer(a1)).Sysname, "Linux")
		name(&(*Utsname)(unsafe.Pointer(a1)).Nodename, "localhost")
		return 0, 0
	case sysGetrandom:
		b := bytes(a1, a2)
		for i := range b {
			b[i] = random()
		}
		return len(b), 0
	case sysPidfdOpen:
		return 0, ENOSYS // package os then names a process by its number
	case SYS_IOCTL:
		if _, err := k.file(a1); err != 0 {
			return 0, err
		}
		const getAttributes, setAttributes = 0x5401, 0x5402 // TCGETS and TCSETS
		switch a2 {
		case getAttributes, setAttributes, TIOCGWINSZ, TIOCSWINSZ, TIOCGPGRP, TIOCSPGRP:
			return 0, ENOTTY // no file is a terminal
		}
		unsupported(trap)
		return 0, ENOTTY
	case SYS_MLOCK, SYS_MUNLOCK, SYS_MSYNC:
		return 0, 0 // memory is always there, and what is mapped is the file
	case SYS_PRLIMIT64:
		if a4 != 0 {
			*(*Rlimit)(unsafe.Pointer(a4)) = limit(a2)
		}
		return 0, 0
	case sysGetrlimit:
		*(*Rlimit)(unsafe.Pointer(a2)) = limit(a1)
		return 0, 0
	case SYS_SENDFILE, SYS_SPLICE, sysCopyFileRange:
		return 0, ENOSYS // package os, for which they are, then reads and writes
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.named(trap, a1, a2, a3, a4, a5)
}

// call carries out a system call that is about what is in an open file.
func (f *openFile) call(trap, a2, a3, a4 uintptr) (result int, err Errno) {
	f.inode.mu.Lock()
	defer f.inode.mu.Unlock()
	switch trap {
	case SYS_PREAD64, SYS_PWRITE64:
		if f.inode.is(S_IFIFO) {
			return 0, ESPIPE
		}
	case SYS_FSYNC, SYS_FDATASYNC:
		if f.inode.is(S_IFIFO) || f.inode.is(S_IFCHR) {
			return 0, EINVAL
		}
	}
	switch trap {
	case SYS_READ, SYS_PREAD64:
		return f.read(bytes(a2, a3), f.position(trap == SYS_PREAD64, a4))
	case SYS_WRITE, SYS_PWRITE64:
		return f.write(bytes(a2, a3), f.position(trap == SYS_PWRITE64, a4))
	case SYS_LSEEK:
		return f.seek(int(a2), int(a3))
	case SYS_FTRUNCATE:
		return 0, f.inode.truncate(int(a2))
	}
	return 0, 0 // nothing is ever out of sync
}

// named carries out a system call that is about names or descriptors.
func (k *system) named(trap, a1, a2, a3, a4, a5 uintptr) (result int, err Errno) {
	switch trap {
	case SYS_OPENAT:
		return k.open(int(a1), text(a2), int(a3), uint32(a4))
	case SYS_CLOSE:
		return 0, k.close(int(a1))
	case SYS_TRUNCATE:
		n, err := k.find(_AT_FDCWD, text(a1), true)
		if err != 0 {
			return 0, err
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		return 0, n.truncate(int(a2))
	case SYS_FSTAT:
		f, err := k.file(a1)
		if err != 0 {
			return 0, err
		}
		f.inode.stat((*Stat_t)(unsafe.Pointer(a2)))
		return 0, 0
	case sysFstatat:
		n, err := k.find(int(a1), text(a2), a4&_AT_SYMLINK_NOFOLLOW == 0)
		if err != 0 {
			return 0, err
		}
		n.stat((*Stat_t)(unsafe.Pointer(a3)))
		return 0, 0
	case SYS_FACCESSAT, _SYS_faccessat2:
		_, err := k.find(int(a1), text(a2), true)
		return 0, err
	case SYS_GETDENTS64:
		f, err := k.file(a1)
		if err != 0 {
			return 0, err
		}
		return f.list(bytes(a2, a3))
	case SYS_MKDIRAT:
		return 0, k.mkdir(int(a1), text(a2), uint32(a3))
	case SYS_MKNODAT:
		return 0, k.mknod(int(a1), text(a2), uint32(a3))
	case SYS_UNLINKAT:
		return 0, k.unlink(int(a1), text(a2), a3&atRemoveDir != 0)
	case sysRenameat, sysRenameat2:
		return 0, k.rename(int(a1), text(a2), int(a3), text(a4))
	case SYS_LINKAT:
		return 0, k.link(int(a1), text(a2), int(a3), text(a4))
	case SYS_SYMLINKAT:
		return 0, k.symlink(text(a1), int(a2), text(a3))
	case SYS_READLINKAT:
		n, err := k.find(int(a1), text(a2), false)
		if err != 0 {
			return 0, err
		}
		if n.mode&S_IFMT != S_IFLNK {
			return 0, EINVAL
		}
		return copy(bytes(a3, a4), n.data), 0
	case SYS_CHDIR:
		return 0, k.chdir(k.find(_AT_FDCWD, text(a1), true))
	case SYS_FCHDIR:
		f, err := k.file(a1)
		if err != 0 {
			return 0, err
		}
		return 0, k.chdir(f.inode, 0)
	case SYS_GETCWD:
		path := k.path(k.work) + "\x00"
		if len(path) > int(a2) {
			return 0, ERANGE
		}
		return copy(bytes(a1, a2), path), 0
	case SYS_FCHMODAT, _SYS_fchmodat2:
		n, err := k.find(int(a1), text(a2), true)
		if err == 0 {
			n.chmod(uint32(a3))
		}
		return 0, err
	case SYS_FCHMOD:
		f, err := k.file(a1)
		if err == 0 {
			f.inode.chmod(uint32(a2))
		}
		return 0, err
	case SYS_FCHOWNAT:
		n, err := k.find(int(a1), text(a2), a5&_AT_SYMLINK_NOFOLLOW == 0)
		if err == 0 {
			n.chown(int32(a3), int32(a4))
		}
		return 0, err
	case SYS_FCHOWN:
		f, err := k.file(a1)
		if err == 0 {
			f.inode.chown(int32(a2), int32(a3))
		}
		return 0, err
	case SYS_UTIMENSAT:
		n, err := k.find(int(a1), text(a2), a4&_AT_SYMLINK_NOFOLLOW == 0)
		if err == 0 {
			n.mu.Lock()
			n.touch((*[2]Timespec)(unsafe.Pointer(a3)))
			n.mu.Unlock()
		}
		return 0, err
	case SYS_FALLOCATE:
		return 0, k.allocate(a1, int(a2), int(a3), int(a4))
	case SYS_FLOCK:
		return 0, k.flock(a1, int(a2))
	case SYS_MADVISE:
		return 0, k.advise(a1, int(a3))
	case SYS_MUNMAP:
		k.unmap(a1)
		return 0, 0
	case SYS_PIPE2:
		return 0, k.pipe((*[2]_C_int)(unsafe.Pointer(a1)), int(a2))
	case SYS_FCNTL:
		return k.control(a1, int(a2), a3)
	case SYS_DUP:
		return k.control(a1, F_DUPFD, 0)
	case SYS_DUP3:
		return k.duplicate(a1, a2)
	case SYS_UMASK:
		old := k.umask
		k.umask = uint32(a1) & 0o777
		return int(old), 0
	case SYS_SOCKET:
		if a1 == AF_NETLINK {
			return 0, EAFNOSUPPORT // as in a sandbox, where nothing is to be learnt of the network's interfaces
		}
	}
	unsupported(trap)
	return 0, ENOSYS
}

// sysPidfdOpen is a system call with the same number on every architecture.
const sysPidfdOpen = 434

// processID is what getpid returns.
const processID = 2

// limit returns what the program may use of a resource.
func limit(resource uintptr) Rlimit {
	if resource == RLIMIT_NOFILE {
		return Rlimit{maxDescriptors, maxDescriptors}
	}
	return Rlimit{^uint64(0), ^uint64(0)}
}

// atRemoveDir is the flag of unlinkat for directories.
const atRemoveDir = 0x200

// text returns the string, ended by a zero byte, that a system call points to.
func text(p uintptr) string {
	at := (*byte)(unsafe.Pointer(p))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(at, n))
}

// bytes returns the buffer that a system call points to.
func bytes(p, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), n)
}

// name fills a field of a Utsname.
func name[T int8 | uint8](field *[65]T, s string) {
	for i := range len(s) {
		field[i] = T(s[i])
	}
}
