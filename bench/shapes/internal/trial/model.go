package trial

import "slices"

// Add is the model of the insertion into a set: it returns 1 if the key is new.
func Add(keys []int, key int) ([]int, int) {
	i, found := slices.BinarySearch(keys, key)
	if found {
		return keys, 0
	}
	return slices.Insert(keys, i, key), 1
}

// Has is the model of a search in a set: it returns 1 if the key is there.
func Has(keys []int, key int) ([]int, int) { return keys, Int(slices.Contains(keys, key)) }

// Remove is the model of a deletion from a set: it returns 1 if the key was there.
func Remove(keys []int, key int) ([]int, int) {
	i, found := slices.BinarySearch(keys, key)
	if !found {
		return keys, 0
	}
	return slices.Delete(keys, i, i+1), 1
}

// Push is the model of an operation that adds a key at the end.
func Push(keys []int, key int) ([]int, int) { return append(keys, key), 0 }

// First is the model of an operation that removes and returns the first key, or returns -1.
func First(keys []int, _ int) ([]int, int) {
	if len(keys) == 0 {
		return keys, -1
	}
	return keys[1:], keys[0]
}

// Int returns 1 for true.
func Int(b bool) int {
	if b {
		return 1
	}
	return 0
}
