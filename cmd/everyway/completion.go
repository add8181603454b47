package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/manual"
)

const completionHelp = `
usage: everyway completion bash|zsh|fish

Completion prints a script that completes commands, flags, packages, run files
and kinds of findings in a shell:

	source <(everyway completion bash)         in ~/.bashrc
	source <(everyway completion zsh)          in ~/.zshrc, after compinit
	everyway completion fish | source          in ~/.config/fish/config.fish
`

func runCompletion(ctx context.Context, args []string, stdout, _ io.Writer, files disk.System) (int, error) {
	args, err := parseFlags(flag.NewFlagSet("completion", flag.ContinueOnError), args, stdout, completionHelp)
	if err != nil {
		return 0, err
	}
	shells := slices.Sorted(maps.Keys(completions))
	if len(args) != 1 || completions[args[0]] == nil {
		return 0, usagef("completion takes the name of a shell: %s", strings.Join(shells, ", "))
	}
	words, err := completionWords(ctx, files)
	if err != nil {
		return 0, err
	}
	if err := completions[args[0]].Execute(stdout, words); err != nil {
		return 0, fmt.Errorf("writing the script: %w", err)
	}
	return exitOK, nil
}

// A completionWord is a command, with what can follow it.
type completionWord struct {
	Name, Short string
	Flags       []string // without the dash
	Runs        bool     // run files follow
	Words       []string // one of these follows
}

// A flagLine of what a command prints for -h names a flag.
var flagLine = regexp.MustCompile(`(?m)^  -(\S+)`)

// completionWords returns what is completed. The flags are those that the commands print themselves.
func completionWords(ctx context.Context, files disk.System) ([]completionWord, error) {
	var words []completionWord
	for _, c := range commands() {
		w := completionWord{Name: c.name, Short: c.short, Runs: strings.Contains(c.args, "file")}
		var help bytes.Buffer
		if c.name != "version" {
			if _, err := c.run(ctx, []string{"-h"}, &help, io.Discard, files); help.Len() == 0 {
				return nil, fmt.Errorf("everyway %s -h: %w", c.name, err)
			}
		}
		for _, m := range flagLine.FindAllStringSubmatch(help.String(), -1) {
			w.Flags = append(w.Flags, m[1])
		}
		words = append(words, w)
	}
	help := completionWord{Name: "help", Short: "print the flags of a command or a page of the documentation"}
	for _, w := range words {
		help.Words = append(help.Words, w.Name)
	}
	topics, err := manual.Topics()
	if err != nil {
		return nil, err
	}
	for _, t := range topics {
		if !slices.Contains(help.Words, t.Name) {
			help.Words = append(help.Words, t.Name)
		}
	}
	for i := range words {
		switch words[i].Name {
		case "completion":
			words[i].Words = slices.Sorted(maps.Keys(completions))
		case "explain":
			for _, d := range check.Detectors {
				words[i].Words = append(words[i].Words, strings.ReplaceAll(string(d.Kind), " ", "-"))
			}
		}
	}
	return append(words, help), nil
}

// completions are the scripts, by the name of the shell. They are functions of the words only: no script
// calls everyway.
var completions = map[string]*template.Template{
	"bash": template.Must(template.New("bash").Funcs(template.FuncMap{"join": strings.Join}).Parse(bashCompletion)),
	"zsh":  template.Must(template.New("zsh").Funcs(template.FuncMap{"join": strings.Join}).Parse(zshCompletion)),
	"fish": template.Must(template.New("fish").Funcs(template.FuncMap{"join": strings.Join, "quote": fishQuote}).Parse(fishCompletion)),
}

const bashCompletion = `# bash completion of everyway
_everyway() {
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} flags= words= runs=
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "{{range $i, $w := .}}{{if $i}} {{end}}{{.Name}}{{end}}" -- "$word"))
		return
	fi
	case $command in
{{- range .}}
	{{.Name}}) flags="{{range $i, $f := .Flags}}{{if $i}} {{end}}-{{$f}}{{end}}" words="{{join .Words " "}}"{{if .Runs}} runs=1{{end}} ;;
{{- end}}
	esac
	case $word in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
	*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
	esac
	if [ ${#COMPREPLY[@]} -gt 0 ]; then
		return
	fi
	compopt -o filenames 2>/dev/null
	if [ -n "$runs" ]; then
		COMPREPLY=($(compgen -f -X "!*.run" -- "$word") $(compgen -d -- "$word"))
	else
		COMPREPLY=($(compgen -d -- "$word"))
	fi
}
complete -F _everyway everyway
`

const zshCompletion = `#compdef everyway
# zsh completion of everyway
_everyway() {
	local -a commands
	commands=(
{{- range .}}
		'{{.Name}}:{{.Short}}'
{{- end}}
	)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	case $words[2] in
{{- range .}}
	{{.Name}})
		if [[ $words[CURRENT] == -* ]]; then
			compadd --{{range .Flags}} -{{.}}{{end}}
		{{- if .Words}}
		else
			compadd -- {{join .Words " "}}
		{{- else if .Runs}}
		else
			_files -g '*.run'
		{{- else}}
		else
			_files -/
		{{- end}}
		fi
		;;
{{- end}}
	esac
}
compdef _everyway everyway
`

// fishQuote quotes a text for fish.
func fishQuote(text string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "\\'").Replace(text) + "'"
}

const fishCompletion = `# fish completion of everyway
complete -c everyway -f
{{- range .}}
complete -c everyway -n __fish_use_subcommand -a {{.Name}} -d {{quote .Short}}
{{- $name := .Name}}
{{- range .Flags}}
complete -c everyway -n '__fish_seen_subcommand_from {{$name}}' -o {{.}}
{{- end}}
{{- if .Words}}
complete -c everyway -n '__fish_seen_subcommand_from {{.Name}}' -a '{{join .Words " "}}'
{{- else if .Runs}}
complete -c everyway -n '__fish_seen_subcommand_from {{.Name}}' -a '(__fish_complete_suffix .run)'
{{- else}}
complete -c everyway -n '__fish_seen_subcommand_from {{.Name}}' -a '(__fish_complete_directories)'
{{- end}}
{{- end}}
`
