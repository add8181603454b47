package maptable

import (
	"go/types"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// Orderless reports whether nothing depends on the order in which a function of the
// standard library iterates over maps. The name is that of code.Func.
func Orderless(name string) bool { return orderless[listed(name)] }

// listed returns the name of a function as it is in the list of those that need no order.
func listed(name string) string {
	if open := strings.IndexByte(name, '['); open >= 0 {
		name = name[:open] + strings.TrimPrefix(name[open:], "[...]") // of a generic function or type
	}
	return strings.TrimSuffix(name, ".func1")
}

// ShowsOrder reports whether a function that sorts what it collects of a map of type t may show
// the order in which it has collected it after all: some elements may neither be less than
// others nor the same, or methods of theirs are called. The function over is the one that
// iterates over the map.
func ShowsOrder(name, over string, t *code.Type) bool {
	switch listed(name) {
	case "encoding/json.mapEncoder.encode":
		return t.Key.Shape != code.ShapeString && types.NewMethodSet(t.Key.Go).Lookup(nil, "MarshalText") != nil
	case "internal/fmtsort.Sort":
		return HasFloat(t.Key)
	case "slices.Sorted":
		if listed(over) == "maps.Keys" {
			return HasFloat(t.Key)
		}
		return HasFloat(t.Elem)
	}
	return false
}

// HasFloat reports whether values of type t may have floating-point numbers in them. Not all of
// these are ordered, two zeros are equal, and a NaN is unequal to itself.
func HasFloat(t *code.Type) bool {
	switch t.Shape {
	case code.ShapeInterface, code.ShapeComplex:
		return true
	case code.ShapeArray:
		return HasFloat(t.Elem)
	case code.ShapeStruct:
		for i := range t.Fields {
			if HasFloat(t.Fields[i].Type) {
				return true
			}
		}
		return false
	}
	return t.Words == 1 && t.Kinds[0].Float()
}

// HasFloatKey reports whether a key of a map may have floating-point numbers in it. Other than its
// type, it looks at the keys that there are.
func HasFloatKey(o *heap.Object) bool {
	t := o.Type.Key
	if t.Shape != code.ShapeInterface {
		return HasFloat(t)
	}
	has := false
	EachPlace(o, func(place int) {
		table, at := o.Cells[Entries].P, place*Stride(o.Type)+1
		dynamic := table.Cells[at].P
		has = has || dynamic != nil && HasFloat(dynamic.Desc) || table.ShadowAt(at, 1) != nil
	})
	return has
}

// orderless lists the functions of the standard library that iterate over maps in an order
// that nothing depends on. They sort what they collect, or treat each entry by itself: they
// put it into another map, or add it to a sum. The functions were read one by one. Functions
// that are not listed iterate in every order.
//
// Some of them look for an entry that is not valid and report the first one. Which of
// several such entries they report does depend on the order.
var orderless = map[string]bool{
	// These treat each entry by itself.
	"crypto/x509.(*CertPool).Clone":                    true,
	"crypto/x509.(*CertPool).Equal":                    true,
	"crypto/x509.(*policyGraph).deleteLeaf":            true,
	"html/template.(*escaper).commit":                  true,
	"html/template.(*escaper).escapeListConditionally": true,
	"maps.Clone":                                   true,
	"maps.Collect":                                 true,
	"maps.Copy":                                    true,
	"maps.Equal":                                   true,
	"maps.Insert":                                  true,
	"mime.ParseMediaType":                          true,
	"mime/multipart.(*Reader).readForm":            true,
	"mime/multipart.mimeHeaderSize":                true,
	"net/http.(*Client).makeHeadersCopier":         true,
	"net/http.(*Request).ParseMultipartForm":       true,
	"net/http.(*chunkWriter).writeHeader":          true,
	"net/http.(*response).finalTrailers":           true,
	"net/http.Header.Clone":                        true,
	"net/http.cloneMultipartForm":                  true,
	"net/http.copyValues":                          true,
	"net/http.(*mapping).eachPair":                 true,
	"net/http/httptest.(*ResponseRecorder).Result": true,
	"net/http/httputil.copyHeader":                 true,
	"reflect.deepEqual":                            true,
	"regexp/syntax.initCategoryAliases":            true,
	"text/template.(*Template).Clone":              true,
	"text/template.addFuncs":                       true,

	// These sort what they collect.
	"encoding/json.mapEncoder.encode":   true,
	"flag.sortFlags":                    true,
	"internal/fmtsort.Sort":             true,
	"mime.setMimeTypes":                 true,
	"net/http.Header.sortedKeyValues":   true,
	"net/http/cookiejar.(*Jar).cookies": true,
	"net/rpc.debugHTTP.ServeHTTP":       true,
	"net/url.Values.Encode":             true,
	"runtime/pprof.Profiles":            true,
	"slices.Sorted":                     true,
	"testing/fstest.MapFS.Open":         true,
	"testing/fstest.MapFS.lstat":        true,

	// These report the first entry that is not valid.
	"encoding/pem.Encode":                                  true,
	"net/http.(*conn).readRequest":                         true,
	"net/http.(*routingIndex).possiblyConflictingPatterns": true,
	"net/http.(*transferWriter).writeHeader":               true,
	"net/http.validateHeaders":                             true,
	"text/template.(*Template).Parse":                      true,
	"text/template.addValueFuncs":                          true,
}
