package main

import "testing"

func TestPrice(t *testing.T) {
	const simulations = 50
	got, want := portfolio(17), portfolio(17)
	priceAll(got, simulations)
	for i := range want {
		want[i].price(simulations)
		if got[i] != want[i] {
			t.Errorf("swaption %d has the price %v, want %v", i, got[i].mean, want[i].mean)
		}
	}
	if got[0].mean <= got[16].mean {
		t.Errorf("a swaption with a low strike is worth %v, and one with a high strike %v", got[0].mean, got[16].mean)
	}
}
