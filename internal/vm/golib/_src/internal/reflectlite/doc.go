// Package reflectlite is the part of package reflect that packages below it
// need (errors, sort, context, sync). The model of package reflect says how it
// works; this one shares nothing with it but the machine's primitives.
package reflectlite
