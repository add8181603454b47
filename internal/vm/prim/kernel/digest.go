package kernel

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"encoding/binary"
	"fmt"
	stdhash "hash"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/exec"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// A digestKernel describes the function of a cryptographic hash that mixes complete
// blocks of a message into the state.
type digestKernel struct {
	pkg   string
	words int // size of the state in words
	size  int // size of a word in bytes
	// magic begins the encoding of the state by the host's hash. It is followed by the
	// words in big-endian order, an incomplete block and the length of the message.
	magic string
	make  func() stdhash.Hash
}

// digestPrimitives returns the block functions of the hashes in package crypto. The
// arguments of each are a pointer to the state, and the blocks.
func digestPrimitives() []exec.Primitive {
	var list []exec.Primitive
	for _, k := range []digestKernel{
		{"crypto/md5", 4, 4, "md5\x01", md5.New},
		{"crypto/sha1", 5, 4, "sha\x01", sha1.New},
		{"crypto/internal/fips140/sha256", 8, 4, "sha\x03", sha256.New},
		{"crypto/internal/fips140/sha512", 8, 8, "sha\x07", sha512.New},
	} {
		list = append(list, exec.Primitive{Name: k.pkg + ".nativeBlock", Shadows: true, Run: func(c *exec.Call) {
			state, done := settledCells(c, 0, k.words)
			if done {
				var blocks []byte
				if blocks, done = settledBytes(c, 1, 3); done {
					// Record the accesses as those of the function that this replaces.
					touchCells(c, c.Window[0], k.words, false)
					touchCells(c, c.Window[0], k.words, true)
					c.Machine.Heap.Store(c.Window[0].P, int(c.Window[0].N), k.mix(state, blocks), nil)
					c.Machine.WrittenPlain(c.Goroutine, c.Window[0].P, int(c.Window[0].N), k.words)
				}
			}
			c.SetBool(0, done)
			c.SetShadow(0, expr.None)
		}})
	}
	return list
}

// mix returns the state after mixing in blocks.
func (k *digestKernel) mix(state []heap.Word, blocks []byte) []heap.Word {
	h := k.make()
	text := make([]byte, 0, len(k.magic)+k.words*k.size+h.BlockSize()+8)
	text = append(text, k.magic...)
	for _, w := range state {
		if k.size == 4 {
			text = binary.BigEndian.AppendUint32(text, uint32(w.N))
		} else {
			text = binary.BigEndian.AppendUint64(text, w.N)
		}
	}
	err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(text[:cap(text)])
	if err == nil {
		h.Write(blocks)
		text, err = h.(encoding.BinaryAppender).AppendBinary(text[:0])
	}
	if err != nil {
		panic(fmt.Sprintf("vm: state of %s: %v", k.pkg, err)) // the host encodes the state in another format
	}
	mixed := make([]heap.Word, k.words)
	for i := range mixed {
		at := text[len(k.magic)+i*k.size:]
		if k.size == 4 {
			mixed[i].N = uint64(binary.BigEndian.Uint32(at))
		} else {
			mixed[i].N = binary.BigEndian.Uint64(at)
		}
	}
	return mixed
}

// settledCells returns the n cells to which the pointer in argument word i points, if
// they are settled.
func settledCells(c *exec.Call, i, n int) ([]heap.Word, bool) {
	p := c.Window[i]
	if c.Shadow(i) != expr.None || p.P == nil || !p.P.InBounds(int(p.N), n) || p.P.ShadowAt(int(p.N), n) != nil {
		return nil, false
	}
	if c.Machine.Watching && (c.Machine.ShadowOf(p.P).Visible || c.Machine.VisibleHere(c.Goroutine)) {
		return nil, false
	}
	words := make([]heap.Word, n)
	p.P.Load(words, int(p.N))
	return words, true
}
