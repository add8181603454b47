// Command bst inserts keys into a binary search tree.
package main

type node struct {
	key         uint32
	left, right *node
}

func insert(root *node, key uint32) *node {
	if root == nil {
		return &node{key: key}
	}
	if key < root.key {
		root.left = insert(root.left, key)
	} else if key > root.key {
		root.right = insert(root.right, key)
	}
	return root
}

func size(n *node) int {
	if n == nil {
		return 0
	}
	return size(n.left) + size(n.right) + 1
}

func main() {
	var root *node
	x := uint32(1)
	for n := 0; n < 60_000; n++ {
		x = x*1664525 + 1013904223
		root = insert(root, x>>4)
	}
	if size(root) < 59_000 {
		panic("keys are missing")
	}
}
