import fc from "fast-check";

/*
 * Responses that are wrong in ways that no service intends. A recipe changes a correct response. Even
 * if the result is large, the recipe is small and printable: fast-check shrinks it and shows it.
 */

/** A tree of JSON text. Keys may repeat, and a leaf may be invalid JSON. */
type Tree = string | Branch;
interface Branch {
  readonly brackets: "{}" | "[]";
  readonly entries: Entry[];
}
interface Entry {
  readonly key: string;
  value: Tree;
}

/** A change of a response, or of its bytes. It uses only some of its parameters. */
interface Change {
  readonly do: keyof typeof newValues | "drop" | "duplicate" | "insert";
  readonly at: number;
  readonly key: string;
  readonly text: string;
  readonly times: number;
}

interface Damage {
  readonly do: keyof typeof damages;
  /** From 0 to 1. */
  readonly at: number;
  readonly bit: number;
  readonly bytes: readonly number[];
}

export interface Recipe {
  readonly changes: readonly Change[];
  readonly damage: readonly Damage[];
}

/** JSON of every type, and text to which JavaScript, a terminal or Pulumi gives another meaning. */
const texts = [
  ...["null", "true", "false", "0", "-0", "-1", "7", "1.5", "1e999", "-1e999", "5e-324"],
  ...["9007199254740993", "{}", "[]", "[null]", "[[]]", '{"a":{"b":[null,{}]}}', '{"length":3}'],
  ...['""', '" "', '"NaN"', '"Infinity"', '"900"', '"true"', '"null"', '"\\u0000"', '"\\ud800"'],
  ...['"\\u001b[31m"', '"\\u202e"', '"\\u009b1m"', '"\\u2028"', '"a\\r\\nb"', '".."', '"é😀"'],
  ...['["x\\udc00"]', '{"\\ud800":1}', '"constructor"', '"__proto__"'],
  '"04da6b54-80e4-46f7-96ec-b56ff0331ba9"',
  '{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":"/etc/passwd"}',
  '{"__pulumiOutput":true}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '[{"deep":[{"__proto__":{"polluted":true}}]}]',
];

const notJson = [
  ...["NaN", "Infinity", "-Infinity", "undefined", "0x10", "01", "+1", "'a'", '"a\tb"', '"open'],
  ...["[1,]", '{"a":1,}', "// no", "{a:1}", "", "\0"],
];

const keys = [
  ...["__proto__", "constructor", "prototype", "toString", "toJSON", "then", "hasOwnProperty"],
  ...["__pulumiAsset", "__pulumiOutput", "__pulumiUnknown", "length", "0", "", "_id", "name"],
  ...["4dabf18193072939515e22adb298388d", "id", "status", "error", "access_token"],
];

const wrappings = ["quote", "unquote", "wrapInArray", "wrapInObject"] as const;

const notUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]];

/** Generates recipes. Their values also come from `more`, as JSON text. */
export function recipes(more: readonly string[] = []): fc.Arbitrary<Recipe> {
  const text = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...texts, ...more) },
    { weight: 1, arbitrary: fc.constantFrom(...notJson) },
    { weight: 3, arbitrary: fc.json({ maxDepth: 4 }) },
  );
  const change: fc.Arbitrary<Change> = fc.record({
    do: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom("replace", "duplicate") },
      { weight: 20, arbitrary: fc.constantFrom("drop", "toNull", "reverse", ...wrappings) },
      { weight: 15, arbitrary: fc.constant("insert") },
      { weight: 2, arbitrary: fc.constantFrom("repeat", "makeDeep", "makeDeepObject") },
      { weight: 1, arbitrary: fc.constant("makeLong") },
    ),
    at: fc.nat(),
    key: fc.constantFrom(...keys),
    text,
    times: fc.oneof(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 41, max: 3_000 })),
  });
  const damage: fc.Arbitrary<Damage> = fc.record({
    do: fc.constantFrom(...(Object.keys(damages) as Damage["do"][])),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bit: fc.integer({ min: 0, max: 7 }),
    bytes: fc.constantFrom(...notUtf8),
  });
  return fc.record({
    changes: fc.array(change, { maxLength: 4 }),
    damage: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 2 }) },
    ),
  });
}

/** Returns the bytes of the response after all changes of the recipe. */
export function mutatedResponse(response: unknown, recipe: Recipe): Buffer {
  const root: Entry[] = [{ key: "", value: toTree(response) }];
  for (const change of recipe.changes) {
    const places = placesIn(root);
    const place = places[change.at % places.length];
    if (place !== undefined) apply(change, ...place);
  }
  const bytes = Buffer.from(root.map(({ value }) => toText(value)).join());
  return recipe.damage.reduce<Buffer>((all, damage) => damages[damage.do](all, damage), bytes);
}

function toTree(value: unknown): Tree {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return {
    brackets: Array.isArray(value) ? "[]" : "{}",
    entries: Object.entries(value).map(([key, member]) => ({ key, value: toTree(member) })),
  };
}

function toText(tree: Tree): string {
  if (typeof tree === "string") return tree;
  const [open, close] = tree.brackets;
  const members = tree.entries.map(({ key, value }) =>
    open === "{" ? `${JSON.stringify(key)}:${toText(value)}` : toText(value),
  );
  return `${open}${members.join()}${close}`;
}

function placesIn(entries: Entry[], found: [Entry[], number][] = []): [Entry[], number][] {
  for (const [index, { value }] of entries.entries()) {
    found.push([entries, index]);
    if (typeof value !== "string") placesIn(value.entries, found);
  }
  return found;
}

/** The values that replace a value. */
const newValues = {
  toNull: () => "null",
  quote: (value: Tree) => JSON.stringify(toText(value)),
  unquote: (value: Tree) => toText(value).replace(/^"|"$/g, ""),
  wrapInArray: (value: Tree): Tree => ({ brackets: "[]", entries: [{ key: "0", value }] }),
  wrapInObject: (value: Tree): Tree => ({ brackets: "{}", entries: [{ key: "value", value }] }),
  reverse: (value: Tree): Tree =>
    typeof value === "string" ? value : { ...value, entries: value.entries.toReversed() },
  replace: (_value: Tree, { text }: Change) => text,
  repeat: (value: Tree, { times }: Change) => `[${repeated(value, times)}]`,
  makeLong: (_value: Tree, { times }: Change) => JSON.stringify("x".repeat(times * 70)),
  makeDeep: (_value: Tree, { times }: Change) => "[".repeat(times) + "]".repeat(times),
  makeDeepObject: (_value: Tree, { times }: Change) =>
    '{"a":'.repeat(times) + "1" + "}".repeat(times),
};

function apply(change: Change, siblings: Entry[], index: number): void {
  const entry = siblings[index] as Entry;
  const { key, value } = entry;
  switch (change.do) {
    case "drop":
      siblings.splice(index, 1);
      break;
    case "duplicate":
      siblings.splice(index + 1, 0, { key, value: change.text });
      break;
    case "insert":
      (typeof value === "string" ? siblings : value.entries).push({
        key: change.key,
        value: change.text,
      });
      break;
    default:
      entry.value = newValues[change.do](value, change);
  }
}

const maxRepeatedLength = 300_000;

/** Repeats the elements of an array, or a value that is not an array. The result has a maximal length. */
function repeated(tree: Tree, times: number): string {
  const isArray = typeof tree !== "string" && tree.brackets === "[]";
  const text = isArray ? toText(tree).slice(1, -1) : toText(tree);
  return Array<string>(Math.min(times, Math.ceil(maxRepeatedLength / (text.length + 1))))
    .fill(text)
    .join();
}

const damages = {
  truncate: (bytes: Buffer, { at }: Damage) => bytes.subarray(0, Math.floor(at * bytes.length)),
  flip(bytes: Buffer, { at, bit }: Damage) {
    const flipped = Buffer.from(bytes);
    const index = Math.floor(at * (bytes.length - 1));
    flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
    return flipped;
  },
  insert(bytes: Buffer, { at, bytes: inserted }: Damage) {
    const index = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, index), Buffer.from(inserted), bytes.subarray(index)]);
  },
  bom: (bytes: Buffer) => Buffer.concat([Buffer.from("\uFEFF"), bytes]),
  twoBoms: (bytes: Buffer) => Buffer.concat([Buffer.from("\uFEFF\uFEFF"), bytes]),
  utf16: (bytes: Buffer) => Buffer.from(bytes.toString("utf8"), "utf16le"),
  latin1: (bytes: Buffer) => Buffer.from(bytes.toString("utf8"), "latin1"),
  twice: (bytes: Buffer) => Buffer.concat([bytes, bytes]),
  nothingLeft: () => Buffer.alloc(0),
};
