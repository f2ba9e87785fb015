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
	// Notes say what is in the cap and what it does to the pace of the work.
	Notes []string
}

// Limit sets the cap: the budget that was given, else what approving the
// estimate gives. Each of inFlight calls at once holds the worst case, worst,
// until it settles; where the cap has no room for that, a note says so.
func (p *Plan) Limit(budget *meter.USD, worst meter.USD, inFlight int) {
	calls := p.Estimate.AtOnce(inFlight)
	switch {
	case budget != nil:
		p.Cap = *budget
	case p.Estimate.High > 0:
		p.Cap = p.Estimate.Cap(worst, inFlight)
		if room := p.Cap - p.Estimate.High; room > p.Estimate.High/2 {
			p.Notes = append(p.Notes, fmt.Sprintf("%s of the cap is room for calls in flight, held at their worst until they settle; what they do not use is not spent", Cents(room)))
		}
	}
	if fit := max(1, int((p.Cap-p.Estimate.High)/max(worst, 1))); p.Estimate.High > 0 && fit < calls {
		full := Cents(p.Estimate.High + meter.USD(calls)*worst)
		p.Notes = append(p.Notes, fmt.Sprintf("under this cap there may be only %s in flight at once; with --budget %s there are %d", term.Counted(fit, "call"), full.Dollars(), calls))
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
	for _, note := range p.Notes {
		text += "  " + style.Dim(note) + "\n"
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
