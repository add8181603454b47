package plugin

import "errors"

// unsupported ends the run: the program needs what the machine does not have.
func unsupported(what string)

// open ends the run: plugins are machine code.
func open(name string) (*Plugin, error) {
	unsupported("opening the plugin " + name)
	return nil, errors.New("plugin: not implemented")
}
