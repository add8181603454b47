// Clients and servers of HTTP over the loopback.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

func body(res *http.Response, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return fmt.Sprintf("%d %q %v", res.StatusCode, b, err)
}

func main() {
	requests()
	timeouts()
	shutdown()
	streams()
	proxy()
	panics()
}

func requests() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s", r.PathValue("name"))
	})
	mux.HandleFunc("POST /echo", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusCreated)
		io.Copy(w, r.Body)
	})
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/hello/new", http.StatusFound) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	fmt.Println(strings.HasPrefix(srv.URL, "http://127.0.0.1:"))
	fmt.Println(body(http.Get(srv.URL + "/hello/gopher")))
	fmt.Println(body(http.Post(srv.URL+"/echo", "text/plain", strings.NewReader("body"))))
	fmt.Println(body(http.Get(srv.URL + "/old")))
	fmt.Println(body(http.Get(srv.URL + "/nowhere")))
	fmt.Println(body(http.PostForm(srv.URL+"/echo", url.Values{"a": {"1"}})))
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := 0
	for range 3 {
		wg.Go(func() {
			if body(srv.Client().Get(srv.URL+"/hello/x")) == `200 "hello x" <nil>` {
				mu.Lock()
				seen++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println("at the same time:", seen)
	res, err := http.Head(srv.URL + "/hello/x")
	fmt.Println(res.ContentLength, res.Proto, err)
}

func timeouts() {
	stop := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-stop:
		}
	}))
	defer srv.Close()
	defer close(stop)
	c := http.Client{Timeout: 20 * time.Millisecond}
	_, err := c.Get(srv.URL)
	var nerr net.Error
	fmt.Println(errors.As(err, &nerr) && nerr.Timeout(), errors.Is(err, context.DeadlineExceeded))
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "GET", srv.URL, nil)
	time.AfterFunc(10*time.Millisecond, cancel)
	_, err = http.DefaultClient.Do(req)
	fmt.Println(errors.Is(err, context.Canceled))
}

func shutdown() {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		log.Fatal(err)
	}
	started := make(chan bool)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started <- true
		time.Sleep(20 * time.Millisecond)
		io.WriteString(w, "finished")
	})}
	served := make(chan error)
	go func() { served <- srv.Serve(ln) }()
	got := make(chan string)
	go func() { got <- body(http.Get("http://" + ln.Addr().String())) }()
	<-started
	fmt.Println(srv.Shutdown(context.Background()))
	fmt.Println(<-served, <-got)
	_, err = http.Get("http://" + ln.Addr().String())
	fmt.Println(err != nil)
}

func streams() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range 3 {
			fmt.Fprintf(w, "part %d\n", i)
			w.(http.Flusher).Flush()
		}
	}))
	defer srv.Close()
	res, err := http.Get(srv.URL)
	fmt.Println(res.TransferEncoding, err)
	fmt.Println(body(res, err))

	srv2 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			log.Fatal(err)
		}
		defer c.Close()
		rw.WriteString("HTTP/1.1 299 Mine\r\nContent-Length: 2\r\n\r\nok")
		rw.Flush()
	}))
	defer srv2.Close()
	fmt.Println(body(http.Get(srv2.URL)))
	big := strings.Repeat("0123456789", 20000)
	srv3 := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		fmt.Fprint(w, len(b), err)
	}))
	defer srv3.Close()
	fmt.Println(body(http.Post(srv3.URL, "text/plain", strings.NewReader(big))))
}

func proxy() {
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "behind ", r.Header.Get("X-Forwarded-For"))
	}))
	defer back.Close()
	u, _ := url.Parse(back.URL)
	front := httptest.NewServer(httputil.NewSingleHostReverseProxy(u))
	defer front.Close()
	fmt.Println(body(http.Get(front.URL)))
}

func panics() {
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic("in the handler") }))
	defer srv.Close()
	_, err := http.Get(srv.URL)
	fmt.Println(errors.Is(err, io.EOF))
}
