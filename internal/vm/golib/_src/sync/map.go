package sync

// A Map is a map[any]any for concurrent use. Here it is one, behind a lock that
// readers share: two of them order nothing between them.
type Map struct {
	mu RWMutex
	m  map[any]any
}

// Load returns the value of key, and whether there is one.
func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	value, ok = m.m[key]
	return value, ok
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
	if actual, loaded = m.m[key]; loaded {
		return actual, true
	}
	m.set(key, value)
	return value, false
}

// LoadAndDelete deletes the value of key and returns it.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, loaded = m.m[key]
	delete(m.m, key)
	return value, loaded
}

// Delete deletes the value of key.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// Swap sets the value of key and returns the one before it.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	previous, loaded = m.m[key]
	m.set(key, value)
	return previous, loaded
}

// CompareAndSwap sets the value of key to new if it is old.
func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.m[key]; !ok || value != old {
		return false
	}
	m.set(key, new)
	return true
}

// CompareAndDelete deletes the value of key if it is old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if value, ok := m.m[key]; !ok || value != old {
		return false
	}
	delete(m.m, key)
	return true
}

// Range calls f for each entry until it returns false. The lock is not held
// meanwhile: as with a plain map, entries stored during the iteration may or
// may not be visited, and deleted ones are not.
func (m *Map) Range(f func(key, value any) bool) {
	m.mu.RLock()
	for key, value := range m.m {
		m.mu.RUnlock()
		if !f(key, value) {
			return
		}
		m.mu.RLock()
	}
	m.mu.RUnlock()
}

// set stores an entry; m is locked.
func (m *Map) set(key, value any) {
	if m.m == nil {
		m.m = make(map[any]any)
	}
	m.m[key] = value
}
