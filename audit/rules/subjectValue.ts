/**
 * Returns a value of the service as a part of a subject: as it is if it is one plain word, else in quotes.
 * So subjects of several values differ if the values do.
 */
export function subjectValue(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "(none)";
  return /^[\w./:%*@+-]+$/.test(`${value}`) ? `${value}` : JSON.stringify(value);
}
