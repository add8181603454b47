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

// A digestKernel is the function of a cryptographic hash that mixes whole blocks of a
// message into the state.
type digestKernel struct {
	pkg   string
	words int // of the state
	size  int // of such a word in bytes
	// The host's hash takes a state as bytes: magic, the words in big-endian order, a
	// block not yet full and the length of the message.
	magic string
	make  func() stdhash.Hash
}

// digestPrimitives lists the block functions of the hashes in package crypto. The
// arguments of each are a pointer to the state and the blocks.
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
					// The write counts as one by the function whose work this is.
					touchCells(c, 0, k.words, false)
					touchCells(c, 0, k.words, true)
					c.Machine.Heap.Store(c.Window[0].P, int(c.Window[0].N), k.mix(state, blocks), nil)
				}
			}
			c.SetBool(0, done)
			c.SetShadow(0, expr.None)
		}})
	}
	return list
}

// mix returns the state after blocks.
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
		panic(fmt.Sprintf("vm: state of %s: %v", k.pkg, err)) // the host's format is another
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

// settledCells returns the n cells that the pointer in argument word i points to, if
// they are concrete and accesses to them need no event and no turn.
func settledCells(c *exec.Call, i, n int) ([]heap.Word, bool) {
	p := c.Window[i]
	if c.Shadow(i) != expr.None || p.P == nil || !p.P.InBounds(int(p.N), n) || p.P.ShadowAt(int(p.N), n) != nil {
		return nil, false
	}
	if c.Machine.Multi && (c.Machine.Tracing || c.Machine.ShadowOf(p.P).Visible || c.Machine.VisibleHere(c.Goroutine)) {
		return nil, false
	}
	words := make([]heap.Word, n)
	p.P.Load(words, int(p.N))
	return words, true
}

// touchCells counts an access to the n cells that the pointer in argument word i
// points to, which are settled.
func touchCells(c *exec.Call, i, n int, write bool) {
	if c.Machine.Multi {
		p := c.Window[i]
		c.Machine.Touch(c.Goroutine, c.Machine.ShadowOf(p.P), int(p.N), n, write)
	}
}
