package encoding

import (
	"net/http"
	"testing"

	"github.com/btcsuite/btcutil/base58"
	"github.com/btcsuite/btcutil/bech32"
	"github.com/golang/snappy"
	"github.com/gorilla/websocket"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"
)

func FuzzBase58(f *testing.F) {
	f.Add("3mJr7AoU")
	f.Fuzz(func(t *testing.T, s string) { base58.Decode(s) })
}

func FuzzBech32(f *testing.F) {
	f.Add("a12uel5l")
	f.Fuzz(func(t *testing.T, s string) { bech32.Decode(s) })
}

func FuzzSnappy(f *testing.F) {
	f.Add([]byte{0x08, 0x04, 'a', 'b', 0x0d, 0x02})
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := snappy.DecodedLen(data); err == nil && n < 1<<10 {
			snappy.Decode(nil, data)
		}
	})
}

func FuzzGJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":"c"}]}`, "a.1.b")
	f.Fuzz(func(t *testing.T, s, path string) {
		if gjson.Valid(s) {
			gjson.Get(s, path)
		}
	})
}

func FuzzFastJSON(f *testing.F) {
	f.Add(`{"a":[1,"\u0041"]}`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := fastjson.Parse(s)
		if err != nil {
			return
		}
		if _, err := fastjson.ParseBytes(v.MarshalTo(nil)); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	})
}

func FuzzWebsocketProtocols(f *testing.F) {
	f.Add("chat, superchat")
	f.Fuzz(func(t *testing.T, s string) {
		websocket.Subprotocols(&http.Request{Header: http.Header{"Sec-Websocket-Protocol": {s}}})
	})
}
