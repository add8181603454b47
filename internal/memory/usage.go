package memory

import "runtime/metrics"

// A usage is how much memory the process has.
type usage struct {
	total Size // as GOMEMLIMIT counts it
	live  Size // that was not garbage at the last collection, and what the runtime needs besides
}

// readUsage returns the memory of the process.
func readUsage() usage {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	var n [6]Size
	for i := range samples {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			n[i] = Size(samples[i].Value.Uint64())
		}
	}
	total, besides := n[0]-n[1], n[0]-n[1]-n[2]-n[3]-n[4]
	return usage{total: total, live: n[5] + besides}
}
