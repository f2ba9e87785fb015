package anthropic

import (
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/ability"
)

// params turns a request into the SDK's form. Schemas go as their own bytes:
// a map would sort their keys, and a model answers in the order it is asked.
func params(req llm.Request, known ability.Ability) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: req.Model, MaxTokens: int64(req.MaxTokens)}
	for _, b := range req.System {
		if b.Text == "" {
			continue
		}
		block := sdk.TextBlockParam{Text: b.Text}
		if b.Cache != llm.NoCache {
			block.CacheControl = cacheControl(b.Cache)
		}
		p.System = append(p.System, block)
	}
	for _, m := range req.Messages {
		p.Messages = append(p.Messages, message(m))
	}
	tools := req.Tools
	if req.Answer != nil && known.Answers == ability.ByTool {
		tools = []llm.Tool{ability.Tool(*req.Answer)}
		p.ToolChoice = sdk.ToolChoiceParamOfTool(req.Answer.Name)
	}
	for _, t := range tools {
		tool := sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](raw(t.Input))}
		if t.Description != "" {
			tool.Description = param.NewOpt(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	switch {
	case req.Answer != nil && known.Answers != ability.BySchema:
		p.System = append(p.System, sdk.TextBlockParam{Text: known.Answers.Instruction(*req.Answer)})
	case req.Answer != nil:
		schema := append(append([]byte(`{"type":"json_schema","schema":`), raw(req.Answer.Schema)...), '}')
		p.OutputConfig.Format = param.Override[sdk.JSONOutputFormatParam](json.RawMessage(schema))
	}
	if !known.NoEffort {
		p.OutputConfig.Effort = sdk.OutputConfigEffort(req.Effort)
	}
	return p
}

func message(m llm.Message) sdk.MessageParam {
	var blocks []sdk.ContentBlockParamUnion
	var thinking []json.RawMessage
	if json.Unmarshal(raw(m.Thinking), &thinking) == nil {
		for _, t := range thinking {
			blocks = append(blocks, param.Override[sdk.ContentBlockParamUnion](t))
		}
	}
	for _, r := range m.Results {
		result := sdk.ToolResultBlockParam{ToolUseID: r.ID}
		if r.Text != "" {
			result.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: r.Text}}}
		}
		if r.Error {
			result.IsError = param.NewOpt(true)
		}
		blocks = append(blocks, sdk.ContentBlockParamUnion{OfToolResult: &result})
	}
	if m.Text != "" {
		blocks = append(blocks, sdk.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		input := raw(c.Input)
		if string(input) == "null" {
			input = json.RawMessage("{}")
		}
		blocks = append(blocks, sdk.NewToolUseBlock(c.ID, input, c.Name))
	}
	if len(blocks) == 0 {
		// A turn without content is refused; a model may well have given one.
		blocks = append(blocks, sdk.NewTextBlock("(empty)"))
	}
	if m.Cache != llm.NoCache {
		if control := blocks[len(blocks)-1].GetCacheControl(); control != nil {
			*control = cacheControl(m.Cache)
		}
	}
	if m.Role == llm.Assistant {
		return sdk.NewAssistantMessage(blocks...)
	}
	return sdk.NewUserMessage(blocks...)
}

func cacheControl(life llm.CacheLife) sdk.CacheControlEphemeralParam {
	c := sdk.NewCacheControlEphemeralParam()
	c.TTL = sdk.CacheControlEphemeralTTL(life)
	return c
}

func raw(m json.RawMessage) json.RawMessage {
	if len(m) == 0 {
		return json.RawMessage("null")
	}
	return m
}

func countedTools(tools []sdk.ToolUnionParam) []sdk.MessageCountTokensToolUnionParam {
	var out []sdk.MessageCountTokensToolUnionParam
	for _, t := range tools {
		out = append(out, sdk.MessageCountTokensToolUnionParam{OfTool: t.OfTool})
	}
	return out
}
