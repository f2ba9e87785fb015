package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/app/workbench"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/project"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// Request is what a command line asks to be evaluated.
type Request struct {
	// What is dev, test or a path, BIRD, Spider and CSV are files of a
	// benchmark of the field whose Databases are in a folder or on a server.
	What              string
	BIRD, Spider, CSV string
	Databases         string
	Solvers           []string
	Split             string
	Check             bool
	// FailUnder is a percentage, and binds where UnderSet.
	FailUnder float64
	UnderSet  bool
	AsOf      string // a date, "" for now
	Reveal    bool
}

// WrongError is a request that cannot be met as it stands.
type WrongError struct{ Message, Hint string }

func (e *WrongError) Error() string { return e.Message }

func unmet(err error) error { return &WrongError{Message: err.Error()} }

// layout is the benchmark of the field that is asked for, if any.
func (r *Request) layout() (path string, read heldout.Layout) {
	switch {
	case r.BIRD != "":
		return r.BIRD, bench.ReadBIRD
	case r.Spider != "":
		return r.Spider, bench.ReadSpider
	case r.CSV != "":
		return r.CSV, bench.ReadCSV
	}
	return "", nil
}

// Validate tells of flags that do not go together.
func (r *Request) Validate() error {
	named := 0
	for _, name := range []string{r.What, r.BIRD, r.Spider, r.CSV} {
		if name != "" {
			named++
		}
	}
	field := r.BIRD != "" || r.Spider != "" || r.CSV != ""
	switch {
	case named > 1:
		return &WrongError{Message: "eval takes one benchmark: dev, test, a path, --bird, --spider or --csv"}
	case field && r.Databases == "":
		return &WrongError{Message: "a benchmark of many databases needs --databases", Hint: "name the folder they are in, or a server's URL"}
	case !field && r.Databases != "":
		return &WrongError{Message: "--databases belongs to --bird, --spider and --csv; a project names its own database"}
	case r.Split != "" && r.Split != Dev && r.Split != Test && r.Split != All:
		return &WrongError{Message: fmt.Sprintf("--split %q is no half of a benchmark", r.Split), Hint: "dev, test or all"}
	case !field && r.Split == All:
		return &WrongError{Message: "the halves of a project are scored apart: eval dev, eval test"}
	case r.What != "" && r.Split != "":
		return &WrongError{Message: "--split names the half of a one-file benchmark, or of the project where nothing else does"}
	case r.Reveal && r.half() != Test && !(field && r.half() != Dev):
		return &WrongError{Message: "--reveal belongs to the held-out half: eval test, or --split test or all of a benchmark of one file"}
	case r.UnderSet && (r.FailUnder < 0 || r.FailUnder > 100 || r.FailUnder > 0 && r.FailUnder < 1):
		return &WrongError{Message: "--fail-under is a percentage from 1 to 100, or 0", Hint: "write --fail-under 80 for 80 %"}
	case len(r.Solvers) == 0 && !r.Check:
		return &WrongError{
			Message: "eval needs --solvers, or --check: it scores answers that are there and asks no model",
			Hint:    "--solvers oracle,mute,FILE where FILE holds predictions in BIRD's layout",
		}
	}
	return nil
}

// half is the half of a benchmark that is asked for.
func (r *Request) half() string {
	if r.What == Dev || r.What == Test {
		return r.What
	}
	return r.Split
}

// Open reads the benchmark and readies the runner for its databases; done
// closes them.
func (r *Request) Open(ctx context.Context, host workbench.Host, runner *score.Runner) (set Set, done func() error, err error) {
	if r.AsOf != "" {
		if runner.AsOf, err = time.Parse(time.DateOnly, r.AsOf); err != nil {
			return set, nil, &WrongError{Message: fmt.Sprintf("--as-of %q is no date", r.AsOf), Hint: "write it as 2026-11-30"}
		}
	}
	path, layout := r.layout()
	if layout == nil {
		return r.openProject(ctx, host, runner)
	}
	place, err := looksPlace(host)
	if err != nil {
		return set, nil, err
	}
	if set, err = Read(path, layout, r.Split, place); err != nil {
		return set, nil, unmet(err)
	}
	databases, err := score.At(r.Databases, driver.Options{AsOf: runner.AsOf})
	if err != nil {
		return set, nil, unmet(fmt.Errorf("--%w", err))
	}
	runner.Open = databases.Open
	return set, databases.Close, nil
}

func (r *Request) openProject(ctx context.Context, host workbench.Host, runner *score.Runner) (set Set, done func() error, err error) {
	wb, err := workbench.Open(host, workbench.Options{})
	if err != nil {
		return set, nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, wb.Close())
		}
	}()
	own := wb.Project()
	runner.Functions, runner.Schemas = own.Manifest.Database.AllowFunctions, own.Manifest.Database.AllowSchemas
	if set, err = r.readProject(own); err != nil {
		return set, nil, err
	}
	database, err := r.database(ctx, host, wb, runner.AsOf)
	if err != nil {
		return set, nil, err
	}
	runner.Open = score.One(database)
	return set, func() error { return errors.Join(database.Close(), wb.Close()) }, nil
}

func (r *Request) readProject(own *project.Project) (Set, error) {
	switch {
	case r.half() == Test:
		return ReadHeldOut(own.Dir, own.Semantic.Assets, heldout.InProject(own.Dir))
	case r.What == "", r.What == Dev:
		set, err := ReadDev(own)
		return set, unreadable(err)
	}
	if ext := filepath.Ext(r.What); ext != ".yaml" && ext != ".yml" {
		return Set{}, &WrongError{
			Message: fmt.Sprintf("%q is no benchmark of a project", r.What),
			Hint:    "dev, test, or the path of a YAML file; other layouts are read with --bird, --spider or --csv",
		}
	}
	set, err := readOwn(r.What, r.What, own.Semantic.Assets)
	return set, unreadable(err)
}

// unreadable makes a file that cannot be read a matter of the command line;
// what is wrong inside it tells its own places.
func unreadable(err error) error {
	var mistakes bench.Mistakes
	if err == nil || errors.As(err, &mistakes) {
		return err
	}
	return unmet(err)
}

// database opens the project's database, with its clock at the day asked for.
func (r *Request) database(ctx context.Context, host workbench.Host, wb *workbench.Workbench, asOf time.Time) (db.Database, error) {
	url, err := wb.Project().DatabaseURL(host.Env)
	if err != nil {
		return nil, err
	}
	return driver.Open(ctx, url, driver.Options{AsOf: asOf})
}

// Command is what the record of looks calls this: no path, which could tell
// about a person's folders.
func (r *Request) Command() string {
	parts := []string{"eval"}
	path, layout := r.layout()
	switch {
	case layout != nil:
		parts = append(parts, filepath.Base(path), "--split "+cmp.Or(r.Split, All))
	default:
		parts = append(parts, cmp.Or(r.half(), Dev))
	}
	if r.Check {
		parts = append(parts, "--check")
	}
	if r.Reveal {
		parts = append(parts, "--reveal")
	}
	return strings.Join(parts, " ")
}

// looksPlace is where looks at a one-file benchmark go on record: in the
// project it is scored in, else in the state folder.
func looksPlace(host workbench.Host) (heldout.Place, error) {
	dir, err := project.Find(host.Dir)
	if err == nil {
		place := heldout.InProject(dir)
		place.Now = host.Now
		return place, nil
	}
	// Any database keeps a project from being looked for; none is opened.
	wb, err := workbench.Open(host, workbench.Options{Database: "none:"})
	if err != nil {
		return heldout.Place{}, err
	}
	state, err := wb.StateDir()
	if err := errors.Join(err, wb.Close()); err != nil {
		return heldout.Place{}, err
	}
	return heldout.Place{Looks: filepath.Join(state, "looks.jsonl"), State: state, Now: host.Now}, nil
}
