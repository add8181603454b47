package main

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
)

// A key for tests.
const key = `-----BEGIN RSA TESTING KEY-----
MIIEowIBAAKCAQEAtmYcuXxATWlX9zN0mXT5Rcd4gXAoekdSI7qL8aAaRJZJNa/Q
BYYlrriFVRI9HBvzEjJQT6AfUEnoQbe4xeMYfP4rKefbN5BeDVE18j0dQYWfgga+
vUw98ke2sl75vagzVBMDRC2hf21jN9dPyYq1sbkKv7vRbCi/JdkUYUo4+tyjQkjD
zuEphVHKsw0IyGuLmYU5lIJsEE131Qdri7tuquwijqKBmDdTdvCW18QpFrm5kXOb
hunv42DSCTzGwQEWHS+8wio/D5MHmBWpJ1GiAae1pEp4jZ6B06dX5u9X8FNJ1CQt
JRduT/F/lO6h4PMdzDE6OfltRkhRhSQj2s5WIwIDAQABAoIBAAZLvgSnTtzmU4pE
a/1643GFlqv5G4pJi6dHxv7V+8RrKLnCGxg4AQeMdhyWDG/yqeKExBQLiCkrvQ2Y
zbeDe6UM2p+0Y86T5dae+2z/1HceYFr4w8Yh0AIl5h7txJujJxgf+HPkbsDI1D8y
emdGqbe8A9Ecb9P7NKXfFMe4otxLiN4wF3A3wveAuQ18MctyVBe2dojWOz9QI+H5
f8E3oF4CffXzc7Avzd9phq3/z0HS3mSBivxQ0wlPbb0Y1qRHUQmCz9uRv4m/zHZT
q4GpJyMULX7ix7/3lFcUsKnRAfPv0Oao1+BskomuBFbptfRIpVwTmBydcm3wAmEt
XFCEQ1kCgYEA+ZM91q6jzMRvRVSVL3K97t9KopKluKySy71d4zl5RKdUlovBYV6v
OuVDst5yu2rU3X8r5ZdYftizhT5zvWAA5iAB2vS+0Lh0tgxDXtTbuAj2KGMH/JQV
HKMCGb9AjmrLPTAp8btomWBISMLlArinb3Vw7qvd3bpJnRE119xCChUCgYEAuxgp
zGsBGq63W430RMl3aKp7+PGTjY//kZ1RW4Xqnq6SKq+bPuKpHiuqrnN7rOR6u6Wl
pfqlzdsT+CHXqi0P0TkYEFHFzpbTYMb15GLHbuqgDx1vc+uD5WoVGNE2Pe2jkTwS
ENkRvnwBlEnHXo5JyAbgacun4gCKJ8wmUtSghVcCgYAbcv5SJlMNqm0yiuL9nPkW
1Kg4yThA33olvmYdH60ex+idxjE2rFtJdv3DJoQn6NAQrHP/hG3PRbY46W2BXpW6
ubp6goCaJC9x9ldSjsa7rwCj4IB4XzETPTp16nsHLue7ixiR5bLTa6uHlSfq7LQ9
pgUNuwlj4aFHDSWG4ErDIQKBgD7885WOsOB60eBQ+lvuN/VU8EfvjO2r/S7Y9/sI
KuUhgLQ+StXxGV6+9MemuYyLn4ZtTkeDCy8zApYXTrRMV3bo8eEMprvWq3N5iG9L
kjkVZK2yC0PLlqw1+sRQKyLOTrMmti5V5lNrDF0QOb7ryIs/RW5Y0jyUUe70HDLm
wuQhAoGBAIR0pyhrJvoPhYCEs3CUMOPMCKY8vuW2EsyjvNjKQrSVZgQ/0btXEYuj
FmFtOzTUa9bySvaYIeE+Ko07maHeT+BSLrFLQFPhrYNeC8g1uPqLGBJvATj6Uqfa
cmisa659lDVjOViNDsbNc1IHZzqCXDXn8pHo3YpNknrxpLVm8Mk3
-----END RSA TESTING KEY-----
`

// main prints a signature, which RSA computes from its key alone, and what comes back from what was encrypted.
func main() {
	block, _ := pem.Decode([]byte(key))
	private, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	digest := sha256.Sum256([]byte("text"))
	signature, err := rsa.SignPKCS1v15(nil, private, crypto.SHA256, digest[:])
	fmt.Printf("%x %v\n", signature, err)
	fmt.Println(rsa.VerifyPKCS1v15(&private.PublicKey, crypto.SHA256, digest[:], signature))
	signature[3] ^= 1
	fmt.Println(rsa.VerifyPKCS1v15(&private.PublicKey, crypto.SHA256, digest[:], signature))
	random := bytes.NewReader(bytes.Repeat([]byte{7}, 1000))
	secret, err := rsa.EncryptOAEP(sha256.New(), random, &private.PublicKey, []byte("secret"), nil)
	if err != nil {
		panic(err)
	}
	text, err := rsa.DecryptOAEP(sha256.New(), nil, private, secret, nil)
	fmt.Printf("%s %v\n", text, err)
}
