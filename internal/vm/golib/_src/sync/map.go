package sync

// A Map is a map[any]any for concurrent use. Here it is a map behind a lock that
// readers share: two of them order nothing between them.
type Map struct {
	mu RWMutex
	m  map[any]*mapEntry
}

// A mapEntry is an entry of a Map. Each value that is stored has its own, which is how
// Range knows what has been stored since it began: a count of what was stored would tell
// apart Maps in which the same was stored in another order.
type mapEntry struct{ value any }

// A shownValue is a value in a map whose entries Range shows. No other map has values of this type, so that it is
// known that what Range calls does not change that one.
type shownValue any

// Load returns the value of key, and whether there is one.
func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.get(key)
}

// Store sets the value of key.
func (m *Map) Store(key, value any) { m.Swap(key, value) }

// Clear deletes all entries.
func (m *Map) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.m)
}

// LoadOrStore returns the value of key if there is one, and stores value if not.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if actual, loaded = m.get(key); loaded {
		return actual, true
	}
	m.set(key, value)
	return value, false
}

// LoadAndDelete deletes the value of key and returns it.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, loaded = m.get(key)
	delete(m.m, key)
	return value, loaded
}

// Delete deletes the value of key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// Swap sets the value of key and returns the one before it.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	previous, loaded = m.get(key)
	m.set(key, value)
	return previous, loaded
}

// CompareAndSwap sets the value of key to new if it is old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.get(key); !ok || value != old {
		return false
	}
	m.set(key, new)
	return true
}

// CompareAndDelete deletes the value of key if it is old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.get(key); !ok || value != old {
		return false
	}
	delete(m.m, key)
	return true
}

// Range calls f for each entry until it returns false. The lock is not held
// meanwhile: entries stored during the iteration may or may not be visited, but
// none twice.
//
// Range may show a key as it was at any time during the iteration. Here it is shown
// as it is when it is visited, as in all of gc's versions. Where that makes a
// difference, Range notes it.
//
// If the calls of f commute, and nobody else has been started, the entries are visited in one order.
func (m *Map) Range(f func(key, value any) bool) {
	m.mu.RLock()
	var values map[any]shownValue
	if commute(values, f) {
		values = make(map[any]shownValue, len(m.m))
		for key, e := range m.m {
			values[key] = e.value
		}
		m.mu.RUnlock()
		for key, value := range values {
			if !f(key, value) {
				return
			}
		}
		return
	}
	left := len(m.m)
	entries := make(map[any]*mapEntry, left) // when Range began, and nil for keys that have been visited
	for key, e := range m.m {
		entries[key] = e
	}
	for key, e := range m.m {
		if first, ok := entries[key]; ok {
			if first == nil {
				continue // it was deleted, and stored again
			}
			left--
			if e != first {
				earlier()
			}
		}
		entries[key] = nil
		m.mu.RUnlock()
		if !f(key, e.value) {
			return
		}
		m.mu.RLock()
	}
	if left > 0 {
		earlier() // entries were deleted before they were visited
	}
	m.mu.RUnlock()
}

// commute reports whether no other goroutine and no timer has been started, and whether calls of f commute that are made with the
// entries of a map of the type of over, one for each. Then f uses no Map itself.
func commute(over any, f func(key, value any) bool) bool

// earlier notes that an earlier state of a key is not shown.
func earlier()

// get returns the value of key, and whether there is one; m is locked. If the key cannot be hashed, it panics as
// gc's Map does, whose error is not that of a lookup in a map without entries.
func (m *Map) get(key any) (value any, ok bool) {
	if len(m.m) == 0 {
		_ = map[any]bool{nil: true}[key]
		return nil, false
	}
	if e := m.m[key]; e != nil {
		return e.value, true
	}
	return nil, false
}

// set stores an entry; m is locked.
func (m *Map) set(key, value any) {
	if m.m == nil {
		m.m = make(map[any]*mapEntry)
	}
	m.m[key] = &mapEntry{value}
}
