package paid

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/throttle"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
	"github.com/sqbyl/sqbyl/llm"
)

// Live shows work while it goes on: one line on a terminal, some plain lines
// elsewhere, nothing where nothing is wanted. It is safe for concurrent use.
type Live struct {
	streams *term.Streams
	quiet   bool
	total   int
	unit    string // "question"
	budget  *meter.Budget

	mu       sync.Mutex
	began    time.Time
	done     int
	cheap    int // of those, ended without asking anybody
	inFlight int
	waiting  map[string]pause // by model
	told     time.Time        // of the last plain line about a wait
	shown    int              // tenths of the work that plain lines told of
	stop     chan struct{}
	stopped  sync.WaitGroup
}

type pause struct {
	why   string
	until time.Time
}

// Watch begins to show work of total units. Stop ends it.
func Watch(s *term.Streams, quiet bool, total int, unit string, budget *meter.Budget) *Live {
	l := &Live{streams: s, quiet: quiet, total: total, unit: unit, budget: budget, began: time.Now(), waiting: map[string]pause{}, stop: make(chan struct{})}
	if s.ErrTTY && !quiet {
		l.stopped.Go(l.draw)
	}
	return l
}

// redraw is the pause between two pictures of the line.
const redraw = 200 * time.Millisecond

func (l *Live) draw() {
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		l.mu.Lock()
		l.streams.Status(l.line(time.Now()))
		l.mu.Unlock()
		select {
		case <-ticker.C:
		case <-l.stop:
			return
		}
	}
}

// Stop takes the line away.
func (l *Live) Stop() {
	close(l.stop)
	l.stopped.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams.Status("")
}

// Begin tells that a unit is on its way.
func (l *Live) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight++
}

// End tells that a unit ended, in which state, and whether it asked anybody.
// One that was not run is still to be done.
func (l *Live) End(state orchestrate.State, asked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	if state == orchestrate.NotRun {
		return
	}
	l.done++
	if !asked {
		l.cheap++
	}
	if tenths := l.done * 10 / max(l.total, 1); !l.streams.ErrTTY && !l.quiet && tenths > l.shown && l.done < l.total {
		l.shown = tenths
		fmt.Fprintln(l.streams.Err, "  "+l.facts(time.Now()))
	}
}

// plainWaits is how often plain lines tell of waits.
const plainWaits = 5 * time.Second

// Wait tells about a pause. It is what throttle wants to call.
func (l *Live) Wait(w throttle.Wait) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if until := now.Add(w.For); until.After(l.waiting[w.Model].until) {
		l.waiting[w.Model] = pause{why(w.Kind), until}
	}
	if l.streams.ErrTTY || l.quiet || now.Sub(l.told) < plainWaits {
		return
	}
	l.told = now
	fmt.Fprintf(l.streams.Err, "  %s\n", Pause(w))
}

// Pause says in words why a call waits.
func Pause(w throttle.Wait) string {
	text := fmt.Sprintf("%s: %s, waiting %s", term.Clean(w.Model), why(w.Kind), short(w.For))
	if w.Attempt > 0 {
		text += fmt.Sprintf(" before attempt %d", w.Attempt+1)
	}
	return text
}

// why is in words what a call waits for.
func why(k llm.Kind) string {
	switch k {
	case llm.KindRateLimited:
		return "rate limited"
	case llm.KindOverloaded:
		return "overloaded"
	case llm.KindServer:
		return "an error of the server"
	case llm.KindCut:
		return "the connection broke"
	case llm.KindMalformed:
		return "a broken answer"
	case llm.KindUnreachable:
		return "no connection"
	}
	return k.String()
}

// Aside does something else on the terminal meanwhile.
func (l *Live) Aside(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams.Status("")
	do()
}

const barWidth = 20

func (l *Live) line(now time.Time) string {
	style := l.streams.ErrStyle
	full := barWidth * l.done / max(l.total, 1)
	return "  " + strings.Repeat(style.BarFull, full) + strings.Repeat(style.BarLeft, barWidth-full) + "  " + l.facts(now)
}

func (l *Live) facts(now time.Time) string {
	list := []string{fmt.Sprintf("%d/%d", l.done, l.total)}
	if l.inFlight > 0 {
		list = append(list, fmt.Sprintf("%d in flight", l.inFlight))
	}
	if l.budget != nil {
		list = append(list, fmt.Sprintf("%s of %s", l.budget.Spent().Total(), l.budget.Cap()))
	}
	if asked := l.done - l.cheap; asked > 0 && l.done < l.total {
		left := time.Duration(float64(now.Sub(l.began)) / float64(asked) * float64(l.total-l.done))
		list = append(list, short(left)+" left")
	}
	for model, w := range l.waiting {
		if d := w.until.Sub(now); d > 0 {
			list = append(list, fmt.Sprintf("%s: %s, waiting %s", model, w.why, short(d)))
		}
	}
	return strings.Join(list, " "+l.streams.ErrStyle.Dot+" ")
}

// short is a time span with as much of it as matters.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
