package disk

import (
	"context"
	"io"
)

// NewReader returns what reads from rd until a context ends, and has the error of the context then: a file may be
// longer than there is memory for, or than somebody waits.
func NewReader(ctx context.Context, rd io.Reader) io.Reader { return &reader{ctx, rd} }

type reader struct {
	ctx context.Context
	rd  io.Reader
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.rd.Read(p)
}
