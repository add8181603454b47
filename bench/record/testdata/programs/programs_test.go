// Package programs has tests of which native runs are recorded, to measure what that costs. The first four are
// written after the descriptions of the Java Grande programs with the same names and of a stress test, which compute;
// the others synchronise, and do little else.
package programs

import (
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const goroutines = 4

// parallel has each of some goroutines do a part of n.
func parallel(n int, do func(from, to int)) {
	var wg sync.WaitGroup
	for i := range goroutines {
		wg.Go(func() { do(i*n/goroutines, (i+1)*n/goroutines) })
	}
	wg.Wait()
}

type vector struct{ x, y, z float64 }

func (v vector) add(w vector) vector    { return vector{v.x + w.x, v.y + w.y, v.z + w.z} }
func (v vector) scale(f float64) vector { return vector{v.x * f, v.y * f, v.z * f} }
func (v vector) dot(w vector) float64   { return v.x*w.x + v.y*w.y + v.z*w.z }
func (v vector) minus(w vector) vector  { return v.add(w.scale(-1)) }
func (v vector) normal() vector         { return v.scale(1 / math.Sqrt(v.dot(v))) }

// TestMoldyn computes how particles move that attract and repel each other: each goroutine the forces on some of them, of all others.
func TestMoldyn(t *testing.T) {
	const n, steps = 600, 60
	type particle struct{ at, speed, force vector }
	ps := make([]particle, n)
	for i := range ps {
		ps[i].at = vector{float64(i % 9), float64(i / 9 % 9), float64(i / 81)}
	}
	for range steps {
		parallel(n, func(from, to int) {
			for i := from; i < to; i++ {
				p := &ps[i]
				p.force = vector{}
				for j := range ps {
					if j == i {
						continue
					}
					d := p.at.minus(ps[j].at)
					r := 1 / d.dot(d)
					p.force = p.force.add(d.scale(r * r * r * r * (r*r*r - 0.5)))
				}
			}
		})
		parallel(n, func(from, to int) {
			for i := from; i < to; i++ {
				p := &ps[i]
				p.speed = p.speed.add(p.force.scale(1e-4))
				p.at = p.at.add(p.speed.scale(1e-4))
			}
		})
	}
	if math.IsNaN(ps[0].at.x) {
		t.Error("no place")
	}
}

// TestMonteCarlo draws paths of a price, and takes their mean under a lock.
func TestMonteCarlo(t *testing.T) {
	const paths, days = 20000, 250
	var mu sync.Mutex
	sum, values := 0.0, []float64{}
	parallel(paths, func(from, to int) {
		random := rand.New(rand.NewPCG(uint64(from), 1))
		for range to - from {
			prices := make([]float64, days)
			price := 100.0
			for day := range prices {
				price *= math.Exp(0.0001 + 0.01*random.NormFloat64())
				prices[day] = price
			}
			mu.Lock()
			sum += prices[days-1]
			values = append(values, prices[days-1])
			mu.Unlock()
		}
	})
	if slices.Sort(values); len(values) != paths || sum <= 0 {
		t.Error(len(values), sum)
	}
}

// TestRayTracer draws 64 spheres, row by row.
func TestRayTracer(t *testing.T) {
	const size = 500
	type sphere struct {
		center vector
		radius float64
	}
	var scene []sphere
	for i := range 64 {
		scene = append(scene, sphere{vector{float64(i%4) - 1.5, float64(i/4%4) - 1.5, 4 + float64(i/16)}, 0.4})
	}
	var next, sum atomic.Int64
	picture := make([][]byte, size)
	parallel(goroutines, func(_, _ int) {
		for {
			y := int(next.Add(1)) - 1
			if y >= size {
				return
			}
			row := make([]byte, size)
			for x := range row {
				ray := vector{float64(x)/size - 0.5, float64(y)/size - 0.5, 1}.normal()
				nearest := math.Inf(1)
				for i := range scene {
					s := &scene[i]
					b := ray.dot(s.center)
					if d := b*b - s.center.dot(s.center) + s.radius*s.radius; d > 0 {
						nearest = min(nearest, b-math.Sqrt(d))
					}
				}
				row[x] = byte(nearest * 16)
			}
			sum.Add(size)
			picture[y] = row
		}
	})
	if sum.Load() != size*size {
		t.Error(sum.Load())
	}
}

// TestCompute computes without memory that goroutines share.
func TestCompute(t *testing.T) {
	results := make([]uint64, goroutines)
	parallel(goroutines, func(from, _ int) {
		x := uint64(from + 1)
		for range 60_000_000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		results[from] = x
	})
	if slices.Contains(results, 0) {
		t.Error(results)
	}
}

// TestMergeSort sorts, each half with a goroutine of its own if it is long.
func TestMergeSort(t *testing.T) {
	values := make([]int, 1<<19)
	for i := range values {
		values[i] = i * 7919 % 1000003
	}
	if mergeSort(values, make([]int, len(values))); !slices.IsSorted(values) {
		t.Error("not sorted")
	}
}

func mergeSort(values, space []int) {
	if len(values) < 2 {
		return
	}
	half := len(values) / 2
	if len(values) > 1<<14 {
		done := make(chan bool)
		go func() {
			mergeSort(values[:half], space[:half])
			close(done)
		}()
		mergeSort(values[half:], space[half:])
		<-done
	} else {
		mergeSort(values[:half], space[:half])
		mergeSort(values[half:], space[half:])
	}
	copy(space, values)
	for i, j, k := 0, half, 0; k < len(values); k++ {
		if j == len(space) || i < half && space[i] <= space[j] {
			values[k] = space[i]
			i++
		} else {
			values[k] = space[j]
			j++
		}
	}
}

// TestLock counts under one lock.
func TestLock(t *testing.T) {
	var mu sync.Mutex
	n := 0
	parallel(goroutines, func(_, _ int) {
		for range 200_000 {
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
	if n != goroutines*200_000 {
		t.Error(n)
	}
}

// TestFree takes and releases a lock that nobody else wants.
func TestFree(t *testing.T) {
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		var mu sync.Mutex
		for range 2_000_000 {
			mu.Lock()
			n++
			mu.Unlock()
		}
	})
	wg.Wait()
	if n != 2_000_000 {
		t.Error(n)
	}
}

// TestPipeline passes values on from goroutine to goroutine.
func TestPipeline(t *testing.T) {
	source := make(chan int)
	last := source
	for range goroutines {
		from, to := last, make(chan int)
		go func() {
			for v := range from {
				to <- v + 1
			}
			close(to)
		}()
		last = to
	}
	go func() {
		for v := range 50_000 {
			source <- v
		}
		close(source)
	}()
	sum := 0
	for v := range last {
		sum += v
	}
	if sum != 50_000*49_999/2+50_000*goroutines {
		t.Error(sum)
	}
}

// TestPool has workers take jobs from a channel with a buffer.
func TestPool(t *testing.T) {
	type job struct{ n, square int }
	jobs, done := make(chan *job, 16), make(chan *job, 16)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for j := range jobs {
				j.square = j.n * j.n
				done <- j
			}
		})
	}
	go func() {
		for n := range 200_000 {
			jobs <- &job{n: n}
		}
		close(jobs)
		wg.Wait()
		close(done)
	}()
	for j := range done {
		if j.square != j.n*j.n {
			t.Error(j.n)
		}
	}
}

// TestServer has clients ask a server.
func TestServer(t *testing.T) {
	var mu sync.RWMutex
	hits := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		hits[r.URL.Path]++
		mu.Unlock()
		mu.RLock()
		defer mu.RUnlock()
		io.WriteString(w, strings.Repeat("x", 100+hits[r.URL.Path]%10))
	}))
	defer server.Close()
	parallel(goroutines, func(from, _ int) {
		for range 1000 {
			r, err := server.Client().Get(server.URL + "/" + string(rune('a'+from)))
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
		}
	})
}
