package fingerprint

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// addQueues appends to h the queues of channels. Their numbers are in cells.
func (p *Printer) addQueues(h *hash, from name) {
	h.addInt(len(p.Queues))
	at := uint64(atQueues)
	add := func(o *heap.Object) {
		p.addPointer(h, o, from, at)
		at++
	}
	for i := range p.Queues {
		q := &p.Queues[i]
		h.addHash(hash(nameOfID(q.ID)))
		add(q.Bubble)
		h.addInt(q.Waiters)
		h.addInt(len(q.Channels))
		for _, ch := range q.Channels {
			add(ch)
		}
	}
}

// addNamedQueues adds the queues of channels when objects have names that do not depend on the order of goroutines, as that of the
// queues does. Of a queue it counts which channels have it, how many wait there, and after which channel it is named, since the labels of steps
// have that name. Channels that nothing can reach any more do not count.
func (p *Printer) addNamedQueues() {
	if !p.renames {
		return
	}
	for i := range p.Queues {
		q := &p.Queues[i]
		var channels set
		for _, ch := range q.Channels {
			if ch.ID.Goroutine == run.HiddenObjects || q.Bubble != nil {
				p.fixed = true
				return
			}
			if p.isOld(ch) || ch.Marking == p.mark {
				one := begin(tagObject)
				one.addHash(hash(p.nameByID(ch.ID)))
				channels.add(one)
			}
		}
		if channels == (set{}) {
			continue
		}
		h := begin(tagQueue)
		h.addHash(hash(channels))
		h.addInt(q.Waiters)
		p.addObjectID(&h, q.ID)
		p.all.add(h)
	}
}

// isQueueNumber reports whether a cell has the number of a queue, which depends on the order of goroutines: what counts of it where names do
// not is with the queues.
func (p *Printer) isQueueNumber(o *heap.Object, off int) bool {
	return p.renames && o.Kind == heap.ChanObject && off == state.ChanQueue
}
