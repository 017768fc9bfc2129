/** A fenced block of code in a document. */
export interface CodeBlock {
  /** The first word after the fence, for instance `ts`. */
  readonly language: string;
  /** The second word, if there is one: the file that the block is, or `demo`. */
  readonly file: string | undefined;
  readonly text: string;
  /** Where the text starts in the document. */
  readonly start: number;
}

/** Returns the fenced blocks of a document, in their order. */
export function codeBlocks(document: string): CodeBlock[] {
  return [...document.matchAll(/^```(\S+)(?: (\S+))?\n([^]*?)^```$/gm)].map((match) => ({
    language: match[1] as string,
    file: match[2],
    text: match[3] as string,
    start: match.index + match[0].indexOf("\n") + 1,
  }));
}

/** Returns the targets of links and images. Code holds none. */
export function linkTargets(document: string): string[] {
  const prose = withoutCode(document);
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
}

/** Returns the anchors of the headings, as GitHub makes them. */
export function headingAnchors(document: string): string[] {
  const seen = new Map<string, number>();
  return [...withoutBlocks(document).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Returns the text of code spans, such as `provider/`. */
export function codeSpans(document: string): string[] {
  return [...withoutBlocks(document).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text as string);
}

function withoutCode(document: string): string {
  return withoutBlocks(document).replace(/`[^`\n]*`/g, "");
}

function withoutBlocks(document: string): string {
  return document.replace(/^```[^]*?^```$/gm, "");
}
