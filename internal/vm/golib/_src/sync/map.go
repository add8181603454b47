package sync

// A Map is a map[any]any for concurrent use. Here it is a map behind a lock that
// readers share: two of them order nothing between them.
type Map struct {
	mu      RWMutex
	m       map[any]mapEntry
	changes int // number of times that a value has been stored
}

// A mapEntry is an entry of a Map.
type mapEntry struct {
	value   any
	made    int // Map.changes when the entry was made
	changed int // Map.changes when its value was last stored
}

// Load returns the value of key, and whether there is one.
func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	e, ok := m.m[key]
	return e.value, ok
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
	if e, ok := m.m[key]; ok {
		return e.value, true
	}
	m.set(key, value)
	return value, false
}

// LoadAndDelete deletes the value of key and returns it.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, loaded := m.m[key]
	delete(m.m, key)
	return e.value, loaded
}

// Delete deletes the value of key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// Swap sets the value of key and returns the one before it.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, loaded := m.m[key]
	m.set(key, value)
	return e.value, loaded
}

// CompareAndSwap sets the value of key to new if it is old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.m[key]; !ok || e.value != old {
		return false
	}
	m.set(key, new)
	return true
}

// CompareAndDelete deletes the value of key if it is old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.m[key]; !ok || e.value != old {
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
func (m *Map) Range(f func(key, value any) bool) {
	m.mu.RLock()
	start, left := m.changes, len(m.m)
	var visited []any
	for key, e := range m.m {
		if e.made <= start {
			left--
			if e.changed > start {
				earlier()
			}
		} else if contains(visited, key) {
			continue // it was deleted, and stored again
		}
		visited = append(visited, key)
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

// earlier notes that an earlier state of a key is not shown.
func earlier()

// contains reports whether one of keys is key.
func contains(keys []any, key any) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// set stores an entry; m is locked.
func (m *Map) set(key, value any) {
	if m.m == nil {
		m.m = make(map[any]mapEntry)
	}
	m.changes++
	e, ok := m.m[key]
	if !ok {
		e.made = m.changes
	}
	e.value, e.changed = value, m.changes
	m.m[key] = e
}
