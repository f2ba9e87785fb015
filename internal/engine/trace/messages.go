package trace

import "encoding/json"

// Message is one turn of a conversation in the form that the convention gives
// messages.
type Message struct {
	Role   string `json:"role"`
	Parts  []Part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

// Part is one piece of a Message.
type Part struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// TextMessage is a turn of one text.
func TextMessage(role, text string) Message {
	return Message{Role: role, Parts: []Part{{"text", text}}}
}

// Messages makes an attribute of turns.
func Messages(key string, list []Message) Attr {
	// Texts always have a JSON form.
	raw, _ := json.Marshal(list)
	return String(key, string(raw))
}
