// Command jsontrip writes a value as JSON and reads it back.
package main

import (
	"encoding/json"
	"reflect"
)

type order struct {
	ID       int               `json:"id"`
	Customer string            `json:"customer"`
	Paid     bool              `json:"paid,omitempty"`
	Total    float64           `json:"total"`
	Lines    []line            `json:"lines"`
	Notes    map[string]string `json:"notes"`
	Next     *order            `json:"next"`
}

type line struct {
	Article string
	Count   int
	Price   float64
}

func main() {
	in := order{ID: 7, Customer: "Ada \"the first\"", Paid: true, Total: 31.5, Notes: map[string]string{"gift": "yes", "door": "blue"}}
	for i := 0; i < 20; i++ {
		in.Lines = append(in.Lines, line{Article: "nail", Count: i, Price: 0.25 * float64(i)})
	}
	in.Next = &order{ID: 8, Lines: []line{{}}, Notes: map[string]string{}}
	for n := 0; n < 1_500; n++ {
		text, err := json.Marshal(in)
		if err != nil {
			panic(err)
		}
		var out order
		if err := json.Unmarshal(text, &out); err != nil {
			panic(err)
		}
		if !reflect.DeepEqual(in, out) {
			panic("not the same")
		}
	}
}
