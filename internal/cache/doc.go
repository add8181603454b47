// Package cache keeps what is expensive to find out, in a directory of the user's that all
// processes share. A value is stored under a [Key], the hash of everything that it follows
// from, so that it is never wrong: when something changes, the key does, and the old value
// is not found any more.
//
// Nothing depends on the cache. An entry that is damaged, or a directory that cannot be
// written, is as good as no entry. Entries that nobody has asked for in a while are removed.
package cache
