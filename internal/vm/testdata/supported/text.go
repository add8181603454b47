// Packages of the standard library that are run from their own source.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/template"
)

func main() {
	words := strings.Fields("b c a")
	sort.Strings(words)
	if !slices.IsSorted(words) || strconv.Itoa(int(math.Sqrt(49))) != "7" {
		panic(words)
	}
	b, err := json.Marshal(map[string]any{"words": words})
	if err != nil || !regexp.MustCompile(`"a","b"`).Match(b) {
		panic(errors.Join(err, fmt.Errorf("%s", b)))
	}
	var out bytes.Buffer
	if err := template.Must(template.New("t").Parse("{{len .}}")).Execute(&out, words); err != nil || out.String() != "3" {
		panic(err)
	}
	if sum := sha256.Sum256(nil); hex.EncodeToString(sum[:2]) != "e3b0" {
		panic("sha256")
	}
}
