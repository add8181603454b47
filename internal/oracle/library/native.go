package library

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/suite"
)

// A native is a process that runs programs as the toolchain compiles them.
type native struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	closeResults func() error
}

// newNative compiles the module in dir and starts it.
func newNative(ctx context.Context, dir string) (*native, error) {
	binary, err := suite.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	inputs, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting the programs: %w", err)
	}
	defer inputs.Close()
	out, results, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("starting the programs: %w", err)
	}
	defer results.Close()
	n := &native{cmd: exec.CommandContext(ctx, binary), in: in, out: bufio.NewReaderSize(out, 1<<20), closeResults: out.Close}
	n.cmd.Stderr = os.Stderr
	n.cmd.ExtraFiles = []*os.File{inputs, results} // what programs read and print is their own
	n.cmd.Env = append(os.Environ(), "TZ=UTC")
	if err := n.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("starting the programs: %w", err)
	}
	return n, nil
}

// close ends the process.
func (n *native) close() error {
	n.in.Close()
	_, err := io.Copy(io.Discard, n.out)
	if err = errors.Join(err, n.closeResults(), n.cmd.Wait()); err != nil {
		return fmt.Errorf("ending the programs: %w", err)
	}
	return nil
}

// results runs a program on inputs and returns what it shows on each. A shape has the length of
// each text of the program, and -1 for each word.
func (n *native) results(program int, shape []int, inputs [][]uint64) ([][]uint64, error) {
	var text bytes.Buffer
	for _, input := range inputs {
		text.WriteString(strconv.Itoa(program))
		k := 0
		for _, length := range shape {
			values := 1
			if length >= 0 {
				text.WriteString(" " + strconv.Itoa(length))
				values = length
			}
			for range values {
				text.WriteString(" " + strconv.FormatUint(input[k], 10))
				k++
			}
		}
		text.WriteByte('\n')
	}
	failed := make(chan error, 1)
	go func() {
		_, err := n.in.Write(text.Bytes())
		failed <- err
	}()
	results := make([][]uint64, len(inputs))
	for i := range inputs {
		line, err := n.out.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("reading what programs show: %w", err)
		}
		for word := range strings.FieldsSeq(line) {
			v, err := strconv.ParseUint(word, 16, 64)
			if err != nil {
				return nil, fmt.Errorf("reading what programs show: %w", err)
			}
			results[i] = append(results[i], v)
		}
	}
	return results, <-failed
}
