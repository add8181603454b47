package hyperconcolic

// cut takes x back to what it was before event n, n > 0, was looked at.
func (x *execution) cut(n int32) {
	x.clocks.release(x.events[n].before)
	x.moves = x.moves[:x.events[n].start]
	x.entries = x.entries[:x.events[n-1].to]
	x.revisits, x.weight = x.revisits[:0], 0
	for k := len(x.nodes); k > 0 && x.nodes[k-1].position >= n; k-- {
		x.nodes = x.nodes[:k-1]
	}
	nodes := int32(len(x.nodes))
	for _, list := range []*[]int32{&x.kept, &x.choices, &x.broad} {
		*list = below(*list, nodes)
	}
	for _, list := range [][]int32{x.kept, x.choices} {
		for _, k := range list {
			x.nodes[k].touched, x.nodes[k].seen = nil, 0
		}
	}
	for _, list := range []*[]int32{&x.wide, &x.talks, &x.altered} {
		*list = below(*list, n)
	}
	x.cutThreads(n)
	x.cutObjects(n)
	x.events = x.events[:n]
}

// below returns the beginning of an ascending list with the elements below n.
func below(list []int32, n int32) []int32 {
	k := len(list)
	for k > 0 && list[k-1] >= n {
		k--
	}
	return list[:k]
}

// cutThreads is the part of cut for threads. Those that were there after event n-1
// are found when event n is looked at.
func (x *execution) cutThreads(n int32) {
	k := len(x.threads)
	for ; k > 0 && x.threads[k-1].creator >= n-1; k-- {
		if t := &x.threads[k-1]; t.goroutine >= 0 {
			x.threadOf[t.goroutine] = 0
		} else {
			delete(x.timers, t.alt)
		}
	}
	x.threads = x.threads[:k]
	for i := range x.threads {
		t := &x.threads[i]
		t.events = below(t.events, n)
	}
	left := below(x.waiting, n)
	if len(left) == len(x.waiting) {
		return
	}
	x.waiting = left
	for i := range x.threads {
		t := &x.threads[i]
		t.waits, t.notified = cell{}, -1
	}
	for _, i := range x.waiting {
		x.notify(&x.events[i], i)
	}
}

// cutObjects is the part of cut for objects.
func (x *execution) cutObjects(n int32) {
	k := len(x.objects)
	for ; k > 0 && x.objects[k-1].made > n; k-- {
		delete(x.objectOf, x.objects[k-1].id)
	}
	x.objects = x.objects[:k]
	for i := range x.objects {
		o := &x.objects[i]
		for _, list := range []*[]int32{&o.events, &o.sends, &o.receives, &o.closes} {
			*list = below(*list, n)
		}
		o.closed = o.closed && o.closedBy < n
		o.timed = o.timed && o.timedBy < n
		if o.basedBy >= n {
			o.basedBy, o.shown = -1, 0
		}
		// What was about to happen may have shown it before.
		if o.base, o.based = o.shown, o.basedBy >= 0; !o.based {
			o.base = 0
		}
	}
}
