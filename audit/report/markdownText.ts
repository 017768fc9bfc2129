/**
 * Escapes text for Markdown. GitHub finds mentions and links in the unescaped text, so a zero-width
 * space separates their characters.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]#+!|~$^]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/@/g, "@\u200b")
    .replace(/:\/\//g, ":\u200b//")
    .replace(/\bwww\./gi, "www\u200b.");
}

/** Returns the first lines that together are at most as long as `maxLength`. */
export function fitting(lines: readonly string[], maxLength: number): string[] {
  let left = maxLength;
  return lines.filter((line) => (left -= line.length + 1) >= 0);
}
