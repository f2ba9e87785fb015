// Package anthropic asks Claude models over the Messages API. It never
// retries, reads nothing from the environment and sends no telemetry: waiting,
// configuration and traces belong to its callers.
package anthropic

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

// Provider is this client's name in errors, traces and ledgers.
const Provider = "anthropic"

// DefaultBaseURL is the endpoint that an empty Config.BaseURL means.
const DefaultBaseURL = "https://api.anthropic.com"

// Config says whom to ask and as whom.
type Config struct {
	Key     string
	BaseURL string // empty means DefaultBaseURL
	// Version is sent as anthropic-version; empty means the one the SDK was
	// made for. Endpoints of other vendors may know only an older one.
	Version string
	// Memory keeps what other endpoints than Anthropic's own have been found
	// not to know; nil means a new one.
	Memory *ability.Memory
	// Idle is how long the provider may send nothing before the call counts
	// as cut; 0 means five minutes.
	Idle time.Duration
	// HTTP carries the calls; nil means a client of its own.
	HTTP *http.Client
}

// Client asks one endpoint with one key. It is an llm.Client, llm.Lister,
// llm.Counter and llm.Negotiator.
type Client struct {
	config Config
	sdk    sdk.Client
}

// New makes a client. A missing key shows at the first call, as KindKey.
func New(c Config) *Client {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1")
	if c.Idle == 0 {
		c.Idle = 5 * time.Minute
	}
	if c.Memory == nil {
		c.Memory = ability.NewMemory(nil)
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithAPIKey(c.Key),
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(wire.Carrier(c.HTTP)),
		option.WithMaxRetries(0),
	}
	if c.Version != "" {
		// Who knows only an older version looks for the key where that had it.
		opts = append(opts, option.WithHeader("anthropic-version", c.Version), option.WithHeader("x-api-key", c.Key))
	}
	return &Client{config: c, sdk: sdk.NewClient(opts...)}
}

// Complete asks for one answer. It streams, so that long answers need no
// long silence, and returns when the answer is whole.
func (c *Client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	form, ok := ability.FormOf(ctx)
	if !ok {
		return c.Negotiate(c).Complete(ctx, req)
	}
	if err := c.keyless(req.Model); err != nil {
		return llm.Response{}, err
	}
	if err := wire.Gone(ctx); err != nil {
		return llm.Response{}, c.named(err, req.Model)
	}
	return c.once(ctx, req, form)
}

// Negotiate makes the client an llm.Negotiator.
func (c *Client) Negotiate(inner llm.Client) llm.Client {
	return c.config.Memory.Negotiate(ability.Endpoint{
		Provider: Provider, Base: c.config.BaseURL,
		// The Messages API has only the old name of max_tokens.
		First: ability.Ability{OldMaxTokens: true},
		Ways:  []ability.Answers{ability.BySchema, ability.ByTool, ability.ByInstruction},
	}, inner)
}

// once makes one HTTP request.
func (c *Client) once(ctx context.Context, req llm.Request, form ability.Form) (llm.Response, error) {
	start := time.Now()
	watched, stop := wire.Watch(ctx, c.config.Idle)
	defer stop()

	a := answer{client: c, req: req, start: start, accepted: form.Accepted, tool: form.AnswerTool(req)}
	stream := c.sdk.Messages.NewStreaming(watched, params(req, form.Ability), option.WithResponseInto(&a.http))
	defer stream.Close()
	if err := stream.Err(); err != nil {
		return llm.Response{}, a.failed(watched, err)
	}
	if isJSON(a.http) {
		return a.plain(watched)
	}
	for stream.Next() {
		a.begin()
		if err := a.add(stream.Current()); err != nil {
			return llm.Response{}, a.malformed(err.Error())
		}
		if a.whole {
			break
		}
	}
	if !a.whole {
		err := stream.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return llm.Response{}, a.failed(watched, err)
	}
	return a.response()
}

// Models lists what the key reaches, the newest first. It costs nothing.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	if err := c.keyless(""); err != nil {
		return nil, err
	}
	a := answer{client: c}
	page, err := c.sdk.Models.List(ctx, sdk.ModelListParams{Limit: param.NewOpt(int64(1000))}, option.WithResponseInto(&a.http))
	if err != nil {
		return nil, a.failed(ctx, err)
	}
	names := make([]string, 0, len(page.Data))
	for _, m := range page.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// CountTokens counts the tokens of a prompt. It costs nothing.
func (c *Client) CountTokens(ctx context.Context, req llm.Request) (int64, error) {
	if err := c.keyless(req.Model); err != nil {
		return 0, err
	}
	full := params(req, ability.Ability{})
	a := answer{client: c, req: req}
	count, err := c.sdk.Messages.CountTokens(ctx, sdk.MessageCountTokensParams{
		Model: full.Model, Messages: full.Messages, OutputConfig: full.OutputConfig,
		System: sdk.MessageCountTokensParamsSystemUnion{OfTextBlockArray: full.System},
		Tools:  countedTools(full.Tools),
	}, option.WithResponseInto(&a.http))
	if err != nil {
		return 0, a.failed(ctx, err)
	}
	return count.InputTokens, nil
}

func (c *Client) keyless(model string) error {
	if c.config.Key != "" {
		return nil
	}
	return c.named(&llm.Error{Kind: llm.KindKey, Message: "no API key is set"}, model)
}

func (c *Client) named(e *llm.Error, model string) *llm.Error {
	e.Provider, e.Model = Provider, model
	e.Message = wire.Mask(e.Message, c.config.Key)
	return e
}

func isJSON(r *http.Response) bool {
	if r == nil {
		return false
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("content-type"))
	return media == "application/json"
}

// plain reads an answer of an endpoint that does not stream.
func (a *answer) plain(ctx context.Context) (llm.Response, error) {
	body, err := io.ReadAll(a.http.Body)
	if err != nil {
		return llm.Response{}, a.failed(ctx, err)
	}
	a.begin()
	if err := json.Unmarshal(body, &a.message); err != nil {
		return llm.Response{}, a.malformed("the body is not a message: " + err.Error())
	}
	if a.message.Type != "message" || a.message.StopReason == "" {
		return llm.Response{}, a.malformed("the body is not a whole message")
	}
	return a.response()
}
