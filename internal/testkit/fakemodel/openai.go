package fakemodel

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sqbyl/sqbyl/llm"
)

type openaiWire struct{}

type openaiMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
}

func (openaiWire) read(body []byte) (Call, error) {
	var in struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		Messages []openaiMessage `json:"messages"`
		Tools    []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		ToolChoice *struct {
			Function struct{ Name string } `json:"function"`
		} `json:"tool_choice"`
		Format *struct {
			Type       string `json:"type"`
			JSONSchema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Call{}, fmt.Errorf("not JSON: %w", err)
	}
	if in.Model == "" || len(in.Messages) == 0 {
		return Call{}, errors.New("model and messages are required")
	}
	c := Call{Model: in.Model, Stream: in.Stream}
	if in.Format != nil {
		c.Format, c.Schema = in.Format.Type, in.Format.JSONSchema.Schema
	}
	for _, t := range in.Tools {
		c.Tools = append(c.Tools, t.Function.Name)
		if in.ToolChoice != nil && in.ToolChoice.Function.Name == t.Function.Name {
			c.Format, c.Schema = "tool", t.Function.Parameters
		}
	}
	if in.ToolChoice != nil && c.Format != "tool" {
		return Call{}, fmt.Errorf("tool_choice: no tool is named %q", in.ToolChoice.Function.Name)
	}
	for _, m := range in.Messages {
		list, err := blocks(m.Content)
		if err != nil {
			return Call{}, err
		}
		text := textOf(list)
		for _, t := range m.ToolCalls {
			text += fmt.Sprintf("[call %s %s]", t.Function.Name, t.Function.Arguments)
		}
		if m.Role == "system" || m.Role == "developer" {
			c.System += text
			continue
		}
		c.Turns = append(c.Turns, text)
	}
	return c, nil
}

var openaiStops = map[llm.StopReason]string{llm.StopEnd: "stop", llm.StopSeq: "stop", llm.StopTokens: "length", llm.StopTool: "tool_calls", llm.StopRefusal: "content_filter"}

func (openaiWire) usage(r Reply, u llm.Usage) any {
	if r.NoUsage {
		return nil
	}
	prompt := u.Input + u.CacheRead + u.CacheWrite5m + u.CacheWrite1h
	return map[string]any{"prompt_tokens": prompt, "completion_tokens": u.Output, "total_tokens": prompt + u.Output,
		"prompt_tokens_details": map[string]any{"cached_tokens": u.CacheRead}}
}

func (openaiWire) base(kind string, r Reply, c Call) map[string]any {
	return map[string]any{"id": fmt.Sprintf("chatcmpl-%04d", c.N), "object": kind, "created": 1790000000, "model": r.Model}
}

func (openaiWire) calls(r Reply, c Call) []map[string]any {
	var out []map[string]any
	for i, t := range r.Calls {
		out = append(out, map[string]any{"index": i, "id": callID(t, c, i), "type": "function",
			"function": map[string]any{"name": t.Name, "arguments": string(t.Input)}})
	}
	return out
}

func (openaiWire) finish(r Reply) string {
	if s, ok := openaiStops[r.stop()]; ok {
		return s
	}
	return string(r.Stop)
}

func (w openaiWire) plain(r Reply, c Call, u llm.Usage) any {
	message := map[string]any{"role": "assistant", "content": r.Text}
	if r.Thinking != "" {
		message["reasoning_content"] = r.Thinking
	}
	if calls := w.calls(r, c); calls != nil {
		message["tool_calls"] = calls
	}
	out := w.base("chat.completion", r, c)
	out["choices"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": w.finish(r)}}
	if usage := w.usage(r, u); usage != nil {
		out["usage"] = usage
	}
	return out
}

func (w openaiWire) events(r Reply, c Call, u llm.Usage) []event {
	var out []event
	chunk := func(delta map[string]any, finish any) {
		v := w.base("chat.completion.chunk", r, c)
		v["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
		out = append(out, event{"", marshal(v)})
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(r.Text) {
		chunk(map[string]any{"content": piece}, nil)
	}
	for i, call := range w.calls(r, c) {
		f := call["function"].(map[string]any)
		arguments := pieces(f["arguments"].(string))
		f["arguments"] = ""
		chunk(map[string]any{"tool_calls": []any{call}}, nil)
		for _, piece := range arguments {
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}}, nil)
		}
	}
	chunk(map[string]any{}, w.finish(r))
	if usage := w.usage(r, u); usage != nil {
		v := w.base("chat.completion.chunk", r, c)
		v["choices"], v["usage"] = []any{}, usage
		out = append(out, event{"", marshal(v)})
	}
	return append(out, event{"", "[DONE]"})
}

func (openaiWire) midError(kind string) event {
	return event{"", marshal(map[string]any{"error": map[string]any{"type": kind, "code": kind, "message": "the provider failed in the middle"}})}
}
