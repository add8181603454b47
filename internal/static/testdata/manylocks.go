package main

import "sync"

var (
	m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14           sync.Mutex
	m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29 sync.Mutex
	m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42, m43, m44 sync.Mutex
	m45, m46, m47, m48, m49, m50, m51, m52, m53, m54, m55, m56, m57, m58, m59 sync.Mutex
)

var locks = []*sync.Mutex{
	&m0, &m1, &m2, &m3, &m4, &m5, &m6, &m7, &m8, &m9, &m10, &m11, &m12, &m13, &m14,
	&m15, &m16, &m17, &m18, &m19, &m20, &m21, &m22, &m23, &m24, &m25, &m26, &m27, &m28, &m29,
	&m30, &m31, &m32, &m33, &m34, &m35, &m36, &m37, &m38, &m39, &m40, &m41, &m42, &m43, &m44,
	&m45, &m46, &m47, &m48, &m49, &m50, &m51, &m52, &m53, &m54, &m55, &m56, &m57, &m58, &m59,
}

func first(i, k int) {
	locks[i].Lock()
	locks[k].Lock()
	locks[k].Unlock()
	locks[i].Unlock()
}

func second(i, k int) {
	locks[i].Lock()
	locks[k].Lock()
	locks[k].Unlock()
	locks[i].Unlock()
}

func third(i, k int) {
	locks[i].Lock()
	locks[k].Lock()
	locks[k].Unlock()
	locks[i].Unlock()
}

func main() {
	go first(0, 1)
	go second(1, 2)
	third(2, 0)
}
