package main

type key struct {
	a int
	s string
}

type nested struct {
	k key
	p *int
	i any
}

func sum(m map[int]int) (keys, values int) {
	for k, v := range m {
		keys += k
		values += v
	}
	return
}

func main() {
	m := map[int]int{}
	for i := range 1000 {
		m[i*7] = i
	}
	println(len(m))
	for i := 0; i < 1000; i += 3 {
		delete(m, i*7)
	}
	println(len(m))
	println(sum(m))
	for i := range 500 {
		m[i] += i
	}
	println(sum(m))
	v, ok := m[14]
	println(v, ok)
	v, ok = m[-1]
	println(v, ok)

	// Deleting while iterating: what is deleted does not come.
	seen := 0
	for k := range m {
		seen++
		for j := range 4000 {
			if j != k {
				delete(m, j)
			}
		}
		for j := 4000; j < 8000; j++ {
			if j != k {
				delete(m, j)
			}
		}
	}
	println("seen", seen, len(m))

	// Adding while iterating: all old entries come once.
	m = map[int]int{1: 1, 2: 2, 3: 3}
	count := map[int]int{}
	for k := range m {
		count[k]++
		if len(m) < 100 {
			for j := range 30 {
				m[100+len(m)+j] = 1
			}
		}
	}
	println(count[1], count[2], count[3])
	for k := range m {
		if k > 50 {
			clear(m)
		}
	}
	println(len(m))

	ks := map[key]string{{1, "a"}: "one", {2, "b"}: "two"}
	ks[key{1, "a"}] += "!"
	println(ks[key{1, "a"}], ks[key{2, "b"}], ks[key{1, "b"}] == "")

	x := 5
	ns := map[nested]int{}
	ns[nested{key{1, "x"}, &x, 1.5}] = 1
	ns[nested{key{1, "x"}, &x, 1.5}]++
	ns[nested{key{1, "x"}, nil, 1.5}]++
	ns[nested{key{1, "x"}, &x, "s"}]++
	println(len(ns), ns[nested{key{1, "x"}, &x, 1.5}])

	is := map[any]int{1: 1, "1": 2, 1.0: 3, int8(1): 4, true: 5, key{1, "k"}: 6, nil: 7}
	println(is[1], is["1"], is[1.0], is[int8(1)], is[true], is[key{1, "k"}], is[nil], is[uint(1)])

	var z float64
	nan := z / z
	fs := map[float64]int{nan: 1, 0: 2}
	fs[nan] = 3
	fs[-z] = 4
	println(len(fs), fs[0], fs[nan])
	total := 0
	for _, v := range fs {
		total += v
	}
	println(total)
	clear(fs)
	println(len(fs))

	arr := map[[2]string]bool{{"a", "b"}: true}
	println(arr[[2]string{"a", "b"}], arr[[2]string{"b", "a"}])

	big := map[string][]int{}
	for i := range 50 {
		k := string(rune('a' + i%26))
		big[k] = append(big[k], i)
	}
	println(len(big), len(big["a"]), len(big["z"]), big["b"][1])

	var nilMap map[string]int
	println(len(nilMap), nilMap["x"])
	delete(nilMap, "x")
	for range nilMap {
		println("never")
	}
	type small struct{}
	set := map[small]small{{}: {}}
	_, ok = set[small{}]
	println(len(set), ok)
	mm := map[string]map[string]int{"a": {"b": 1}}
	mm["a"]["c"]++
	println(mm["a"]["b"], mm["a"]["c"], mm["x"]["y"])
	f := map[string]func(int) int{"double": func(i int) int { return 2 * i }}
	println(f["double"](21))
}
