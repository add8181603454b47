package sync

import "sync"

// A Map is a sync.Map with a lock.
type Map struct {
	mu      sync.Mutex
	entries map[any]any
}

func (m *Map) Load(key any) (value any, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok = m.entries[key]
	return value, ok
}

func (m *Map) Store(key, value any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(key, value)
}

// set stores a value while the lock is held.
func (m *Map) set(key, value any) {
	if m.entries == nil {
		m.entries = make(map[any]any)
	}
	m.entries[key] = value
}

func (m *Map) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = nil
}

func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if actual, loaded = m.entries[key]; !loaded {
		m.set(key, value)
		actual = value
	}
	return actual, loaded
}

func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, loaded = m.entries[key]
	delete(m.entries, key)
	return value, loaded
}

func (m *Map) Delete(key any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
}

func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	previous, loaded = m.entries[key]
	m.set(key, value)
	return previous, loaded
}

func (m *Map) CompareAndSwap(key, old, new any) (swapped bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.entries[key]
	if !ok || value != old {
		return false
	}
	m.entries[key] = new
	return true
}

func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.entries[key]
	if !ok || value != old {
		return false
	}
	delete(m.entries, key)
	return true
}

// Range calls f for the entries that the map has when it begins.
func (m *Map) Range(f func(key, value any) bool) {
	for _, e := range m.list() {
		if !f(e.key, e.value) {
			break
		}
	}
}

// An entry is one of a map.
type entry struct{ key, value any }

func (m *Map) list() []entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []entry
	for key, value := range m.entries {
		list = append(list, entry{key, value})
	}
	return list
}
