// Package hamt is a set for concurrent use: a hash array mapped trie after P. Bagwell, "Ideal hash trees" (2001), with a lock
// in each node. A key is its own hash.
package hamt

import (
	"math/bits"
	"slices"
	"sync"
)

// Bits is the number of bits of a hash that choose between the slots of a node.
const Bits = 2

// A Trie is a set of keys. It must not be copied.
type Trie struct{ root node }

// A node has a slot for each bit of the map, in their order. Goroutines lock a node while they hold the lock of its
// parent, and so cannot overtake each other.
type node struct {
	mu    sync.Mutex // guards all that follows
	used  uint8
	slots []slot
}

// A slot has a key, or a child with all keys whose hashes begin alike.
type slot struct {
	key   int
	child *node
}

// Of returns a trie of the keys.
func Of(keys ...int) *Trie {
	t := new(Trie)
	for _, key := range keys {
		t.Insert(key)
	}
	return t
}

// Search reports whether the trie has the key.
func (t *Trie) Search(key int) bool {
	n := &t.root
	n.mu.Lock()
	for hash := uint(key); ; hash >>= Bits {
		bit, i := n.place(hash)
		if n.used&bit == 0 {
			n.mu.Unlock()
			return false
		}
		s := n.slots[i]
		if s.child == nil {
			n.mu.Unlock()
			return s.key == key
		}
		s.child.mu.Lock()
		n.mu.Unlock()
		n = s.child
	}
}

// Insert reports whether the key is new.
func (t *Trie) Insert(key int) bool {
	n := &t.root
	n.mu.Lock()
	for hash, depth := uint(key), 0; ; hash >>= Bits {
		depth += Bits
		bit, i := n.place(hash)
		if n.used&bit == 0 {
			n.slots = slices.Insert(n.slots, i, slot{key: key})
			n.used |= bit
			n.mu.Unlock()
			return true
		}
		s := &n.slots[i]
		if s.child == nil {
			if s.key == key {
				n.mu.Unlock()
				return false
			}
			c := new(node)
			c.used, _ = c.place(uint(s.key) >> depth)
			c.slots = []slot{{key: s.key}}
			*s = slot{child: c}
		}
		c := s.child
		c.mu.Lock()
		n.mu.Unlock()
		n = c
	}
}

// place returns the bit of the map for the first bits of a hash, and the index of its slot.
func (n *node) place(hash uint) (bit uint8, i int) {
	bit = 1 << (hash % (1 << Bits))
	return bit, bits.OnesCount8(n.used & (bit - 1))
}

// Valid reports whether each key is where its hash says, and no node but the root is empty. Nothing may be going on.
func (t *Trie) Valid() bool { return t.root.valid(0, 0) }

// valid reports whether a node at a depth has keys whose hashes begin with prefix.
func (n *node) valid(prefix uint, depth int) bool {
	if n.used >= 1<<(1<<Bits) || bits.OnesCount8(n.used) != len(n.slots) || depth > 0 && n.used == 0 || depth >= bits.UintSize {
		return false
	}
	for digit, i := uint(0), 0; digit < 1<<Bits; digit++ {
		if n.used&(1<<digit) == 0 {
			continue
		}
		s := n.slots[i]
		i++
		begin := prefix | digit<<depth
		if s.child == nil && uint(s.key)<<(bits.UintSize-depth-Bits) != begin<<(bits.UintSize-depth-Bits) {
			return false
		}
		if s.child != nil && (s.key != 0 || !s.child.valid(begin, depth+Bits)) {
			return false
		}
	}
	return true
}
