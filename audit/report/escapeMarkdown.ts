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
