package fakemodel

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sqbyl/sqbyl/llm"
)

type anthropicWire struct{}

func (anthropicWire) read(body []byte) (Call, error) {
	var in struct {
		Model     string          `json:"model"`
		MaxTokens int             `json:"max_tokens"`
		System    json.RawMessage `json:"system"`
		Stream    bool            `json:"stream"`
		Messages  []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools        []json.RawMessage            `json:"tools"`
		ToolChoice   *struct{ Type, Name string } `json:"tool_choice"`
		Temperature  json.RawMessage              `json:"temperature"`
		OutputConfig struct {
			Format *struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"format"`
		} `json:"output_config"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Call{}, fmt.Errorf("not JSON: %w", err)
	}
	switch {
	case in.Model == "" || in.MaxTokens <= 0 || len(in.Messages) == 0:
		return Call{}, errors.New("model, max_tokens and messages are required")
	case in.Temperature != nil:
		return Call{}, errors.New("temperature: extra inputs are not permitted")
	}
	c := Call{Model: in.Model, Stream: in.Stream}
	if in.OutputConfig.Format != nil {
		c.Schema, c.Format = in.OutputConfig.Format.Schema, "json_schema"
	}
	seen := ""
	for _, t := range in.Tools {
		var tool struct {
			Name  string
			Input json.RawMessage `json:"input_schema"`
		}
		if err := json.Unmarshal(t, &tool); err != nil {
			return Call{}, err
		}
		c.Tools = append(c.Tools, tool.Name)
		if in.ToolChoice != nil && in.ToolChoice.Name == tool.Name {
			c.Schema, c.Format = tool.Input, "tool"
		}
		seen += string(t)
	}
	if in.ToolChoice != nil && (in.ToolChoice.Type != "tool" || c.Format != "tool") {
		return Call{}, fmt.Errorf("tool_choice: no tool is named %q", in.ToolChoice.Name)
	}
	take := func(raw json.RawMessage) (string, error) {
		list, err := blocks(raw)
		if err != nil {
			return "", err
		}
		for _, b := range list {
			seen += marshal(b)
			if b.Cache != nil {
				c.Prefix, c.Life = seen, b.Cache.TTL
			}
		}
		return textOf(list), nil
	}
	var err error
	if c.System, err = take(in.System); err != nil {
		return Call{}, err
	}
	for i, m := range in.Messages {
		text, err := take(m.Content)
		if err != nil {
			return Call{}, err
		}
		if text == "" {
			return Call{}, fmt.Errorf("messages.%d: content must not be empty", i)
		}
		c.Turns = append(c.Turns, text)
	}
	return c, nil
}

var anthropicStops = map[llm.StopReason]string{
	llm.StopEnd: "end_turn", llm.StopTokens: "max_tokens", llm.StopSeq: "stop_sequence", llm.StopTool: "tool_use",
	llm.StopPause: "pause_turn", llm.StopRefusal: "refusal", llm.StopContext: "model_context_window_exceeded",
}

func (anthropicWire) message(r Reply, c Call, u llm.Usage) map[string]any {
	content := []map[string]any{}
	if r.Thinking != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": r.Thinking, "signature": "sig"})
	}
	if r.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": r.Text})
	}
	for i, t := range r.Calls {
		content = append(content, map[string]any{"type": "tool_use", "id": callID(t, c, i), "name": t.Name, "input": t.Input})
	}
	stop, known := anthropicStops[r.stop()]
	if !known {
		stop = string(r.Stop)
	}
	m := map[string]any{"id": fmt.Sprintf("msg_%04d", c.N), "type": "message", "role": "assistant", "model": r.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": anthropicUsage(u)}
	if r.stop() == llm.StopRefusal {
		m["stop_details"] = map[string]any{"type": "refusal", "category": "cyber", "explanation": "this was declined"}
	}
	return m
}

func anthropicUsage(u llm.Usage) map[string]any {
	return map[string]any{"input_tokens": u.Input, "output_tokens": u.Output,
		"cache_creation_input_tokens": u.CacheWrite5m + u.CacheWrite1h, "cache_read_input_tokens": u.CacheRead,
		"cache_creation": map[string]any{"ephemeral_5m_input_tokens": u.CacheWrite5m, "ephemeral_1h_input_tokens": u.CacheWrite1h}}
}

func callID(t llm.ToolCall, c Call, i int) string {
	if t.ID != "" {
		return t.ID
	}
	return fmt.Sprintf("call_%04d_%d", c.N, i)
}

func (w anthropicWire) plain(r Reply, c Call, u llm.Usage) any { return w.message(r, c, u) }

func (w anthropicWire) events(r Reply, c Call, u llm.Usage) []event {
	m := w.message(r, c, u)
	content, stop := m["content"].([]map[string]any), m["stop_reason"]
	details := m["stop_details"]
	start := u
	start.Output = 1
	m["content"], m["stop_reason"], m["usage"] = []any{}, nil, anthropicUsage(start)
	delete(m, "stop_details")
	var out []event
	add := func(name string, v map[string]any) {
		v["type"] = name
		out = append(out, event{name, marshal(v)})
	}
	add("message_start", map[string]any{"message": m})
	for i, block := range content {
		var field, delta, whole string
		switch block["type"] {
		case "text":
			field, delta, whole = "text", "text_delta", block["text"].(string)
			block["text"] = ""
		case "thinking":
			field, delta, whole = "thinking", "thinking_delta", block["thinking"].(string)
			block["thinking"], block["signature"] = "", ""
		case "tool_use":
			field, delta, whole = "partial_json", "input_json_delta", string(block["input"].(json.RawMessage))
			block["input"] = map[string]any{}
		}
		add("content_block_start", map[string]any{"index": i, "content_block": block})
		if i == 0 {
			add("ping", map[string]any{})
		}
		for _, piece := range pieces(whole) {
			add("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": delta, field: piece}})
		}
		if block["type"] == "thinking" {
			add("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "signature_delta", "signature": "sig"}})
		}
		add("content_block_stop", map[string]any{"index": i})
	}
	add("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil, "stop_details": details}, "usage": map[string]any{"output_tokens": u.Output}})
	add("message_stop", map[string]any{})
	return out
}

func (anthropicWire) midError(kind string) event {
	return event{"error", errorBody(kind, "the provider failed in the middle")}
}
