package main

import (
	"bufio"
	"bytes"
	"container/heap"
	"container/list"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"html/template"
	"log"
	"log/slog"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"
	ttemplate "text/template"
	"unicode"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

type person struct {
	XMLName xml.Name `xml:"person" json:"-"`
	Name    string   `xml:"name,attr" json:"name"`
	Age     int      `xml:"age" json:"age,omitempty"`
	Tags    []string `xml:"tags>tag" json:"tags"`
}

func main() {
	sc := bufio.NewScanner(strings.NewReader("one two\nthree\n"))
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	h := &ints{5, 2, 8}
	heap.Init(h)
	heap.Push(h, 1)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(h), " ")
	}
	fmt.Println()
	l := list.New()
	l.PushBack(1)
	l.PushFront(0)
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, ";")
	}
	fmt.Println(base64.StdEncoding.EncodeToString([]byte("hello, world")), hex.EncodeToString([]byte{1, 0xab}))
	var buf bytes.Buffer
	binary.Write(&buf, binary.BigEndian, struct {
		A uint16
		B int32
	}{1, -2})
	fmt.Printf("% x\n", buf.Bytes())
	r := csv.NewReader(strings.NewReader("a,b\n\"c,d\",e\n"))
	rec, err := r.ReadAll()
	fmt.Println(rec, err)
	p := person{Name: "Ann", Age: 3, Tags: []string{"x", "y"}}
	j, err := json.MarshalIndent(p, "", " ")
	fmt.Println(string(j), err)
	var q person
	fmt.Println(json.Unmarshal(j, &q), q)
	fmt.Println(json.Unmarshal([]byte(`{"name": 3}`), &q))
	x, err := xml.Marshal(p)
	fmt.Println(string(x), err)
	fmt.Println(xml.Unmarshal(x, &q), q.Name, q.Tags)
	fs := flag.NewFlagSet("prog", flag.ContinueOnError)
	n := fs.Int("n", 3, "number of `things`")
	fs.SetOutput(os.Stdout)
	fmt.Println(fs.Parse([]string{"-n", "7", "rest"}), *n, fs.Args())
	fs.PrintDefaults()
	log.SetFlags(log.Lshortfile)
	log.SetOutput(os.Stdout)
	log.Println("logged")
	slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if a.Key == "time" {
			return slog.Attr{}
		}
		return a
	}})).Info("msg", "k", 1)
	t := template.Must(template.New("t").Parse("<p>{{.}}</p>\n"))
	fmt.Println(t.Execute(os.Stdout, "<b>"))
	tt := ttemplate.Must(ttemplate.New("t").Funcs(ttemplate.FuncMap{"up": strings.ToUpper}).Parse("{{range $i, $e := .L}}{{$i}}={{up $e}} {{end}}{{with .M}}{{.k}}{{end}}\n"))
	fmt.Println(tt.Execute(os.Stdout, map[string]any{"L": []string{"a", "b"}, "M": map[string]int{"k": 4}}))
	a, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	fmt.Println(a.Mul(a, a), new(big.Int).Exp(big.NewInt(3), big.NewInt(200), nil), big.NewRat(3, 6))
	fmt.Println(netip.MustParseAddr("10.0.0.1").Next(), netip.MustParsePrefix("10.0.0.0/8").Contains(netip.MustParseAddr("10.2.3.4")))
	u, err := url.Parse("https://u:p@host:80/a/b?x=1&y=2#f")
	fmt.Println(u, err, u.Query()["y"], u.Port())
	fmt.Println(filepath.Join("a", "../b", "c"), filepath.Base("/x/y.go"), filepath.Ext("y.go"))
	re := regexp.MustCompile(`(\w+)@(\w+)\.com`)
	fmt.Println(re.FindStringSubmatch("bob@example.com"), re.ReplaceAllString("a@b.com c@d.com", "$2:$1"))
	m := map[string]int{"z": 1, "y": 2}
	keys := slices.Sorted(maps.Keys(m))
	fmt.Println(keys, slices.Max(keys), slices.Index(keys, "z"), maps.Clone(m))
	sort.SliceStable(keys, func(i, j int) bool { return keys[i] > keys[j] })
	fmt.Println(keys)
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 1, ' ', 0)
	fmt.Fprintln(w, "a\tbbb\tc")
	fmt.Fprintln(w, "aaaa\tb\tc")
	w.Flush()
	fmt.Println(unicode.IsUpper('Ä'), strings.ToUpper("straße"), strings.EqualFold("Go", "GO"), strings.Fields(" a  b "), strings.Title("hello world"))
	fmt.Printf("%T %v %+v %#v %08b %e %g %t %p\n", p, h, p.Tags, p.Tags, 5, 1234.5678, 1e21, true, nil)
	fmt.Println(strings.NewReplacer("a", "1", "b", "2").Replace("abc"), strings.Map(func(r rune) rune { return r + 1 }, "HAL"))
	var i int
	var s string
	fmt.Sscanf("12 abc", "%d %s", &i, &s)
	fmt.Println(i, s)
}
