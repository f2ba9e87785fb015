//go:build unix

package servers

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a server and its watchdog: a shell that waits until this
// program's end of a pipe closes, in whatever way it ends, then stops the
// server and removes its folder.
type process struct {
	server   *os.Process
	watchdog *exec.Cmd
	pipe     io.WriteCloser
	dir      string
	parent   bool // it has children, which it ends itself when asked to
	once     sync.Once
}

const watch = `read line || kill -QUIT "$1"
n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done
[ "$line" = keep ] || rm -rf "$2"`

// account is whom servers run as: this user, or for root, which they refuse,
// the account of the postgres package, else nobody.
func account() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("no account to run a server as: neither postgres nor nobody exists")
}

// serverDir makes a folder the server may write to. Its path is short: a
// socket's may have 107 bytes.
func serverDir() (string, error) {
	dir, err := os.MkdirTemp("/tmp", "sq")
	if err != nil {
		return "", err
	}
	if err := own(dir); err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}

func own(path string) error {
	who, err := account()
	if err != nil || who == nil {
		return err
	}
	return os.Chown(path, int(who.Uid), int(who.Gid))
}

func writeOwned(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	return own(path)
}

func command(dir, name string, args []string) (*exec.Cmd, error) {
	who, err := account()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// Its own group: an interrupt at the terminal is for the test binary,
	// and the watchdog ends the server after it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who, Setpgid: true}
	return cmd, nil
}

func runSetup(dir, name string, args ...string) error {
	cmd, err := command(dir, name, args)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(string(out)))
	}
	return nil
}

func startProcess(dir, log string, env []string, name string, args []string) (*process, error) {
	cmd, err := command(dir, name, args)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{server: cmd.Process, dir: dir, parent: filepath.Base(name) == "postgres"}
	p.watchdog = exec.Command("sh", "-c", watch, "sh", strconv.Itoa(cmd.Process.Pid), dir)
	p.watchdog.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if p.pipe, err = p.watchdog.StdinPipe(); err == nil {
		err = p.watchdog.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", errWith(err, cmd.Process.Kill()))
	}
	return p, nil
}

func errWith(err, other error) error {
	if other != nil {
		return fmt.Errorf("%w (and %w)", err, other)
	}
	return err
}

// exited reports whether the server has ended by itself.
func (p *process) exited() bool {
	var status syscall.WaitStatus
	pid, err := syscall.Wait4(p.server.Pid, &status, syscall.WNOHANG, nil)
	return pid == p.server.Pid || err == syscall.ECHILD
}

// kill ends the server at once; the folder stays for a second try or for a
// look at its log.
func (p *process) kill() { p.end("keep\n") }

// stop ends the server and removes its folder.
func (p *process) stop() { p.end("remove\n"); os.RemoveAll(p.dir) }

func (p *process) end(word string) {
	p.once.Do(func() {
		if !p.exited() {
			if p.parent {
				_ = p.server.Signal(syscall.SIGQUIT)
				for range 500 {
					if p.exited() {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
			_ = p.server.Kill()
			_, _ = syscall.Wait4(p.server.Pid, nil, 0, nil)
		}
		_, _ = io.WriteString(p.pipe, word)
		p.pipe.Close()
		_ = p.watchdog.Wait()
	})
}
