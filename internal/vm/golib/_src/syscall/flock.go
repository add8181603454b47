package syscall

// flock takes, converts or gives back the lock that an open file has of what it has opened.
// Descriptors that are copies of one another have it together.
func (k *system) flock(fd uintptr, how int) Errno {
	f, err := k.file(fd)
	if err != 0 {
		return err
	}
	exclusive := how&LOCK_EX != 0
	switch how &^ LOCK_NB {
	case LOCK_SH, LOCK_EX, LOCK_UN:
	default:
		return EINVAL
	}
	k.unlock(f) // also to convert the lock, which is no one step on Linux either
	if how&LOCK_UN != 0 {
		return 0
	}
	n := f.inode
	for len(n.locked) > 0 && (exclusive || n.exclusive) {
		if how&LOCK_NB != 0 {
			return EWOULDBLOCK
		}
		k.unlocked.Wait()
	}
	if f.uses > 0 { // or it was closed while it waited, which gives the lock back
		n.locked, n.exclusive = append(n.locked, f), exclusive
	}
	return 0
}

// unlock gives back the lock that f has, if it has one.
func (k *system) unlock(f *openFile) {
	n := f.inode
	for i, holder := range n.locked {
		if holder == f {
			n.locked = append(n.locked[:i:i], n.locked[i+1:]...)
			k.unlocked.Broadcast()
			return
		}
	}
}
