package inputs

import (
	"bytes"
	"strings"
	"sync"
)

// Searches in texts are conditions, of which there are few inputs.

// want: in
// want: out
// inputs: 2
// over: s[0]=/05:9a
func kernelSet() {
	if strings.IndexByte("0123456789", text("s", 1)[0]) < 0 {
		print("out")
	} else {
		print("in")
	}
}

// want: found
// want: not found
// inputs: 2
// over: s[0]=:/a s[1]=:/ s[2]=:/ s[3]=:/ s[4]=/a s[5]=:/ s[6]=/a s[7]=/a
func kernelContains() {
	if strings.Contains(text("s", 8), "://") {
		print("found")
	} else {
		print("not found")
	}
}

// want: three
// want: other
// inputs: 2
// over: s[0]=9:; s[1]=9:; s[2]=9:; s[3]=9:; s[4]=9:; s[5]=9:;
func kernelCount() {
	if strings.Count(text("s", 6), ":") == 3 {
		print("three")
	} else {
		print("other")
	}
}

// want: less
// want: equal
// want: greater
// over: s[0]=stu s[1]=ade s[2]=xy s[3]=stu
func kernelCompare() {
	switch strings.Compare(text("s", 4), "text") {
	case -1:
		print("less")
	case 0:
		print("equal")
	case 1:
		print("greater")
	}
}

// want: same
// want: other
// inputs: 2
// over: s[0]=abc s[1]=abc s[2]=abc s[3]=abc s[4]=abc
func kernelLast() {
	s := []byte(text("s", 5))
	if bytes.LastIndex(s, []byte("ab")) != bytes.Index(s, []byte("ab")) {
		print("other")
	} else {
		print("same")
	}
}

// A place that is a bound is a condition for each.
//
// want:
// want: =0
// want: =1
// want: =2
// over: s[0]=<=> s[1]=<=> s[2]=<=>
func kernelCut() {
	if before, _, ok := strings.Cut(text("s", 3), "="); ok {
		print("=", len(before))
	}
}

// The bytes of a slice that others may write to are read one by one only if there is a race.
//
// want: found
// want: not found
// inputs: 2
// over: s[0]=wxy s[1]=wxy s[2]=wxy s[3]=wxy
func kernelShared() {
	b := []byte(text("s", 4))
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		b[1]++
	}()
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	if bytes.IndexByte(b, 'x') >= 0 {
		print("found")
	} else {
		print("not found")
	}
}
