package golib_test

import (
	"context"
	"testing"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/vm/golib"
)

// library lists the packages that programs under test commonly import. All of them must
// type-check with the models in place.
var library = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "embed", "encoding/base64",
	"encoding/binary", "encoding/csv", "encoding/gob", "encoding/hex", "encoding/json", "encoding/xml", "errors", "expvar",
	"flag", "fmt", "hash/crc32", "hash/fnv", "hash/maphash", "html/template", "io", "io/fs", "iter", "log", "log/slog", "maps", "math",
	"math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2", "net", "net/http", "net/http/httptest", "net/netip", "net/url",
	"os", "os/exec", "os/signal", "os/user", "path", "path/filepath", "reflect", "regexp", "runtime", "runtime/debug", "runtime/metrics", "runtime/pprof",
	"runtime/trace", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "syscall", "testing", "testing/fstest", "testing/iotest",
	"testing/quick", "testing/slogtest", "text/tabwriter", "text/template", "time", "unicode", "unicode/utf16", "unicode/utf8", "unique", "weak",
	"crypto/hmac", "crypto/md5", "crypto/rand", "crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/subtle", "crypto/tls", "compress/gzip", "archive/zip",
	"go/ast", "go/format", "go/parser", "go/token", "time/tzdata", "runtime/coverage", "testing/synctest", "internal/synctest",
}

// TestTypeCheck loads the library with the models in place: every model declares what the
// packages above it use, with the right types.
func TestTypeCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks most of the standard library")
	}
	res, err := golib.Load(context.Background(), load.Config{Dir: t.TempDir(), Patterns: library})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Packages) != len(library) {
		t.Errorf("loaded %d packages of %d", len(res.Packages), len(library))
	}
}
