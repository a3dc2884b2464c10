package store

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// engineLog is where the engine's own troubles go, one line each.
type engineLog struct {
	dir  string
	to   io.Writer
	exit func(code int)

	mu   sync.Mutex
	last string // background error that was told already
}

func newEngineLog(dir string, o Options) *engineLog {
	l := &engineLog{dir: dir, to: o.Log, exit: o.Exit}
	if l.to == nil {
		l.to = os.Stderr
	}
	if l.exit == nil {
		l.exit = os.Exit
	}
	return l
}

// Infof is the engine's diary; nobody reads it.
func (l *engineLog) Infof(string, ...any) {}

// Errorf tells an error that the engine goes on from.
func (l *engineLog) Errorf(format string, args ...any) { l.line("error", format, args...) }

// Fatalf ends the process: the engine cannot write its log, and asks for this.
func (l *engineLog) Fatalf(format string, args ...any) {
	l.line("fatal, this process ends; what was acknowledged is on disk", format, args...)
	l.exit(2)
}

func (l *engineLog) line(what, format string, args ...any) {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	// One call, so that lines of several goroutines do not mix. There is nowhere to
	// report that a report could not be written.
	_, _ = fmt.Fprintf(l.to, "store in %s: %s: %s\n", l.dir, what, text)
}

// listener hears of what would otherwise only be felt. On a full disk the engine
// retries its flush in a hot loop, so an error is told once, until a flush works.
func (l *engineLog) listener() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: func(err error) { l.once(err.Error()) },
		FlushEnd: func(info pebble.FlushInfo) {
			if info.Err == nil {
				l.reset()
			}
		},
		WriteStallBegin: func(info pebble.WriteStallBeginInfo) {
			l.line("writes wait", "%s", info.Reason)
		},
	}
}

func (l *engineLog) once(text string) {
	l.mu.Lock()
	told := l.last == text
	l.last = text
	l.mu.Unlock()
	if !told {
		l.line("background error", "%s", text)
	}
}

func (l *engineLog) reset() {
	l.mu.Lock()
	l.last = ""
	l.mu.Unlock()
}
