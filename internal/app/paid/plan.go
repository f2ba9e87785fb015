// Package paid stands between a person and paid work: what it will cost, the
// word to start, what it costs meanwhile, and whether to go on when the budget
// ends.
package paid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/toolkit/orchestrate"
)

// Plan is paid work before it starts.
type Plan struct {
	Title    string // "ask · 36 questions · anthropic:claude-opus-4-8"
	Estimate orchestrate.Estimate
	Cap      meter.USD
	// Pace says what the cap does to the pace of the work, "" for nothing.
	Pace string
}

// SetPace says so where the cap lets fewer calls run at once than may: each
// holds its worst case until it settles.
func (p *Plan) SetPace(worst meter.USD, inFlight int) {
	if fit := int(p.Cap / max(worst, 1)); fit < inFlight && p.Estimate.High > 0 {
		const cent = meter.Dollar / 100
		room := (p.Estimate.High + meter.USD(inFlight)*worst + cent - 1) / cent * cent
		p.Pace = fmt.Sprintf("under this cap %d calls run at once; with --budget %s, %d would", max(fit, 1), room.Dollars(), inFlight)
	}
}

// Consent is what was said on the command line about spending.
type Consent struct {
	Yes   bool // the estimate is approved unseen
	Auto  bool // nobody is there to be asked
	Quiet bool // no progress is shown
	// Unguided work stops at the end of its budget instead of asking.
	Unguided bool
	// Budget is the limit that was given, nil for none.
	Budget *meter.USD
}

// Guided tells whether a person can be asked while the work goes on.
func (c Consent) Guided(s *term.Streams) bool { return s.InTTY && !c.Auto && !c.Unguided }

// Why paid work does not start.
var (
	// ErrNoConsent is given where nobody agreed and nobody could be asked.
	ErrNoConsent = errors.New("nothing paid starts without a word")
	// ErrDeclined is given when a person said no.
	ErrDeclined = errors.New("not started; nothing was spent")
)

// Approve shows a plan and gets the word to start it. Its cap is the budget
// that was given, else what the estimate asks for.
func Approve(ctx context.Context, s *term.Streams, p Plan, c Consent) error {
	p.Show(s, c)
	if p.Estimate.High == 0 || c.Yes || c.Budget != nil {
		return nil
	}
	if !s.InTTY || c.Auto {
		return ErrNoConsent
	}
	for {
		line, err := s.Ask(ctx, fmt.Sprintf("  Spend up to %s?   [y] go on   [n] not now", p.Cap))
		switch {
		case errors.Is(err, term.ErrAborted):
			return ErrDeclined
		case err != nil:
			return err
		}
		switch strings.ToLower(line) {
		case "y", "yes":
			return nil
		case "n", "no", "q":
			return ErrDeclined
		}
	}
}

// Show says on the side of messages what the work is and may cost.
func (p Plan) Show(s *term.Streams, c Consent) {
	if !c.Quiet {
		// Where messages cannot be shown, there is nobody to read them.
		_, _ = io.WriteString(s.Err, p.text(s.ErrStyle))
	}
}

// Print gives the plan as the result that was asked for.
func (p Plan) Print(s *term.Streams) error {
	_, err := io.WriteString(s.Out, p.text(s.Style)+"  "+s.Style.Dim("nothing was asked, nothing was spent")+"\n")
	return err
}

func (p Plan) text(style term.Style) string {
	text := fmt.Sprintf("%s %s estimate %s, cap %s\n", term.Clean(p.Title), style.Dot, p.rough(style), p.Cap)
	if p.Estimate.Assumption != "" && p.Estimate.High > 0 {
		text += "  " + style.Dim(term.Clean(p.Estimate.Assumption)) + "\n"
	}
	if p.Pace != "" {
		text += "  " + style.Dim(p.Pace) + "\n"
	}
	return text
}

// rough is the estimate for people.
func (p Plan) rough(style term.Style) string {
	if p.Estimate.High == 0 {
		return "$0"
	}
	return fmt.Sprintf("%s %s %s", p.Estimate.Low, style.Dash, p.Estimate.High)
}

// Document is a plan as JSON has it.
type Document struct {
	Low        json.Number `json:"low_usd"`
	High       json.Number `json:"high_usd"`
	Cap        json.Number `json:"cap_usd"`
	Assumption string      `json:"assumption"`
}

// Document gives the plan's JSON form.
func (p Plan) Document() Document {
	return Document{p.Estimate.Low.Dollars(), p.Estimate.High.Dollars(), p.Cap.Dollars(), p.Estimate.Assumption}
}
