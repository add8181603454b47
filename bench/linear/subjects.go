package main

import "strings"

// A subject is a container, with mistakes to be put into it.
type subject struct {
	module  string // with its version; a package of GOROOT; or trie
	pkg     string // the pattern of the package, in the module
	typ     string
	flags   []string
	seeds   []seed
	methods string // of which the calls are
}

// A seed is a mistake: one text in a file is replaced by another.
type seed struct {
	what      string
	file      string
	old, text string
}

// relock is what a lock is narrowed with: others come in between.
func relock(lock string) string { return "\t" + lock + ".Unlock()\n\t" + lock + ".Lock()\n" }

// after returns a seed that has a text come after another one.
func after(what, file, old, text string) seed { return seed{what, file, old, old + text} }

// drop returns a seed that leaves out a text of another one.
func drop(what, file, old, dropped string) seed {
	return seed{what, file, old, strings.Replace(old, dropped, "", 1)}
}

// trie is the module that has copies of sync.Map and internal/sync.HashTrieMap, into which mistakes can be put.
const trie = "example.com/trie"

// mapMethods are those of the maps of GOROOT that are called, with one key.
const mapMethods = "Load|Store|LoadOrStore|LoadAndDelete|CompareAndSwap"

var oneKey = []string{"-values", "Load.key=1", "-values", "Store.key=1", "-values", "LoadOrStore.key=1", "-values", "LoadAndDelete.key=1", "-values", "CompareAndSwap.key=1"}

// subjects are ten containers of the proxy, and those of GOROOT.
var subjects = []subject{
	{
		module: "github.com/orcaman/concurrent-map/v2 v2.0.1", pkg: ".", typ: "ConcurrentMap[string,int]", methods: "Set|SetIfAbsent|Get|Pop|Remove|Upsert",
		flags: []string{"-new", "^New$", "-values", `string="a"`},
		seeds: []seed{
			{"SetIfAbsent: check before the lock", "concurrent_map.go", "\tshard.Lock()\n\t_, ok := shard.items[key]\n\tif !ok {", "\tshard.Lock()\n\t_, ok := shard.items[key]\n\tshard.Unlock()\n\tshard.Lock()\n\tif !ok {"},
			after("Upsert: lock narrowed", "concurrent_map.go", "\tv, ok := shard.items[key]\n\tres = cb(ok, v, value)\n", relock("shard")),
		},
	},
	{
		module: "github.com/hashicorp/golang-lru/v2 v2.0.7", pkg: ".", typ: "*Cache[int,int]", methods: "Add|Get|Contains|PeekOrAdd|ContainsOrAdd|Remove|Len",
		flags: []string{"-new", "^New$", "-values", "int=1"},
		seeds: []seed{
			after("ContainsOrAdd: lock narrowed", "lru.go", "\tif c.lru.Contains(key) {\n\t\tc.lock.Unlock()\n\t\treturn true, false\n\t}\n", relock("c.lock")),
			after("PeekOrAdd: lock narrowed", "lru.go", "\tif ok {\n\t\tc.lock.Unlock()\n\t\treturn previous, true, false\n\t}\n", relock("c.lock")),
		},
	},
	{
		module: "github.com/hashicorp/golang-lru/v2 v2.0.7", pkg: ".", typ: "*TwoQueueCache[int,int]", methods: "Add|Get|Contains|Remove|Len",
		flags: []string{"-new", "^New2Q$", "-values", "New2Q.size=2", "-values", "int=1"},
		seeds: []seed{
			after("Get: lock narrowed", "2q.go", "\t\tc.recent.Remove(key)\n\t\tc.frequent.Add(key, val)\n", "\t\tc.frequent.Remove(key)\n\t\tc.lock.Unlock()\n\t\tc.lock.Lock()\n\t\tc.frequent.Add(key, val)\n"),
			{"Add: lock narrowed", "2q.go", "\tif c.recent.Contains(key) {\n\t\tc.recent.Remove(key)\n", "\tif c.recent.Contains(key) {\n\t\tc.recent.Remove(key)\n\t\tc.lock.Unlock()\n\t\tc.lock.Lock()\n"},
		},
	},
	{
		module: "github.com/deckarep/golang-set/v2 v2.9.0", pkg: ".", typ: "Set[int]", methods: "Add|Append|Contains|ContainsOne|Remove|Cardinality|Clear",
		flags: []string{"-new", "^NewSet$"},
		seeds: []seed{
			{"Add: check before the lock", "threadsafe.go", "\tt.Lock()\n\tret := t.uss.Add(v)\n", "\tt.RLock()\n\tret := !t.uss.Contains(v)\n\tt.RUnlock()\n\tt.Lock()\n\tt.uss.Add(v)\n"},
			{"Append: lock narrowed", "threadsafe.go", "\tt.Lock()\n\tret := t.uss.Append(v...)\n\tt.Unlock()\n", "\tret := 0\n\tfor _, one := range v {\n\t\tt.Lock()\n\t\tret += t.uss.Append(one)\n\t\tt.Unlock()\n\t}\n"},
		},
	},
	{
		module: "github.com/smallnest/ringbuffer v0.2.1", pkg: ".", typ: "*RingBuffer", methods: "WriteByte|ReadByte|Length|IsFull|Free|IsEmpty",
		flags: []string{"-new", "^New$"},
		seeds: []seed{
			{"ReadByte: check before the lock", "ring_buffer.go", "\tb = r.buf[r.r]\n\tr.r++\n\tif r.r == r.size {\n\t\tr.r = 0\n\t}\n\n\tr.isFull = false\n\tif r.block {\n\t\tr.readCond.Broadcast()\n\t}\n\treturn b, r.readErr(true)", "\tr.mu.Unlock()\n\tr.mu.Lock()\n\tb = r.buf[r.r]\n\tr.r++\n\tif r.r == r.size {\n\t\tr.r = 0\n\t}\n\n\tr.isFull = false\n\tif r.block {\n\t\tr.readCond.Broadcast()\n\t}\n\treturn b, r.readErr(true)"},
			drop("WriteByte: lock dropped", "ring_buffer.go", "\tr.mu.Lock()\n\tdefer r.mu.Unlock()\n\tif err := r.checkWriteErr(); err != nil {\n\t\treturn err\n\t}\n\terr := r.writeByte(c)\n\tfor err == ErrIsFull", "\tr.mu.Lock()\n\tdefer r.mu.Unlock()\n"),
		},
	},
	{
		module: "github.com/Workiva/go-datastructures v1.1.7", pkg: "./queue", typ: "*Queue", methods: "Put|Get|Len|Empty|Peek",
		flags: []string{"-new", "^New$", "-values", "New.hint=1", "-values", "Get.number=1"},
		seeds: []seed{
			{"Get: lock narrowed", "queue/queue.go", "\titems = q.items.get(number)\n\tq.lock.Unlock()\n\treturn items, nil", "\tq.lock.Unlock()\n\tq.lock.Lock()\n\titems = q.items.get(number)\n\tq.lock.Unlock()\n\treturn items, nil"},
			{"Put: waiter not woken", "queue/queue.go", "\tq.items = append(q.items, items...)\n\tfor {\n", "\tif len(q.items) > 0 {\n\t\tq.items = append(q.items, items...)\n\t\tq.lock.Unlock()\n\t\treturn nil\n\t}\n\tq.items = append(q.items, items...)\n\tfor len(q.items) > 1 {\n"},
		},
	},
	{
		module: "github.com/patrickmn/go-cache v2.1.0+incompatible", pkg: ".", typ: "*Cache", methods: "Set|Get|Add|Delete|Replace|IncrementInt|ItemCount",
		flags: []string{"-new", "^New$", "-values", "time.Duration=0", "-values", `string="a"`, "-values", "any=1"},
		seeds: []seed{
			{"Add: lock narrowed", "cache.go", "\t\treturn fmt.Errorf(\"Item %s already exists\", k)\n\t}\n", "\t\treturn fmt.Errorf(\"Item %s already exists\", k)\n\t}\n\tc.mu.Unlock()\n\tc.mu.Lock()\n"},
			{"Replace: lock narrowed", "cache.go", "\t\treturn fmt.Errorf(\"Item %s doesn't exist\", k)\n\t}\n", "\t\treturn fmt.Errorf(\"Item %s doesn't exist\", k)\n\t}\n\tc.mu.Unlock()\n\tc.mu.Lock()\n"},
		},
	},
	{
		module: "github.com/tidwall/btree v1.8.2", pkg: ".", typ: "*BTreeG[int]", methods: "Set|Get|Delete|Min|PopMin",
		flags: []string{"-new", "^NewBTreeG$"},
		seeds: []seed{
			{"SetHint: no lock", "btreeg.go", "\t\ttr.mu.Lock()\n\t\tprev, replaced = tr.setHint(item, hint)\n\t\ttr.mu.Unlock()\n", "\t\tprev, replaced = tr.setHint(item, hint)\n"},
			{"Delete: lock narrowed", "btreeg.go", "func (tr *BTreeG[T]) Delete(key T) (T, bool) {\n", "func (tr *BTreeG[T]) Delete(key T) (T, bool) {\n\tif v, ok := tr.Get(key); ok {\n\t\ttr.DeleteHint(key, nil)\n\t\treturn v, true\n\t}\n"},
		},
	},
	{
		module: "github.com/jellydator/ttlcache/v3 v3.4.1", pkg: ".", typ: "*Cache[int,int]", methods: "Set|Get|Delete|Has|Len|GetOrSet|GetAndDelete",
		flags: []string{"-values", "time.Duration=-1", "-values", "int=1"},
		seeds: []seed{
			{"GetOrSetFunc: lock narrowed", "cache.go", "\tsetOpts = applyOptions(setOpts, opts...) // used only to update the TTL\n\n\titem := c.set(key, fn(), setOpts.ttl)\n\n\treturn item, false", "\tsetOpts = applyOptions(setOpts, opts...) // used only to update the TTL\n\n\tc.items.mu.Unlock()\n\tc.items.mu.Lock()\n\titem := c.set(key, fn(), setOpts.ttl)\n\n\treturn item, false"},
			{"GetAndDelete: lock narrowed", "cache.go", "\tc.delete(key)\n\tc.items.mu.Unlock()\n\n\treturn elem, true", "\tc.items.mu.Unlock()\n\tc.Delete(key)\n\n\treturn elem, true"},
		},
	},
	{
		module: "github.com/bep/lazycache v0.9.0", pkg: ".", typ: "*Cache[int,int]", methods: "Set|Get|Delete|Len|Resize",
		flags: []string{"-values", "int=1", "-values", "Options[int,int]=lazycache.Options[int,int]{MaxEntries: 2}"},
		seeds: []seed{
			{"Delete: lock narrowed", "lazycache.go", "\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\treturn c.lru.Remove(key)", "\tif !c.contains(key) {\n\t\treturn false\n\t}\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tc.lru.Remove(key)\n\treturn true"},
			{"Set: lock narrowed", "lazycache.go", "func (c *Cache[K, V]) Set(key K, value V) {\n", "func (c *Cache[K, V]) Set(key K, value V) {\n\tc.Delete(key)\n"},
		},
	},
	{module: "sync", pkg: "sync", typ: "*Map", methods: mapMethods, flags: oneKey},
	{module: "internal/sync", pkg: "internal/sync", typ: "*HashTrieMap[int,int]", methods: mapMethods, flags: oneKey},
	{
		module: trie, pkg: ".", typ: "*HashTrieMap[int,int]", methods: mapMethods,
		flags: oneKey,
		seeds: []seed{
			drop("LoadOrStore: second check dropped", "hashtriemap.go", "\t\toldEntry = n.entry()\n\t\tif v, ok := oldEntry.lookup(key); ok {\n\t\t\t// Easy case: by loading again, it turns out exactly what we wanted is here!\n\t\t\treturn v, true\n\t\t}\n", "\t\tif v, ok := oldEntry.lookup(key); ok {\n\t\t\t// Easy case: by loading again, it turns out exactly what we wanted is here!\n\t\t\treturn v, true\n\t\t}\n"),
			drop("CompareAndSwap: lock narrowed", "hashtriemap.go", "\ti, _, slot, n := ht.find(key, hash, ht.valEqual, old)\n\tif i != nil {\n\t\tdefer i.mu.Unlock()\n\t}\n", "defer "),
		},
	},
	{
		module: trie, pkg: ".", typ: "*Map", methods: mapMethods,
		flags: oneKey,
		seeds: []seed{
			after("LoadOrStore: check before the lock", "map.go", "func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {\n", "\tif v, ok := m.m.Load(key); ok {\n\t\treturn v, true\n\t}\n\tm.m.Store(key, value)\n\treturn value, false\n"),
			after("LoadAndDelete: lock narrowed", "map.go", "func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {\n", "\tif v, ok := m.m.Load(key); ok {\n\t\tm.m.Delete(key)\n\t\treturn v, true\n\t}\n"),
		},
	},
}
