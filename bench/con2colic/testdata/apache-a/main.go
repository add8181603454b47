// Apache-a is a test driver for the control connections of an FTP server, after
// the class RequestHandler of the Apache FTP server: one goroutine serves the
// commands of a client, another closes connections that have been idle. A
// connection that is closed in the middle of a command loses its writer, which
// the command still uses: the server checks for that once, before it serves.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/sym"
)

// The commands of the protocol that the server knows.
const (
	cmdUser = 'U'
	cmdPass = 'P'
	cmdType = 'T'
	cmdMode = 'M'
	cmdCwd  = 'C'
	cmdPwd  = 'W'
	cmdList = 'L'
	cmdRetr = 'R'
	cmdStor = 'S'
	cmdDele = 'D'
	cmdNoop = 'N'
	cmdQuit = 'Q'
)

// Replies to commands.
const (
	replyOK       = 200
	replyBye      = 221
	replyLoggedIn = 230
	replyFile     = 250
	replyPath     = 257
	replyPassword = 331
	replyUnknown  = 500
	replyOrder    = 503
	replyNotYet   = 530
	replyNoFile   = 550
)

// A writer sends replies.
type writer struct {
	last   int // reply
	errors int // replies that say that something is wrong
}

func (w *writer) send(reply int) {
	w.last = reply
	if reply >= 500 {
		w.errors++
	}
}

// An account is what the server knows of a user.
type account struct {
	password uint8
	admin    bool // may delete
	disabled bool
}

// accounts are the users by number; the first is anonymous.
var accounts = [...]account{{}, {password: 'p'}, {password: 'q', admin: true}, {disabled: true}}

// A session is what the client has done so far. Only its own goroutine uses it.
type session struct {
	user   int
	depth  int // of the working directory
	binary bool
	files  int
}

// A connection is a client's.
type connection struct {
	session session

	mu       sync.Mutex
	loggedIn bool
	writer   *writer // nil when the connection is closed
}

// closed reports whether the connection is closed.
func (c *connection) closed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writer == nil
}

// reply sends a reply.
func (c *connection) reply(code int) {
	c.mu.Lock()
	w := c.writer
	c.mu.Unlock()
	if w == nil {
		panic("ftp: reply on a closed connection")
	}
	w.send(code)
}

// login notes that the client is logged in: from now on it can be idle.
func (c *connection) login() {
	c.mu.Lock()
	c.loggedIn = true
	c.mu.Unlock()
}

// authenticate returns the reply to a user and a password.
func (s *session) authenticate(user, password uint8) int {
	if int(user) >= len(accounts) {
		return replyNotYet
	}
	for i := range accounts {
		if i == int(user) {
			s.user = i
		}
	}
	a := &accounts[s.user]
	switch {
	case a.disabled:
		return replyNotYet
	case s.user == 0:
		if password == 0 {
			return replyPassword // anonymous clients have to give their address
		}
	case a.password != password:
		return replyNotYet
	}
	return replyLoggedIn
}

// serve carries out a command and returns the reply.
func (s *session) serve(command uint8) int {
	switch command {
	case cmdUser, cmdPass:
		return replyOrder
	case cmdNoop:
	case cmdQuit:
		return replyBye
	case cmdType:
		s.binary = true
	case cmdMode:
		s.binary = false
	case cmdCwd:
		if s.depth > 0 {
			return replyNoFile
		}
		s.depth++
		return replyFile
	case cmdPwd:
		return replyPath
	case cmdList:
		if s.depth > 1 {
			return replyNoFile
		}
	case cmdStor:
		if s.user == 0 {
			return replyNotYet
		}
		s.files++
		return replyFile
	case cmdRetr:
		if s.files == 0 {
			return replyNoFile
		}
		return replyFile
	case cmdDele:
		if !accounts[s.user].admin {
			return replyNotYet
		}
		s.files--
	default:
		return replyUnknown
	}
	return replyOK
}

// run lets the client log in and give a command.
func (c *connection) run(user, password, command uint8) {
	s := &c.session
	code := s.authenticate(user, password)
	if code == replyLoggedIn {
		c.login()
	}
	if c.closed() {
		return
	}
	c.reply(code) // bug: the connection may have been closed since
	if code != replyLoggedIn {
		return
	}
	if code := s.serve(command); code == replyBye {
		s.depth, s.files = 0, 0
	} else if code >= replyUnknown {
		s.binary = false
	}
}

// expire closes the connection if the client is logged in, and so is idle when
// it says nothing.
func (c *connection) expire() {
	c.mu.Lock()
	idle := c.loggedIn
	c.mu.Unlock()
	if !idle {
		return
	}
	c.mu.Lock()
	c.writer = nil
	c.mu.Unlock()
}

func main() {
	user, password, command := sym.Uint8("user"), sym.Uint8("password"), sym.Uint8("command")
	c := &connection{writer: &writer{}}
	var wg sync.WaitGroup
	wg.Go(func() { c.run(user, password, command) })
	wg.Go(c.expire)
	wg.Wait()
}
