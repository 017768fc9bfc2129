import { groupBy } from "../provider/model/groupBy.js";

/** The form of a credential in a text. */
type Form = "plain" | "json" | "json in json" | "url" | "base64" | "hex";

/** A credential that a text contains. */
export interface SandboxLeak {
  /** Its place in the sandbox, such as `connection.password`. An element of a list has its id or name there. */
  readonly credential: string;
  /** The first form in which the text has it. */
  readonly form: Form;
}

/** A text to search for. */
export interface Credential {
  /** Where it stands, such as `connection.password`. */
  readonly place: string;
  /** The credential itself. */
  readonly value: string;
}

/** The keys of credentials, each with the length from which its text is no ordinary word. */
const minLengths = new Map(
  Object.entries({ password: 1, clientSecret: 1, tokens: 1, username: 8, importRepository: 8 }),
);

/** Returns the credentials in JSON of any shape, by their keys. */
export function findCredentials(value: unknown, place = "", minLength = Infinity): Credential[] {
  if (typeof value === "string") return value.length < minLength ? [] : [{ place, value }];
  return Object.entries(Object(value) as object).flatMap(([key, member]: [string, unknown]) => {
    const inner = Array.isArray(value)
      ? `${place}[${elementName(member, key)}]`
      : `${place}.${key}`;
    return findCredentials(member, inner.replace(/^\./, ""), minLengths.get(key) ?? minLength);
  });
}

/** Returns what an element of a list is called: its id or its name, otherwise its index. */
export function elementName(element: unknown, index: string): string {
  const { _id, environmentId, name = index } = Object(element) as Record<string, unknown>;
  return String(_id ?? environmentId ?? name);
}

type Needle = readonly [text: string, credential: Credential, form?: Form];

/** Returns each credential that a text contains, once. Finds many in one pass over the text, by their beginnings. */
export function findLeaks(
  credentials: readonly Credential[],
  text: string | Uint8Array,
): SandboxLeak[] {
  const needles = credentials.flatMap(needlesOf);
  const length = needles.reduce((least, [needle]) => Math.min(least, needle.length), Infinity);
  const byBeginning = groupBy(needles, ([needle]) => needle.slice(0, length));
  const leaks = new Map<Credential, SandboxLeak>();
  // Each character of the text is a byte here.
  for (const [view, searched] of viewsOf(Buffer.from(text as string).toString("latin1"))) {
    for (let start = 0; start + length <= searched.length; start++) {
      const candidates = byBeginning.get(searched.slice(start, start + length)) ?? [];
      for (const [needle, credential, form = view] of candidates) {
        if (leaks.has(credential) || !searched.startsWith(needle, start)) continue;
        leaks.set(credential, { credential: credential.place, form });
      }
    }
  }
  return [...leaks.values()];
}

/** Returns the texts that can be searched for the bytes of a credential. */
function needlesOf(credential: Credential): Needle[] {
  const bytes = Buffer.from(credential.value);
  // A character of base64 has 6 bits. "abc" after one other byte is "??FiY?": the first two characters depend on that byte
  // too, and the last one on the byte after it. So "FiY" is searched. Each third byte begins a new group of characters.
  const base64 = [0, 1, 2].map((bytesBefore) => {
    const [startBit, endBit] = [bytesBefore * 8, (bytesBefore + bytes.length) * 8];
    const text = Buffer.concat([Buffer.alloc(bytesBefore), bytes]).toString("base64");
    return text.slice(Math.ceil(startBit / 6), Math.floor(endBit / 6));
  });
  const base64url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const hex = bytes.toString("hex");
  const needles: Needle[] = [
    [bytes.toString("latin1"), credential],
    ...[...base64, ...base64url].map((text): Needle => [text, credential, "base64"]),
    ...[hex, hex.toUpperCase()].map((text): Needle => [text, credential, "hex"]),
  ];
  // The ciphertexts of a state have any three characters of base64 somewhere.
  return needles.filter(([text, , form]) => text.length > (form === "base64" ? 3 : 0));
}

/** Returns a text as it is, and as those who read it decode it. */
function viewsOf(text: string): [Form, string][] {
  const json = withoutEscapes(text);
  return [
    ["plain", text],
    ["json", json],
    ["json in json", withoutEscapes(json)],
    ["url", withoutPercent(text)],
    ["url", withoutPercent(text.replaceAll("+", " "))], // a form
  ];
}

/** Replaces the escapes of JSON, also those that no text needs, such as `\u0026` in the state of Pulumi. */
function withoutEscapes(json: string): string {
  return json.replace(/(?:\\u[\da-fA-F]{4})+|\\["\\/bfnrt]/g, (escapes) =>
    Buffer.from(JSON.parse(`"${escapes}"`) as string).toString("latin1"),
  );
}

function withoutPercent(url: string): string {
  return url.replace(/(?:%[\da-fA-F]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("latin1"),
  );
}
