package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Keys presses keys one after another, with others held: chromedp.ModifierShift, for example. Keys
// without a character are in package kb of chromedp. As with a keyboard, and unlike with
// chromedp.KeyEvent, a character is not typed if the page has used the key itself.
func Keys(keys string, held ...kb.Modifier) Step {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			down, up := events[0], events[len(events)-1]
			if len(events) == 3 {
				down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, events[1].Text, events[1].UnmodifiedText
			}
			for _, event := range []*input.DispatchKeyEventParams{down, up} {
				for _, key := range held {
					event.Modifiers |= int64(key)
				}
				if event.Modifiers&^int64(chromedp.ModifierShift) != 0 {
					event.Text, event.UnmodifiedText = "", ""
				}
				if _, err := cdp.Call(ctx, tab, input.DispatchKeyEvent, *event); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Wheel turns the wheel by so many pixels, with the pointer at a place of the tab.
func Wheel(x, y, deltaX, deltaY float64, held ...kb.Modifier) Step {
	const none = 1e-9 // chromedp leaves out a zero, which chromium refuses
	event := input.DispatchMouseEventParams{Type: chromedp.MouseWheel, X: x, Y: y, DeltaX: deltaX + none, DeltaY: deltaY + none}
	for _, key := range held {
		event.Modifiers |= int64(key)
	}
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, input.DispatchMouseEvent, event)
		return err
	})
}
