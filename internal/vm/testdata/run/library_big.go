package main

import (
	"fmt"
	"math/big"
	"sync"
)

// numbers prints what needs each of the kernels on words.
func numbers() {
	x, _ := new(big.Int).SetString("123456789012345678901234567890123456789012345678901234567890", 10)
	y, _ := new(big.Int).SetString("-fedcba9876543210fedcba9876543210fedcba98", 16)
	fmt.Println(new(big.Int).Add(x, y))
	fmt.Println(new(big.Int).Sub(x, y))
	fmt.Println(new(big.Int).Mul(x, y))
	fmt.Println(new(big.Int).Exp(x, big.NewInt(20), nil))
	q, r := new(big.Int).QuoRem(new(big.Int).Mul(x, x), y, new(big.Int))
	fmt.Println(q, r)
	for _, s := range []uint{0, 1, 63, 64, 65, 200} {
		fmt.Printf("%x %x\n", new(big.Int).Lsh(x, s), new(big.Int).Rsh(x, s))
		z := new(big.Int).Set(x)
		fmt.Printf("%x\n", z.Rsh(z.Lsh(z, s), s/2))
	}
	z := new(big.Int).Set(x)
	fmt.Println(z.Add(z, z), z.Sub(z, x), z.Mul(z, z))
	fmt.Println(new(big.Rat).SetFrac(x, y).FloatString(40))
}

// shared has several goroutines work on numbers that they pass on under a lock.
func shared() {
	product := big.NewInt(1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range int64(20) {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			product.Mul(product, big.NewInt(1<<40+i))
		})
	}
	wg.Wait()
	fmt.Println(product)
}

func main() {
	numbers()
	shared()
}
