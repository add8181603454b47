package syscall

import "sync"

// An inode is a file: a regular one, a directory, a symbolic link, a pipe or
// /dev/null.
type inode struct {
	number   uint64
	mode     uint32 // type and permissions, which nobody checks
	links    int
	uid, gid uint32
	modified Timespec

	data    []byte  // of regular files; the target of a link; what is in a pipe
	entries []entry // of directories, in order of creation
	parent  *inode  // of directories
	host    string  // where the content is to be read from yet, as package io/fs names it; "" for nowhere

	mu               sync.Mutex // guards what is in a file or pipe, its size and time, offsets in it
	changed          sync.Cond  // a pipe has been read, written or closed
	readers, writers int        // of pipes: open files for each end
	mapped           int        // mappings of the file that share data

	locked    []*openFile // which hold a lock of flock
	exclusive bool        // it is held by one alone
}

// An entry is a name in a directory.
type entry struct {
	name  string
	inode *inode
}

func (k *system) newInode(mode uint32) *inode {
	k.inodes++
	n := &inode{number: k.inodes, mode: mode, links: 1}
	n.changed.L = &n.mu
	n.touch(nil)
	return n
}

func (n *inode) is(typ uint32) bool { return n.mode&S_IFMT == typ }

// touch sets the time of the last change, to the second of times or, if that
// is nil, to now.
func (n *inode) touch(times *[2]Timespec) {
	if times == nil {
		n.modified = NsecToTimespec(clock())
	} else if times[1].Nsec != utimeOmit {
		n.modified = times[1]
	}
}

const utimeOmit = 0x3ffffffe

// chmod sets the permissions.
func (n *inode) chmod(mode uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.mode = n.mode&S_IFMT | mode&^S_IFMT
}

// chown sets the owner and group; -1 leaves them as they are.
func (n *inode) chown(uid, gid int32) {
	if uid != -1 {
		n.uid = uint32(uid)
	}
	if gid != -1 {
		n.gid = uint32(gid)
	}
}

// fill reads what the machine's user has put there.
func (n *inode) fill() {
	host := n.host
	if host == "" {
		return
	}
	n.host = ""
	if !n.is(S_IFDIR) {
		n.data = []byte(hostFile(host))
		return
	}
	for list := hostDirectory(host); list != ""; {
		end := 0
		for list[end] != 0 {
			end++
		}
		name, kind := list[1:end], list[0]
		list = list[end+1:]
		if n.get(name) != nil {
			continue // on the way to the working directory
		}
		mode := uint32(S_IFREG | 0o644)
		if kind == 'd' {
			mode = S_IFDIR | 0o755
		}
		child := kernel.newInode(mode)
		child.host = name
		if host != "." {
			child.host = host + "/" + name
		}
		n.add(name, child)
	}
}

// get returns the inode called name in directory n, nil when there is none.
func (n *inode) get(name string) *inode {
	for _, e := range n.entries {
		if e.name == name {
			return e.inode
		}
	}
	return nil
}

// add adds a name to directory n.
func (n *inode) add(name string, child *inode) {
	n.entries = append(n.entries, entry{name, child})
	if child.is(S_IFDIR) {
		child.parent = n
	}
	n.touch(nil)
}

// remove removes a name from directory n.
func (n *inode) remove(name string) {
	for i, e := range n.entries {
		if e.name == name {
			// Those who list the directory keep the slice that they have.
			n.entries = append(n.entries[:i:i], n.entries[i+1:]...)
			n.touch(nil)
			return
		}
	}
}

func (n *inode) truncate(size int) Errno {
	switch {
	case n.is(S_IFDIR):
		return EISDIR
	case !n.is(S_IFREG) || size < 0:
		return EINVAL
	}
	switch {
	case size > len(n.data):
		if size > maxFileSize {
			unsupported(SYS_FTRUNCATE)
		}
		n.grow(size)
	case n.mapped > 0:
		clear(n.data[size:]) // what is mapped has zeros beyond the end of the file
		n.data = n.data[:size]
	default:
		n.data = n.data[:size:size]
	}
	n.touch(nil)
	return 0
}

// grow adds zeros to a regular file, up to size.
func (n *inode) grow(size int) {
	if size > cap(n.data) && n.mapped > 0 {
		unsupported(SYS_MMAP) // the mappings would have to become those of other memory
	}
	n.data = append(n.data, make([]byte, size-len(n.data))...)
}

// stat fills s.
func (n *inode) stat(s *Stat_t) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*s = Stat_t{
		Dev: 1, Ino: n.number, Mode: n.mode, Uid: n.uid, Gid: n.gid,
		Atim: n.modified, Mtim: n.modified, Ctim: n.modified,
		Size: int64(len(n.data)), Blksize: 4096, Blocks: int64(len(n.data)+511) / 512,
	}
	// The width of Nlink is the architecture's.
	for range n.links {
		s.Nlink++
	}
	if n.is(S_IFDIR) {
		s.Size = 4096
		s.Nlink++
	}
}

// path returns the absolute path of directory n.
func (k *system) path(n *inode) string {
	if n == k.root {
		return "/"
	}
	path := ""
	for n != k.root {
		if n == k.given {
			return k.at + path
		}
		for _, e := range n.parent.entries {
			if e.inode == n {
				path = "/" + e.name + path
			}
		}
		n = n.parent
	}
	return path
}

// maxLinks bounds the symbolic links followed in a path.
const maxLinks = 40

// walk finds the directory that path is in, as seen from the directory open as
// dir, and the last name of the path, "." for the directory itself. When follow
// is set and the last name is a symbolic link, the walk goes on to its target.
func (k *system) walk(dir int, path string, follow bool) (at *inode, last string, err Errno) {
	if path == "" {
		return nil, "", ENOENT
	}
	at = k.work
	if path[0] != '/' && dir != _AT_FDCWD {
		f, err := k.file(uintptr(dir))
		if err != 0 {
			return nil, "", err
		}
		at = f.inode
	}
	return k.walkFrom(at, path, follow, maxLinks)
}

func (k *system) walkFrom(at *inode, path string, follow bool, links int) (*inode, string, Errno) {
	if path != "" && path[0] == '/' {
		at, path = k.enterFrom(path)
	}
	for {
		name, rest := component(path)
		if !at.is(S_IFDIR) {
			return nil, "", ENOTDIR
		}
		if name == ".." && at == k.given {
			outside()
		}
		end := rest == ""
		switch name {
		case "":
			return at, ".", 0
		case ".", "..":
			if end {
				return at, name, 0
			}
		}
		next := at.child(name)
		switch {
		case next == nil && (end || onlySlashes(rest)):
			return at, name, 0
		case next == nil:
			return nil, "", ENOENT
		case next.is(S_IFLNK) && (!end || follow):
			if links == 0 {
				return nil, "", ELOOP
			}
			return k.walkFrom(at, string(next.data)+rest, follow, links-1)
		case end:
			return at, name, 0
		case onlySlashes(rest):
			if !next.is(S_IFDIR) {
				return nil, "", ENOTDIR
			}
			return at, name, 0
		}
		at, path = next, rest
	}
}

// component splits off the first name of a path; rest begins with a slash, or
// is empty.
func component(path string) (name, rest string) {
	for path != "" && path[0] == '/' {
		path = path[1:]
	}
	for i := range len(path) {
		if path[i] == '/' {
			return path[:i], path[i:]
		}
	}
	return path, ""
}

func onlySlashes(path string) bool {
	for i := range len(path) {
		if path[i] != '/' {
			return false
		}
	}
	return true
}

// child is get for names that may be "." and "..". Both inodes are filled.
func (n *inode) child(name string) *inode {
	n.fill()
	child := n
	switch name {
	case ".":
	case "..":
		child = n.parent
	default:
		child = n.get(name)
	}
	if child != nil {
		child.fill()
	}
	return child
}

// find returns the inode that path leads to.
func (k *system) find(dir int, path string, follow bool) (*inode, Errno) {
	at, last, err := k.walk(dir, path, follow)
	if err != 0 {
		return nil, err
	}
	n := at.child(last)
	if n == nil {
		return nil, ENOENT
	}
	return n, 0
}

// vacant finds the directory that path is in and its last name, which nothing has yet.
func (k *system) vacant(dir int, path string) (at *inode, last string, err Errno) {
	at, last, err = k.walk(dir, path, false)
	if err == 0 && at.child(last) != nil {
		err = EEXIST
	}
	return at, last, err
}

func (k *system) mkdir(dir int, path string, perm uint32) Errno {
	at, last, err := k.vacant(dir, path)
	if err != 0 {
		return err
	}
	at.add(last, k.newInode(S_IFDIR|perm&^k.umask))
	return 0
}

// mknod makes a file that is none of the other sorts: a socket's or a named pipe's.
func (k *system) mknod(dir int, path string, mode uint32) Errno {
	at, last, err := k.vacant(dir, path)
	if err != 0 {
		return err
	}
	at.add(last, k.newInode(mode&S_IFMT|mode&^k.umask&0o777))
	return 0
}

// unlink removes a name, that of an empty directory when directory is set.
func (k *system) unlink(dir int, path string, directory bool) Errno {
	at, last, err := k.walk(dir, path, false)
	if err != 0 {
		return err
	}
	n := at.child(last)
	switch {
	case n == nil:
		return ENOENT
	case last == ".":
		return EINVAL
	case last == "..":
		return ENOTEMPTY
	case directory && !n.is(S_IFDIR):
		return ENOTDIR
	case !directory && n.is(S_IFDIR):
		return EISDIR
	case directory && len(n.entries) > 0:
		return ENOTEMPTY
	}
	n.links--
	at.remove(last)
	return 0
}

func (k *system) rename(oldDir int, oldPath string, newDir int, newPath string) Errno {
	from, oldName, err := k.walk(oldDir, oldPath, false)
	if err != 0 {
		return err
	}
	to, newName, err := k.walk(newDir, newPath, false)
	if err != 0 {
		return err
	}
	n, old := from.child(oldName), to.child(newName)
	switch {
	case n == nil:
		return ENOENT
	case oldName == "." || oldName == ".." || newName == "." || newName == "..":
		return EBUSY
	case n == old:
		return 0
	}
	if n.is(S_IFDIR) {
		for up := to; ; up = up.parent {
			if up == n {
				return EINVAL
			}
			if up == k.root {
				break
			}
		}
	}
	if old != nil {
		switch {
		case n.is(S_IFDIR) && !old.is(S_IFDIR):
			return ENOTDIR
		case !n.is(S_IFDIR) && old.is(S_IFDIR):
			return EISDIR
		case len(old.entries) > 0:
			return ENOTEMPTY
		}
		old.links--
		to.remove(newName)
	}
	from.remove(oldName)
	to.add(newName, n)
	return 0
}

func (k *system) link(oldDir int, oldPath string, newDir int, newPath string) Errno {
	n, err := k.find(oldDir, oldPath, false)
	if err != 0 {
		return err
	}
	at, last, err := k.vacant(newDir, newPath)
	switch {
	case err != 0:
		return err
	case n.is(S_IFDIR):
		return EPERM
	}
	n.links++
	at.add(last, n)
	return 0
}

func (k *system) symlink(target string, dir int, path string) Errno {
	at, last, err := k.vacant(dir, path)
	switch {
	case err != 0:
		return err
	case target == "":
		return ENOENT
	}
	n := k.newInode(S_IFLNK | 0o777)
	n.data = []byte(target)
	at.add(last, n)
	return 0
}

func (k *system) chdir(n *inode, err Errno) Errno {
	switch {
	case err != 0:
		return err
	case !n.is(S_IFDIR):
		return ENOTDIR
	}
	k.work = n
	return 0
}
