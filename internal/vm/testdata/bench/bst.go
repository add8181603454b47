package main

type node struct {
	key         uint32
	left, right *node
}

func insert(root *node, key uint32) *node {
	at := &root
	for *at != nil {
		if n := *at; key < n.key {
			at = &n.left
		} else if key > n.key {
			at = &n.right
		} else {
			return root
		}
	}
	*at = &node{key: key}
	return root
}

func height(n *node) int {
	if n == nil {
		return 0
	}
	return 1 + max(height(n.left), height(n.right))
}

func main() {
	var root *node
	x := uint32(2463534242)
	for range 50_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		root = insert(root, x)
	}
	println(height(root))
}
