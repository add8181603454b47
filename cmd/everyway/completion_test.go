package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each script is asked, in its shell, what it completes.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	ask := map[string]string{
		"bash": `source <(everyway completion bash)
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _everyway; printf '%s\n' "${COMPREPLY[@]}"`,
		"fish": `everyway completion fish | source; complete -C "$argv"`,
		// The completion system needs a terminal: what it would be called with is printed.
		"zsh": `compdef() { }; source <(everyway completion zsh)
			_describe() { print -l ${commands%%:*} }; compadd() { print -l -- ${@:#--} }; _files() { print -l x.run dir/ }
			words=("$@") CURRENT=$#; _everyway`,
	}
	for shell, script := range ask {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip(err)
			}
			for _, test := range []struct {
				line string
				want string
			}{
				{"everyway rep", "replay"},
				{"everyway test -strat", "-strategy"},
				{"everyway explain dead", "deadlock"},
				{"everyway help verd", "verdicts"},
				{"everyway completion fi", "fish"},
			} {
				args := []string{"-c", script}
				if shell == "fish" {
					args = append(args, test.line)
				} else {
					args = append(append(args, shell), strings.Fields(test.line)...)
				}
				cmd := exec.Command(shell, args...)
				cmd.Dir = dir
				cmd.Env = append(cmd.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v", test.line, err)
				}
				found := false
				for line := range strings.Lines(string(out)) {
					word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
					found = found || word == test.want
					if shell != "zsh" && !strings.HasPrefix(word, test.line[strings.LastIndexByte(test.line, ' ')+1:]) {
						t.Errorf("%s is completed by %q", test.line, word)
					}
				}
				if !found {
					t.Errorf("%s is not completed by %s, but by\n%s", test.line, test.want, out)
				}
			}
		})
	}
}
