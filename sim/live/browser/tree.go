package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// Tree returns the page as a screen reader knows it: a line for each element that has a role, with
// its name and its states, indented by depth.
//
//	button "Run" focused
//	checkbox "enable_i" checked
func Tree(t testing.TB, ctx context.Context) string {
	t.Helper()
	tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatalf("the accessibility tree: %v", err)
	}
	nodes := tree.Nodes
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range nodes {
		byID[n.NodeID] = n
	}
	var b strings.Builder
	var write func(n *accessibility.Node, depth int)
	write = func(n *accessibility.Node, depth int) {
		role := text(n.Role)
		if !n.Ignored && !slices.Contains(silent, role) {
			fmt.Fprintf(&b, "%s%s%s\n", strings.Repeat("  ", depth), role, describe(n))
			depth++
		}
		for _, id := range n.ChildIDs {
			if child := byID[id]; child != nil {
				write(child, depth)
			}
		}
	}
	if len(nodes) > 0 {
		write(nodes[0], 0)
	}
	return b.String()
}

// silent are roles that a screen reader does not speak of.
var silent = []string{"", "none", "generic", "InlineTextBox", "StaticText", "LineBreak", "ListMarker"}

// states are the properties that are shown.
var states = []accessibility.PropertyName{
	accessibility.PropertyNameChecked, accessibility.PropertyNamePressed, accessibility.PropertyNameExpanded,
	accessibility.PropertyNameSelected, accessibility.PropertyNameDisabled, accessibility.PropertyNameFocused,
}

// describe returns an element's name, value and states.
func describe(n *accessibility.Node) string {
	words := ""
	if name := text(n.Name); name != "" {
		words += fmt.Sprintf(" %q", name)
	}
	if value := text(n.Value); value != "" {
		words += " = " + value
	}
	for _, state := range states {
		i := slices.IndexFunc(n.Properties, func(p *accessibility.Property) bool { return p.Name == state })
		if i < 0 || state == accessibility.PropertyNameFocused && text(n.Role) == "RootWebArea" {
			continue // a page has the focus if its window has, which some browsers do not have
		}
		switch value := text(n.Properties[i].Value); value {
		case "", "false":
		case "true":
			words += " " + string(state)
		default:
			words += fmt.Sprintf(" %s=%s", state, value)
		}
	}
	return words
}

// text returns a value of the accessibility tree in words.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var any any
	if json.Unmarshal(v.Value, &any) != nil || any == nil {
		return ""
	}
	return fmt.Sprint(any)
}
