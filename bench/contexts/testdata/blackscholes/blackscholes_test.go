package blackscholes

import "testing"

func TestPortfolio(t *testing.T) {
	n, workers = most, 4
	for i := range int32(most) {
		spot[i], strike[i], drift[i], spread[i], put[i] = 40*One, (38+i)*One, One/20, One/5, i%2 == 1
	}
	priceAll()
	for i, got := range prices {
		if want := price(spot[i], strike[i], drift[i], spread[i], put[i]); got != want {
			t.Errorf("option %d has the price %d, want %d", i, got, want)
		}
	}
}
