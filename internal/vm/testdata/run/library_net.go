package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/gob"
	"expvar"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"hash/maphash"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"runtime/pprof"
	"runtime/trace"
	"strings"
)

func main() {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("X", "y")
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL.Path, b)
	})
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest("POST", "/a?b=c", strings.NewReader("body")))
	fmt.Println(rec.Code, rec.Body.String(), rec.Header())
	mux := http.NewServeMux()
	mux.Handle("GET /x/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) }))
	rec = httptest.NewRecorder()
	mux.ServeHTTP(rec, httptest.NewRequest("GET", "/x/7", nil))
	fmt.Println(rec.Body)
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	b := make([]byte, 8)
	n, err := rand.Read(b)
	fmt.Println(n, err)
	fmt.Println(maphash.String(maphash.MakeSeed(), "x") != 0)
	p1, p2 := net.Pipe()
	go func() { fmt.Fprint(p1, "hello"); p1.Close() }()
	bb, _ := io.ReadAll(p2)
	fmt.Println(string(bb))
	fmt.Println(net.ParseIP("1.2.3.4"), pprof.Lookup("goroutine") != nil, trace.IsEnabled())
	expvar.NewInt("x").Add(1)
	fmt.Println(expvar.Get("x"))
	var buf bytes.Buffer
	fmt.Println(gob.NewEncoder(&buf).Encode(map[string][]int{"a": {1, 2}}))
	var m map[string][]int
	fmt.Println(gob.NewDecoder(&buf).Decode(&m), m)
	buf.Reset()
	zw := zip.NewWriter(&buf)
	w, _ := zw.Create("f")
	w.Write([]byte("zip"))
	zw.Close()
	zr, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	fmt.Println(zr.File[0].Name, err)
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x; func F() {}", 0)
	fmt.Println(f.Name, err)
	src, err := format.Source([]byte("package x;func  F( ) { }"))
	fmt.Println(string(src), err)
	log.New(os.Stdout, "p: ", 0).Print("x")
}
