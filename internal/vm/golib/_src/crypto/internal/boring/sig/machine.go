package sig

// BoringCrypto marks code that uses BoringCrypto.
func BoringCrypto() {}

// FIPSOnly marks code that is restricted to FIPS.
func FIPSOnly() {}

// StandardCrypto marks code that uses Go's own cryptography.
func StandardCrypto() {}
