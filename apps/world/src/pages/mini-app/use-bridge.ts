import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { type BridgeMessage, readBridgeMessage } from "./fields.ts";
import type { Post } from "./handlers.ts";

/**
 * The channel to one web view: accepts only what comes from its window and its origin, and posts
 * to that origin alone (reference telegram.md §1.3: JSON strings both ways).
 */
export function useBridge(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (message: BridgeMessage, post: Post) => void,
): Post {
  // Before the app has spoken its window may still be on the way to its origin.
  const heard = useRef(false);
  const post: Post = (eventType, eventData = {}) => {
    if (!heard.current) return;
    frame.current?.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), origin);
  };
  const receive = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.current?.contentWindow) return;
    if (event.origin !== origin) return;
    const message = readBridgeMessage(event.data);
    if (message === null) return;
    heard.current = true;
    onMessage(message, post);
  });
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>) => receive(event);
    addEventListener("message", listener);
    return () => removeEventListener("message", listener);
  }, []);
  return post;
}
