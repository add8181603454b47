package sequential

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle/suite"
)

// An end is how a program ends on an input: with a result, or with a panic that has a
// message.
type end struct {
	result uint8
	panic  string // empty for none
}

func (e end) String() string {
	if e.panic != "" {
		return "panic: " + e.panic
	}
	return fmt.Sprint("result ", e.result)
}

// imports of a source with the prelude.
const imports = `
import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
%s)
`

// runNatively runs programs natively on every input of their domains. The ends of each are in the
// order of its domain.
func runNatively(ctx context.Context, dir string, programs []*Program) ([][]end, error) {
	if err := suite.Write(dir, "native", map[string]string{"main.go": nativeSource(programs)}); err != nil {
		return nil, err
	}
	binary, err := suite.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running the programs: %w\n%s", err, stderr.Bytes())
	}
	if err := os.Remove(binary); err != nil {
		return nil, fmt.Errorf("running the programs: %w", err)
	}
	return readEnds(&stdout, programs)
}

// nativeSource returns a program that writes, for each of the programs and each input,
// the result, the length of the message of the panic, and the message.
func nativeSource(programs []*Program) string {
	var b strings.Builder
	b.WriteString("package main\n")
	fmt.Fprintf(&b, imports, "\t\"bufio\"\n\t\"os\"\n")
	b.WriteString(prelude)
	b.WriteString(`
var out = bufio.NewWriter(os.Stdout)

func record(f func() uint8) {
	defer func() {
		if r := recover(); r != nil {
			message := fmt.Sprint(r)
			if e, ok := r.(error); ok {
				message = e.Error()
			}
			out.Write([]byte{0, byte(len(message))})
			out.WriteString(message)
		}
	}()
	r := f()
	out.Write([]byte{r, 0})
}

func inputs(low, high int) []string {
	all := []string{""}
	longest := all
	for range ` + fmt.Sprint(maxLen) + ` {
		var longer []string
		for _, s := range longest {
			for c := low; c <= high; c++ {
				longer = append(longer, s+string([]byte{byte(c)}))
			}
		}
		all = append(all, longer...)
		longest = longer
	}
	return all
}

func main() {
`)
	for i, p := range programs {
		var conversions []string
		for _, in := range p.Params {
			conversion := in.Name
			switch in.Type {
			case tBool:
				fmt.Fprintf(&b, "for _, %s := range []bool{false, true} {\n", in.Name)
			case tU8, tI8:
				fmt.Fprintf(&b, "for %s := range 256 {\n", in.Name)
				conversion = fmt.Sprintf("%s(%s)", in.Type, in.Name)
			default:
				fmt.Fprintf(&b, "for _, %s := range inputs(%d, %d) {\n", in.Name, in.Low, in.High)
				conversion = fmt.Sprintf("%s(%s)", in.Type, in.Name)
			}
			conversions = append(conversions, conversion)
		}
		fmt.Fprintf(&b, "record(func() uint8 { return p%d(%s) })\n", i, strings.Join(conversions, ", "))
		b.WriteString(strings.Repeat("}\n", len(p.Params)))
	}
	b.WriteString("out.Flush()\n}\n\n")
	for i, p := range programs {
		p.source(&b, fmt.Sprint("p", i))
	}
	return b.String()
}

func readEnds(r io.Reader, programs []*Program) ([][]end, error) {
	in := bufio.NewReader(r)
	messages := map[string]string{} // each once
	ends := make([][]end, len(programs))
	for i, p := range programs {
		for range p.domain() {
			var head [2]byte
			if err := binary.Read(in, binary.LittleEndian, &head); err != nil {
				return nil, fmt.Errorf("reading what the programs did: %w", err)
			}
			e := end{result: head[0]}
			if n := head[1]; n > 0 {
				text := make([]byte, n)
				if _, err := io.ReadFull(in, text); err != nil {
					return nil, fmt.Errorf("reading what the programs did: %w", err)
				}
				message, ok := messages[string(text)]
				if !ok {
					message = string(text)
					messages[message] = message
				}
				e.panic = message
			}
			ends[i] = append(ends[i], e)
		}
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading what the programs did: there is more than there should be")
	}
	return ends, nil
}
