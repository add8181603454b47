// Package programtest loads programs of which tests have the text.
package programtest
