package sat

// heap holds variables, the most active on top; among equals the one made
// first.
type heap struct {
	activity *[]float64
	vars     []int32
	place    []int32 // of each variable in vars, or -1
}

func (h *heap) reset() {
	h.vars = h.vars[:0]
	h.place = h.place[:0]
}

func (h *heap) before(v, w int32) bool {
	a, b := (*h.activity)[v], (*h.activity)[w]
	return a > b || a == b && v < w
}

// push adds v unless it is there.
func (h *heap) push(v int) {
	for len(h.place) <= v {
		h.place = append(h.place, -1)
	}
	if h.place[v] >= 0 {
		return
	}
	h.vars = append(h.vars, int32(v))
	h.up(len(h.vars) - 1)
}

// pop removes the top.
func (h *heap) pop() (v int, ok bool) {
	if len(h.vars) == 0 {
		return 0, false
	}
	top := h.vars[0]
	last := h.vars[len(h.vars)-1]
	h.vars = h.vars[:len(h.vars)-1]
	h.place[top] = -1
	if len(h.vars) > 0 {
		h.vars[0] = last
		h.down(0)
	}
	return int(top), true
}

// raise puts v, if it is there, into its place after its activity has grown.
func (h *heap) raise(v int) {
	if h.place[v] >= 0 {
		h.up(int(h.place[v]))
	}
}

func (h *heap) up(i int) {
	v := h.vars[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(v, h.vars[parent]) {
			break
		}
		h.vars[i] = h.vars[parent]
		h.place[h.vars[i]] = int32(i)
		i = parent
	}
	h.vars[i] = v
	h.place[v] = int32(i)
}

func (h *heap) down(i int) {
	v := h.vars[i]
	for {
		child := 2*i + 1
		if child >= len(h.vars) {
			break
		}
		if child+1 < len(h.vars) && h.before(h.vars[child+1], h.vars[child]) {
			child++
		}
		if !h.before(h.vars[child], v) {
			break
		}
		h.vars[i] = h.vars[child]
		h.place[h.vars[i]] = int32(i)
		i = child
	}
	h.vars[i] = v
	h.place[v] = int32(i)
}
