const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/**
 * A JSON value in a buffer, of which only the needed parts are parsed. A preview of 3,000 projects has
 * 81 MB, and nearly all of it is equal before and after.
 */
export class JsonText {
  private constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

  /**
   * Returns the value that a text contains. Its other methods throw a SyntaxError where the text is no JSON.
   *
   * @throws SyntaxError if the text is empty.
   */
  static of(bytes: Buffer): JsonText {
    const start = skipSpace(bytes, 0);
    let end = bytes.length;
    while (end > start && isSpace(bytes[end - 1])) end--;
    if (start === end) throw new SyntaxError("no value");
    return new JsonText(bytes, start, end);
  }

  isText(): boolean {
    return this.bytes[this.start] === quote;
  }

  /** Returns the members of an object. Any other value has none. */
  members(): Map<string, JsonText> {
    const found = new Map<string, JsonText>();
    if (this.bytes[this.start] !== openObject) return found;
    this.eachPart(closeObject, (start) => {
      if (this.bytes[start] !== quote) throw new SyntaxError("no key");
      const end = endOfString(this.bytes, start);
      const colonAt = skipSpace(this.bytes, end);
      if (this.bytes[colonAt] !== colon) throw new SyntaxError("no colon");
      const value = this.valueAt(skipSpace(this.bytes, colonAt + 1));
      found.set(String(new JsonText(this.bytes, start, end).parse()), value);
      return value.end;
    });
    return found;
  }

  /** Returns the elements of a list. Any other value has none. */
  elements(): JsonText[] {
    const found: JsonText[] = [];
    if (this.bytes[this.start] !== openList) return found;
    this.eachPart(closeList, (start) => {
      const value = this.valueAt(start);
      found.push(value);
      return value.end;
    });
    return found;
  }

  /** @throws SyntaxError */
  parse(): unknown {
    return JSON.parse(this.bytes.toString("utf8", this.start, this.end));
  }

  /** Whether two values are the same text. Different texts can be equal values. */
  equals(other: JsonText): boolean {
    return this.bytes.compare(other.bytes, other.start, other.end, this.start, this.end) === 0;
  }

  private valueAt(start: number): JsonText {
    return new JsonText(this.bytes, start, endOfValue(this.bytes, start));
  }

  /** Calls a function with the start of each member or element. It returns the end. */
  private eachPart(close: number, endOfPart: (start: number) => number): void {
    let position = skipSpace(this.bytes, this.start + 1);
    while (this.bytes[position] !== close) {
      position = skipSpace(this.bytes, endOfPart(position));
      if (this.bytes[position] === close) break;
      if (this.bytes[position] !== comma) throw new SyntaxError("no comma");
      position = skipSpace(this.bytes, position + 1);
    }
    if (position !== this.end - 1) throw new SyntaxError("more than one value");
  }
}

function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  while (isSpace(bytes[position])) position++;
  return position;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return endOfString(bytes, start);
  if (first === openObject || first === openList) return endOfBrackets(bytes, start);
  let position = start;
  while (position < bytes.length && !endsScalar(bytes[position])) position++;
  if (position === start) throw new SyntaxError("no value");
  return position;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeObject || byte === closeList || isSpace(byte);
}

function endOfBrackets(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let position = start; position < bytes.length; position++) {
    const byte = bytes[position];
    if (byte === quote) position = endOfString(bytes, position) - 1;
    else if (byte === openObject || byte === openList) depth++;
    else if ((byte === closeObject || byte === closeList) && --depth === 0) return position + 1;
  }
  throw new SyntaxError("incomplete");
}

function endOfString(bytes: Buffer, start: number): number {
  for (let position = start + 1; position < bytes.length; position++) {
    const byte = bytes[position];
    if (byte === quote) return position + 1;
    if (byte === backslash) position++;
  }
  throw new SyntaxError("incomplete");
}
