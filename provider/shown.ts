const maxListed = 20;

/** A text of the service or the user as it may stand in a message: one line, and not endless. */
export function shown(text: string, maxLength = 80): string {
  if (text.length <= maxLength && !/[^ -~]/.test(text)) return text; // nearly all, and quick
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    JSON.stringify(character).length > 3
      ? JSON.stringify(character).slice(1, -1)
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The first of many texts, each as {@link shown}, and how many more there are. */
export function listed(texts: readonly string[]): string {
  const hidden = texts.length - maxListed;
  return (
    texts
      .slice(0, maxListed)
      .map((text) => shown(text))
      .join(", ") + (hidden > 0 ? ` and ${hidden} more` : "")
  );
}
