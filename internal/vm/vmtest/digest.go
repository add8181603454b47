package vmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// Digest returns a hash of the last run of m: its trace, its final state and its output.
func Digest(m *vm.Machine, trace *run.Trace, output string) (string, error) {
	h := sha256.New()
	h.Write([]byte(output))
	if err := json.NewEncoder(h).Encode(trace); err != nil {
		return "", fmt.Errorf("encoding a trace: %w", err)
	}
	state := m.StateHash()
	h.Write(state[:])
	return hex.EncodeToString(h.Sum(nil)), nil
}
