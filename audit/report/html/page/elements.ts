import type { Markup } from "../markup.js";

/** Returns the element that the selector finds. The page always has it. */
export function find<Found extends HTMLElement>(parent: ParentNode, selector: string): Found {
  return parent.querySelector(selector) as Found;
}

interface MarkupPolicy {
  createHTML(text: string): string;
}

/** The one policy that the content security policy of the page allows. Some browsers know no policies. */
const policy = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: MarkupPolicy): MarkupPolicy } }
).trustedTypes?.createPolicy("markup", { createHTML: (text) => text });

/** Replaces the content of an element. Nothing else in the script turns text into HTML. */
export function showMarkup(element: Element, { text }: Markup): void {
  element.innerHTML = policy?.createHTML(text) ?? text;
}
