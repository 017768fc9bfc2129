import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { importsOf } from "./importsOf.mjs";

/** ESLint rule: no file imports itself through other files, not even for types alone. */
export const importCircles = {
  meta: {
    type: "problem",
    schema: [],
    messages: { circle: "This import closes a circle: {{circle}}." },
  },
  create(context) {
    return {
      Program() {
        for (const { specifier, position } of importsOf(context.sourceCode.text)) {
          const target = sourceOf(context.filename, specifier);
          const path = target && pathBetween(target, context.filename);
          if (path === undefined) continue;
          const circle = [context.filename, ...path]
            .map((file) => relative(context.cwd, file))
            .join(" → ");
          const loc = context.sourceCode.getLocFromIndex(position);
          context.report({ loc, messageId: "circle", data: { circle } });
        }
      },
    };
  },
};

/** Returns the files on the shortest way from one file to another by imports, if there is one. */
function pathBetween(start, end) {
  const cameFrom = new Map([[start, undefined]]);
  for (const file of cameFrom.keys()) {
    if (file === end) return pathTo(file, cameFrom);
    for (const next of importedBy(file)) {
      if (!cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return undefined;
}

function pathTo(file, cameFrom) {
  const path = [];
  for (let step = file; step !== undefined; step = cameFrom.get(step)) path.unshift(step);
  return path;
}

/** The imports of each file, with the time of the change that they belong to. */
const cache = new Map();

function importedBy(file) {
  const { mtimeMs } = statSync(file);
  const known = cache.get(file);
  if (known?.mtimeMs === mtimeMs) return known.imported;
  const imported = importsOf(readFileSync(file, "utf8"))
    .map(({ specifier }) => sourceOf(file, specifier))
    .filter((source) => source !== undefined);
  cache.set(file, { mtimeMs, imported });
  return imported;
}

/** Returns the file that a relative import names: `./a.js` is `a.ts` before the build. */
function sourceOf(importer, specifier) {
  if (!specifier.startsWith(".")) return undefined;
  const path = resolve(dirname(importer), specifier);
  return [path.replace(/\.js$/, ".ts"), path].find(
    (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
  );
}
