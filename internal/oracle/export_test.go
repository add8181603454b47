package oracle

// EnumerateNaively is exported for the tests whose programs are generated: what generates them imports this package.
var EnumerateNaively = enumerateNaively
