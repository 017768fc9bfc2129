/** HTML that is safe to insert into a page. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Insert = string | Markup | readonly Insert[];

/** Template tag for HTML. Escapes every inserted value that is not markup itself. */
export function markup(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  return new Markup(
    strings
      .map((string) => string.replace(/\n\s+/g, "\n"))
      .reduce((text, string, index) => text + escaped(inserts[index - 1] ?? "") + string),
  );
}

function escaped(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === "object") return insert.map(escaped).join("");
  return insert.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
