// Round trips through encoding/json, and text/template.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"text/template"
	"time"
)

type base struct {
	ID      int64 `json:"id"`
	private int
}

type color int

func (c color) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("color-%d", int(c))), nil }
func (c *color) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "color-%d", (*int)(c))
	return err
}

type doc struct {
	base
	Title   string          `json:"title"`
	Tags    []string        `json:"tags,omitempty"`
	Score   float64         `json:"score"`
	Attrs   map[string]any  `json:"attrs"`
	Sub     *doc            `json:"sub,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	Bytes   []byte          `json:"bytes"`
	Arr     [2]bool         `json:"arr"`
	C       color           `json:"c"`
	ByColor map[color]int   `json:"byColor"`
	Any     any             `json:"any"`
	Skip    string          `json:"-"`
	U8      uint8           `json:"u8,string"`
	D       time.Duration   `json:"d"`
	Ints    map[int]string  `json:"ints"`
	Ptr     *int            `json:"ptr"`
	E       struct{ X, Y int }
}

func main() {
	n := 5
	d := doc{
		base: base{ID: 12, private: 3}, Title: "a \"quoted\" <b>", Tags: []string{"x", "y"}, Score: 1e21,
		Attrs: map[string]any{"k": 1.5, "a": []any{nil, true}}, Sub: &doc{Title: "sub"}, Raw: json.RawMessage(`{"z":1}`),
		Bytes: []byte{1, 2, 255}, Arr: [2]bool{true}, C: 3, ByColor: map[color]int{2: 4, 1: 1}, Any: map[string]int{"q": 1}, Skip: "s", U8: 9,
		D: time.Second, Ints: map[int]string{2: "b", 1: "a"}, Ptr: &n,
	}
	out, err := json.Marshal(d)
	fmt.Println(string(out), err)
	var back doc
	err = json.Unmarshal(out, &back)
	fmt.Println(err)
	d.Skip, d.private, d.Any = "", 0, map[string]any{"q": 1.0}
	fmt.Println(reflect.DeepEqual(d, back), back.Sub.Title, *back.Ptr, string(back.Raw), back.ByColor)
	pretty, _ := json.MarshalIndent(map[string]any{"b": []int{1, 2}, "a": struct{}{}, "c": nil}, "", "  ")
	fmt.Println(string(pretty))
	var x any
	fmt.Println(json.Unmarshal([]byte(`{"a":[1,2.5,"s",{"b":null}],"c":true}`), &x), x)
	for _, bad := range []string{`{"id":"x"}`, `{`, `[1`, `{"title":5}`, `{"c":"nope"}`, `{"arr":[true,false,true]}`, `{"u8":"300"}`, "", `{"attrs":3}`, `nul`} {
		var v doc
		err := json.Unmarshal([]byte(bad), &v)
		fmt.Printf("%s: %v (%T)\n", bad, err, err)
	}
	_, err = json.Marshal(map[string]any{"f": func() {}})
	fmt.Println(err)
	_, err = json.Marshal(make(chan int))
	fmt.Println(err)
	dec := json.NewDecoder(strings.NewReader(`{"a":1} {"a":2} [3]`))
	for dec.More() {
		var m map[string]int
		err := dec.Decode(&m)
		fmt.Println(m, err)
	}
	dec = json.NewDecoder(strings.NewReader(`{"nope":1}`))
	dec.DisallowUnknownFields()
	fmt.Println(dec.Decode(&back))

	tmpl := template.Must(template.New("t").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse(
		`{{.Title | up}} {{len .Tags}} {{range $i, $t := .Tags}}{{$i}}={{$t}};{{end}} {{with .Sub}}{{.Title}}{{end}} {{printf "%05d" .ID}} {{index .Attrs "k"}} {{if gt .Score 1.0}}big{{end}} {{.E.X}}
`))
	if err := tmpl.Execute(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	err = template.Must(template.New("bad").Parse("{{.Nope}}")).Execute(os.Stdout, d)
	fmt.Println(err)
}
