package typical

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestTypical(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var lines []string
	for i := range 2 {
		wg.Go(func() {
			b, err := json.Marshal(map[string]int{"n": i})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			lines = append(lines, fmt.Sprint(string(b)))
			mu.Unlock()
		})
	}
	wg.Wait()
	if s := strings.Join(lines, ","); len(s) != len(`{"n":0},{"n":1}`) {
		t.Error(s)
	}
}
