package p

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func xorshift(seed uint64, n int) uint64 {
	x := seed
	for i := 0; i < n; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x * 0x2545F4914F6CDD1D
}

func quicksort(a []int, lo, hi int) {
	for lo < hi {
		p := a[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for a[i] < p {
				i++
			}
			for p < a[j] {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		quicksort(a, lo, j)
		lo = i
	}
}

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) insert(key int) *tree {
	if t == nil {
		return &tree{key: key}
	}
	if key < t.key {
		t.left = t.left.insert(key)
	} else {
		t.right = t.right.insert(key)
	}
	return t
}

func (t *tree) find(key int) bool {
	for t != nil && t.key != key {
		if key < t.key {
			t = t.left
		} else {
			t = t.right
		}
	}
	return t != nil
}

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func advance(bodies []body, dt float64) {
	for i := range bodies {
		a := &bodies[i]
		for j := i + 1; j < len(bodies); j++ {
			b := &bodies[j]
			dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
			mag := dt / (dx*dx + dy*dy + dz*dz)
			a.vx -= dx * b.mass * mag
			b.vx += dx * a.mass * mag
		}
		a.x += dt * a.vx
	}
}

func sum(m map[string]int, s string) (total int) {
	for _, v := range m {
		total += v
	}
	for _, r := range s {
		total += int(r)
	}
	for i := range 10 {
		total += i
	}
	return total
}
