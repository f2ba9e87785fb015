package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/sashabaranov/go-openai"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
)

// body turns a request into the wire's form, as far as the server knows it.
func body(req llm.Request, a ability.Ability) sdk.ChatCompletionRequest {
	out := sdk.ChatCompletionRequest{Model: req.Model}
	if a.OldMaxTokens {
		out.MaxTokens = req.MaxTokens //nolint:staticcheck // The only field that older servers know.
	} else {
		out.MaxCompletionTokens = req.MaxTokens
	}
	if !a.NoStreamUsage {
		out.StreamOptions = &sdk.StreamOptions{IncludeUsage: true}
	}
	if !a.NoEffort {
		out.ReasoningEffort = req.Effort
	}
	if system := system(req, a); system != "" {
		out.Messages = append(out.Messages, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleSystem, Content: system})
	}
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, messages(m)...)
	}
	tools, way := req.Tools, a.Answers
	if req.Answer != nil && way == ability.ByTool {
		tools = []llm.Tool{ability.Tool(*req.Answer)}
		out.ToolChoice = sdk.ToolChoice{Type: sdk.ToolTypeFunction, Function: sdk.ToolFunction{Name: req.Answer.Name}}
	}
	for _, t := range tools {
		out.Tools = append(out.Tools, sdk.Tool{Type: sdk.ToolTypeFunction, Function: &sdk.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: raw(t.Input, "{}"),
		}})
	}
	if req.Answer != nil {
		out.ResponseFormat = format(*req.Answer, way)
	}
	return out
}

func format(s llm.Schema, way ability.Answers) *sdk.ChatCompletionResponseFormat {
	switch way {
	case ability.ByObject:
		return &sdk.ChatCompletionResponseFormat{Type: sdk.ChatCompletionResponseFormatTypeJSONObject}
	case ability.ByTool, ability.ByInstruction:
		return nil
	}
	return &sdk.ChatCompletionResponseFormat{Type: sdk.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &sdk.ChatCompletionResponseFormatJSONSchema{Name: s.Name, Schema: raw(s.Schema, "{}"), Strict: true}}
}

// system joins the system blocks. A server that cannot be held to a schema is
// told it in words, at the end, so that what stands before stays the same.
func system(req llm.Request, a ability.Ability) string {
	var parts []string
	for _, b := range req.System {
		if b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	if req.Answer != nil && a.Answers != ability.BySchema {
		parts = append(parts, a.Answers.Instruction(*req.Answer))
	}
	return strings.Join(parts, "\n\n")
}

// messages gives a turn as the wire has it: every tool result is a message of
// its own, before the user's words.
func messages(m llm.Message) []sdk.ChatCompletionMessage {
	var out []sdk.ChatCompletionMessage
	for _, r := range m.Results {
		text := r.Text
		if r.Error {
			text = "Error: " + text
		}
		out = append(out, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleTool, ToolCallID: r.ID, Content: filled(text)})
	}
	if m.Role == llm.Assistant {
		turn := sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleAssistant, Content: m.Text}
		for _, c := range m.Calls {
			turn.ToolCalls = append(turn.ToolCalls, sdk.ToolCall{ID: c.ID, Type: sdk.ToolTypeFunction,
				Function: sdk.FunctionCall{Name: c.Name, Arguments: string(raw(c.Input, "{}"))}})
		}
		if len(turn.ToolCalls) == 0 {
			turn.Content = filled(turn.Content)
		}
		return append(out, turn)
	}
	if m.Text != "" || len(out) == 0 {
		out = append(out, sdk.ChatCompletionMessage{Role: sdk.ChatMessageRoleUser, Content: filled(m.Text)})
	}
	return out
}

// filled stands in for text that a server would refuse for being empty.
func filled(s string) string {
	if s == "" {
		return "(empty)"
	}
	return s
}

func raw(m json.RawMessage, empty string) json.RawMessage {
	if len(m) == 0 {
		return json.RawMessage(empty)
	}
	return m
}
