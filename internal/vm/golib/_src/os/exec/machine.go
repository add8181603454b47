package exec

import "errors"

// unsupported ends the run: the program needs what the machine does not have.
func unsupported(what string)

// Start ends the run: there are no other processes. That the command cannot be
// found would be an error that the program may take for an answer.
func (c *Cmd) Start() error {
	err := c.Err
	if c.lookPathErr != nil {
		err = c.lookPathErr
	}
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return err
	case err == nil && c.Path == "":
		return errors.New("exec: no command")
	}
	name := c.Path
	if len(c.Args) > 0 {
		name = c.Args[0]
	}
	unsupported("starting another process, " + name)
	return ErrNotFound
}
