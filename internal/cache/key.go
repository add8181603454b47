package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"sync"
)

// A Key is a hash of all that a value follows from.
type Key [sha256.Size]byte

// String returns the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// MarshalText implements [encoding.TextMarshaler].
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *Key) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(k)) {
		return fmt.Errorf("%q is no key", text)
	}
	_, err := hex.Decode(k[:], text)
	return err
}

// A Hash makes a key of what is added to it, part by part.
type Hash struct{ h hash.Hash }

// NewHash returns a Hash for values of one kind.
func NewHash(kind string) *Hash {
	h := &Hash{sha256.New()}
	h.Text(kind)
	return h
}

// Text adds a text. Where it ends is part of the hash.
func (h *Hash) Text(s string) {
	fmt.Fprintf(h.h, "%d:", len(s))
	io.WriteString(h.h, s)
}

// Key adds a key.
func (h *Hash) Key(k Key) { h.h.Write(k[:]) }

// Value adds a value by its JSON form.
func (h *Hash) Value(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("hashing: %w", err)
	}
	h.Text(string(text))
	return nil
}

// buffers has those that files are read through. A thousand of them would be a quarter of what
// a program takes to be loaded.
var buffers = sync.Pool{New: func() any { return new([1 << 15]byte) }}

// File adds the content of a file.
func (h *Hash) File(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer := buffers.Get().(*[1 << 15]byte)
	defer buffers.Put(buffer)
	content := sha256.New()
	// A file would copy itself with a buffer of its own.
	if _, err := io.CopyBuffer(content, struct{ io.Reader }{f}, buffer[:]); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	h.h.Write(content.Sum(nil))
	return nil
}

// Sum returns the key of what was added.
func (h *Hash) Sum() Key { return Key(h.h.Sum(nil)) }
