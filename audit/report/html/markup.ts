/** HTML that is safe to insert into a page. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Part[];

/** Template tag for HTML. Escapes every inserted value that is not markup itself. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(
    strings
      .map((string) => string.replace(/\n\s+/g, "\n"))
      .reduce((text, string, index) => text + textOf(parts[index - 1] ?? "") + string),
  );
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(textOf).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
