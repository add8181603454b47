package hyperconcolic

// backtrack makes x what it was before event n, n > 0.
func (x *execution) backtrack(n int32) {
	x.clocks.release(x.events[n].before)
	x.decisions = x.decisions[:x.events[n].start]
	x.alternatives = x.alternatives[:x.events[n-1].to]
	x.revisits, x.weight, x.tries = x.revisits[:0], 0, 0
	for k := len(x.nodes); k > 0 && x.nodes[k-1].position >= n; k-- {
		x.nodes = x.nodes[:k-1]
	}
	nodes := int32(len(x.nodes))
	for _, list := range []*[]int32{&x.postponed, &x.choiceNodes, &x.wideNodes, &x.meetingNodes} {
		*list = below(*list, nodes)
	}
	for _, list := range [][]int32{x.postponed, x.choiceNodes} {
		for _, k := range list {
			x.nodes[k].conflicting, x.nodes[k].scanned = nil, 0
		}
	}
	for _, list := range []*[]int32{&x.wide, &x.communications, &x.waited, &x.nonzero, &x.passes, &x.listed} {
		*list = below(*list, n)
	}
	x.backtrackThreads(n)
	x.backtrackObjects(n)
	x.events = x.events[:n]
}

// below returns the elements of an ascending list that are below n.
func below(list []int32, n int32) []int32 {
	k := len(list)
	for k > 0 && list[k-1] >= n {
		k--
	}
	return list[:k]
}

// backtrackThreads is the part of backtrack for threads. It removes those that appeared after
// event n-1, too: they appear again.
func (x *execution) backtrackThreads(n int32) {
	k := len(x.threads)
	for ; k > 0 && x.threads[k-1].creator >= n-1; k-- {
		if th := &x.threads[k-1]; th.goroutine >= 0 {
			x.threadOf[th.goroutine] = 0
		} else {
			delete(x.timers, th.timer)
		}
	}
	x.threads = x.threads[:k]
	for i := range x.threads {
		th := &x.threads[i]
		th.events = below(th.events, n)
		th.begun = x.beginning(th) >= 0
	}
	left := below(x.condEvents, n)
	if len(left) == len(x.condEvents) {
		return
	}
	x.condEvents = left
	for i := range x.threads {
		th := &x.threads[i]
		th.waits, th.notified = cell{}, -1
	}
	for _, i := range x.condEvents {
		x.updateWaiters(&x.events[i], i)
	}
}

// backtrackObjects is the part of backtrack for objects.
func (x *execution) backtrackObjects(n int32) {
	k := len(x.objects)
	for ; k > 0 && x.objects[k-1].created > n; k-- {
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
		// Pending transitions may have shown base before: they are there again.
		if o.base, o.based = o.shown, o.basedBy >= 0; !o.based {
			o.base = 0
		}
	}
}
