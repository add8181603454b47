package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type P struct {
	X, Y int
	S    string `json:"s"`
	M    map[string]int
}

type E struct{ code int }

func (e *E) Error() string { return "E" + strconv.Itoa(e.code) }

func main() {
	fmt.Println("hello", 1, 2.5, true, []int{1, 2}, map[string]int{"b": 1, "a": 2})
	fmt.Printf("%v %+v %#v %T\n", P{1, 2, "s", nil}, &P{1, 2, "s", map[string]int{"k": 1}}, P{}, P{})
	fmt.Printf("%5d|%-5d|%05d|%x|%q|%8.3f|%e|%g\n", 42, 42, 42, "hi", "q", math.Pi, 1e10, 1e-7)
	s := []string{"c", "a", "b"}
	sort.Strings(s)
	fmt.Println(strings.Join(s, ","), strings.Repeat("x", 3), strings.Split("a,b,c", ","), strings.Contains("hello", "ell"))
	err := fmt.Errorf("wrap: %w", &E{3})
	var e *E
	fmt.Println(errors.As(err, &e), e.code, err)
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n += i
			mu.Unlock()
		}()
	}
	wg.Wait()
	fmt.Println(n)
	b, err := json.Marshal(P{1, 2, "x", map[string]int{"z": 1, "y": 2}})
	fmt.Println(string(b), err)
	var p P
	fmt.Println(json.Unmarshal([]byte(`{"X":5,"s":"str","M":{"a":1}}`), &p), p)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err())
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "%d-%s", 7, "x")
	fmt.Println(buf.String())
	sc := bufio.NewScanner(strings.NewReader("l1\nl2\n"))
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	fmt.Println(slices.Sorted(maps.Keys(map[int]bool{3: true, 1: true})))
	fmt.Fprintln(os.Stderr, "stderr", time.Duration(1500)*time.Millisecond)
	f, err := strconv.ParseFloat("1.25e3", 64)
	fmt.Println(f, err, strconv.Quote("a\tb"))
	_, err = strconv.Atoi("zz")
	fmt.Println(err)
	var once sync.Once
	once.Do(func() { fmt.Println("once") })
	once.Do(func() { fmt.Println("twice") })
	select {
	case <-time.After(time.Second):
		fmt.Println("after")
	}
}
