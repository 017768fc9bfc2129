import type { AcceptedEntry, UpdatedEntries } from "../audit/report/acceptance.js";
import { countOf, placeOfEntry } from "../audit/report/sentences.js";
import { displayText } from "../provider/errors/displayText.js";

const maxNamed = 20;

/**
 * Returns lines for the user who accepted findings: the renewed entries, the stale ones, and as the
 * last line how many entries the file has.
 */
export function acceptedSentences(
  file: string,
  { entries, added, renewed, kept }: UpdatedEntries,
  stale: readonly AcceptedEntry[],
): string[] {
  return [
    ...named("Renewed", renewed),
    ...named("Kept, but it matches no finding", stale),
    `${displayText(file, 1000)} has ${countOf(entries.length, "accepted finding")}: ${added.length} added, ${renewed.length} renewed, ${kept.length} kept.`,
  ];
}

function named(title: string, entries: readonly AcceptedEntry[]): string[] {
  const hidden = entries.length - maxNamed;
  return [
    ...entries.slice(0, maxNamed).map((entry) => `${title}: ${placeOfEntry(entry)}.`),
    ...(hidden > 0 ? [`${title}: ${hidden} more.`] : []),
  ];
}
