// Package disktest has a file system of which one operation fails, for tests of what happens then.
package disktest
