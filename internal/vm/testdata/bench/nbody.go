package main

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func advance(bodies []body, dt float64) {
	for i := range bodies {
		a := &bodies[i]
		for j := i + 1; j < len(bodies); j++ {
			b := &bodies[j]
			dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
			d := dx*dx + dy*dy + dz*dz + 0.01
			mag := dt / (d * d)
			a.vx -= dx * b.mass * mag
			a.vy -= dy * b.mass * mag
			a.vz -= dz * b.mass * mag
			b.vx += dx * a.mass * mag
			b.vy += dy * a.mass * mag
			b.vz += dz * a.mass * mag
		}
	}
	for i := range bodies {
		b := &bodies[i]
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

func main() {
	bodies := make([]body, 5)
	for i := range bodies {
		f := float64(i)
		bodies[i] = body{f, f * 2, f * 3, 0.1, 0.2 * f, 0.3, 1 + f}
	}
	for range 50_000 {
		advance(bodies, 0.001)
	}
	println(bodies[0].x, bodies[4].vz)
}
