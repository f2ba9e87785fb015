// Package openai asks models over OpenAI's chat completions, which OpenAI,
// Groq, OpenRouter, Ollama, vLLM and llama.cpp all speak, each a little
// differently. What a server does not know is learned from its refusals, once
// per endpoint and model. The package never retries what failed otherwise.
package openai

import (
	"context"
	"net/http"
	"strings"
	"time"

	sdk "github.com/sashabaranov/go-openai"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
	"github.com/sqbyl/sqbyl/llm/internal/wire"
)

// Endpoint is a provider that this package knows by name.
type Endpoint struct {
	BaseURL string
	// Keyless providers run on the user's own machine.
	Keyless bool
}

// Endpoints lists the providers by the names that people give them.
func Endpoints() map[string]Endpoint {
	return map[string]Endpoint{
		"openai":     {BaseURL: "https://api.openai.com/v1"},
		"groq":       {BaseURL: "https://api.groq.com/openai/v1"},
		"openrouter": {BaseURL: "https://openrouter.ai/api/v1"},
		"ollama":     {BaseURL: "http://127.0.0.1:11434/v1", Keyless: true},
		"vllm":       {BaseURL: "http://127.0.0.1:8000/v1", Keyless: true},
		"llamacpp":   {BaseURL: "http://127.0.0.1:8080/v1", Keyless: true},
	}
}

// Config says whom to ask and as whom.
type Config struct {
	Provider string // the name in errors, traces and ledgers; empty means openai
	Key      string
	BaseURL  string // up to and with /v1; empty means the provider's own
	// Memory keeps what servers have been found to know; nil means a new one.
	Memory *ability.Memory
	// Idle is how long the provider may send nothing before the call counts
	// as cut; 0 means ten minutes.
	Idle time.Duration
	// HTTP carries the calls; nil means a client of its own.
	HTTP *http.Client
}

// Client asks one endpoint with one key. It is an llm.Client, an llm.Lister
// and an llm.Negotiator.
type Client struct {
	config Config
	sdk    *sdk.Client
	// keyed tells that the endpoint refuses calls without a key.
	keyed bool
}

// New makes a client. A missing key shows at the first call, as KindKey.
func New(c Config) *Client {
	if c.Provider == "" {
		c.Provider = "openai"
	}
	known := Endpoints()[c.Provider]
	keyed := c.BaseURL == "" && !known.Keyless
	if c.BaseURL == "" {
		c.BaseURL = known.BaseURL
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if c.Idle == 0 {
		c.Idle = 10 * time.Minute
	}
	if c.Memory == nil {
		c.Memory = ability.NewMemory(nil)
	}
	carrier := wire.Carrier(c.HTTP)
	carrier.Transport = listener{carrier.Transport}
	config := sdk.DefaultConfig(c.Key)
	config.BaseURL = c.BaseURL
	config.HTTPClient = carrier
	// Servers send comments while they think; none of them is an error.
	config.EmptyMessagesLimit = 1 << 30
	return &Client{config: c, sdk: sdk.NewClientWithConfig(config), keyed: keyed}
}

// Complete asks for one answer, streamed, and returns when it is whole.
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
		Provider: c.config.Provider, Base: c.config.BaseURL,
		// Only OpenAI itself is sure to know the new name of max_tokens.
		First: ability.Ability{OldMaxTokens: c.config.Provider != "openai"},
		Ways:  []ability.Answers{ability.BySchema, ability.ByObject, ability.ByTool, ability.ByInstruction},
	}, inner)
}

// Models lists what the key reaches. It costs nothing.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	if err := c.keyless(""); err != nil {
		return nil, err
	}
	ctx, x := listen(ctx)
	list, err := c.sdk.ListModels(ctx)
	if err != nil {
		return nil, (&answer{client: c, exchange: x}).failed(ctx, err)
	}
	names := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		names = append(names, m.ID)
	}
	return names, nil
}

func (c *Client) keyless(model string) error {
	switch {
	case c.config.BaseURL == "":
		return c.named(&llm.Error{Kind: llm.KindUnreachable, Message: "no base URL is set, and this provider has none of its own"}, model)
	case c.keyed && c.config.Key == "":
		return c.named(&llm.Error{Kind: llm.KindKey, Message: "no API key is set"}, model)
	}
	return nil
}

// once makes one HTTP request.
func (c *Client) once(ctx context.Context, req llm.Request, form ability.Form) (llm.Response, error) {
	watched, stop := wire.Watch(ctx, c.config.Idle)
	defer stop()
	watched, x := listen(watched)
	a := &answer{client: c, req: req, start: time.Now(), exchange: x, accepted: form.Accepted, tool: form.AnswerTool(req)}
	stream, err := c.sdk.CreateChatCompletionStream(watched, body(req, form.Ability))
	if err != nil {
		return llm.Response{}, a.failed(watched, err)
	}
	defer stream.Close()
	if x.isJSON() {
		return a.plain(watched)
	}
	for {
		line, err := stream.RecvRaw()
		if err != nil {
			return a.finish(watched, err)
		}
		if err := a.add(line); err != nil {
			return llm.Response{}, err
		}
	}
}

func (c *Client) named(e *llm.Error, model string) *llm.Error {
	e.Provider, e.Model = c.config.Provider, model
	e.Message = wire.Mask(e.Message, c.config.Key)
	return e
}
