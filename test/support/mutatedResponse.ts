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

type Change =
  | { do: "drop" | "toNull" | "quote" | "unquote" | "wrapInArray" | "wrapInObject" | "reverse" }
  | { do: "replace" | "duplicate"; text: string }
  | { do: "insert"; key: string; text: string }
  | { do: "repeat" | "makeLong" | "makeDeep" | "makeDeepObject"; times: number };

type Damage =
  | { do: "truncate"; at: number }
  | { do: "flip"; at: number; bit: number }
  | { do: "insert"; at: number; bytes: readonly number[] }
  | { do: "bom" | "twoBoms" | "utf16" | "latin1" | "twice" | "nothingLeft" };

export interface Recipe {
  readonly changes: readonly { at: number; change: Change }[];
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

const notUtf8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]];

/** Generates recipes. Their values also come from `more`, as JSON text. */
export function recipes(more: readonly string[] = []): fc.Arbitrary<Recipe> {
  const text = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...texts, ...more) },
    { weight: 1, arbitrary: fc.constantFrom(...notJson) },
    { weight: 3, arbitrary: fc.json({ maxDepth: 4 }) },
  );
  const change = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        do: fc.constantFrom(
          ...([
            "drop",
            "toNull",
            "quote",
            "unquote",
            "wrapInArray",
            "wrapInObject",
            "reverse",
          ] as const),
        ),
      }),
    },
    {
      weight: 30,
      arbitrary: fc.record({ do: fc.constantFrom("replace" as const, "duplicate" as const), text }),
    },
    {
      weight: 15,
      arbitrary: fc.record({
        do: fc.constant("insert" as const),
        key: fc.constantFrom(...keys),
        text,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom("repeat" as const, "makeDeep" as const, "makeDeepObject" as const),
        times: fc.oneof(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 41, max: 3_000 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("makeLong" as const),
        times: fc.integer({ min: 1, max: 200_000 }),
      }),
    },
  );
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const damage = fc.oneof(
    fc.record({ do: fc.constant("truncate" as const), at: place }),
    fc.record({ do: fc.constant("flip" as const), at: place, bit: fc.integer({ min: 0, max: 7 }) }),
    fc.record({
      do: fc.constant("insert" as const),
      at: place,
      bytes: fc.constantFrom(...notUtf8),
    }),
    fc.record({
      do: fc.constantFrom(
        ...(["bom", "twoBoms", "utf16", "latin1", "twice", "nothingLeft"] as const),
      ),
    }),
  );
  return fc.record({
    changes: fc.array(fc.record({ at: fc.nat(), change }), { maxLength: 4 }),
    damage: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 2 }) },
    ),
  });
}

/** Returns the bytes of the response after all changes of the recipe. */
export function mutatedResponse(response: unknown, { changes, damage }: Recipe): Buffer {
  const root: Entry[] = [{ key: "", value: toTree(response) }];
  for (const { at, change } of changes) {
    const places = placesIn(root);
    const place = places[at % places.length];
    if (place !== undefined) apply(change, ...place);
  }
  return damage.reduce<Buffer>(damaged, Buffer.from(root.map(({ value }) => toText(value)).join()));
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

function apply(change: Change, siblings: Entry[], index: number): void {
  const entry = siblings[index] as Entry;
  const { key, value } = entry;
  switch (change.do) {
    case "drop":
      siblings.splice(index, 1);
      break;
    case "toNull":
      entry.value = "null";
      break;
    case "quote":
      entry.value = JSON.stringify(toText(value));
      break;
    case "unquote":
      entry.value = toText(value).replace(/^"|"$/g, "");
      break;
    case "wrapInArray":
      entry.value = { brackets: "[]", entries: [{ key: "0", value }] };
      break;
    case "wrapInObject":
      entry.value = { brackets: "{}", entries: [{ key: "value", value }] };
      break;
    case "reverse":
      if (typeof value !== "string") value.entries.reverse();
      break;
    case "replace":
      entry.value = change.text;
      break;
    case "duplicate":
      siblings.splice(index + 1, 0, { key, value: change.text });
      break;
    case "insert":
      if (typeof value === "string") siblings.push({ key: change.key, value: change.text });
      else value.entries.push({ key: change.key, value: change.text });
      break;
    case "repeat":
      entry.value = `[${repeated(value, change.times)}]`;
      break;
    case "makeLong":
      entry.value = JSON.stringify("x".repeat(change.times));
      break;
    case "makeDeep":
      entry.value = "[".repeat(change.times) + "]".repeat(change.times);
      break;
    case "makeDeepObject":
      entry.value = '{"a":'.repeat(change.times) + "1" + "}".repeat(change.times);
      break;
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

function damaged(bytes: Buffer, damage: Damage): Buffer {
  switch (damage.do) {
    case "truncate":
      return bytes.subarray(0, Math.floor(damage.at * bytes.length));
    case "flip": {
      const flipped = Buffer.from(bytes);
      const index = Math.floor(damage.at * (bytes.length - 1));
      flipped[index] = (flipped[index] ?? 0) ^ (1 << damage.bit);
      return flipped;
    }
    case "insert": {
      const index = Math.floor(damage.at * bytes.length);
      return Buffer.concat([
        bytes.subarray(0, index),
        Buffer.from(damage.bytes),
        bytes.subarray(index),
      ]);
    }
    case "bom":
      return Buffer.concat([Buffer.from("\uFEFF"), bytes]);
    case "twoBoms":
      return Buffer.concat([Buffer.from("\uFEFF\uFEFF"), bytes]);
    case "utf16":
      return Buffer.from(bytes.toString("utf8"), "utf16le");
    case "latin1":
      return Buffer.from(bytes.toString("utf8"), "latin1");
    case "twice":
      return Buffer.concat([bytes, bytes]);
    case "nothingLeft":
      return Buffer.alloc(0);
  }
}
