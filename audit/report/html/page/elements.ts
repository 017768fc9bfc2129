import { displayText } from "./displayText.js";

/** Creates an element. Texts become text, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

/** Returns the element that the selector finds. The page always has it. */
export function find<Found extends HTMLElement>(parent: ParentNode, selector: string): Found {
  return parent.querySelector(selector) as Found;
}

/** Creates the elements that name a project. */
export function projectName({ name, projectId }: { name: string; projectId: string }): Node[] {
  return [
    element("bdi", {}, displayText(name)),
    document.createTextNode(" "),
    element("span", { class: "id" }, element("bdi", {}, displayText(projectId))),
  ];
}

const numberFormat = new Intl.NumberFormat("en");

/** Returns a number with separators, such as `20,000`. */
export function displayNumber(value: number): string {
  return numberFormat.format(value);
}
