import { dirname, relative, resolve, sep } from "node:path";
import { importsOf } from "./importsOf.mjs";

/**
 * ESLint rule: a folder imports only the folders and packages that the options allow.
 *
 * Options: `root`, the folder of the repository; `folders`, for each restricted folder the folders
 * that it may import, itself aside; `packages`, for each restricted package or scope the files and
 * folders that may import it.
 */
export const folderImports = {
  meta: {
    type: "problem",
    schema: [{ type: "object" }],
    messages: {
      folder: "{{from}} must not import {{to}}. It may import: {{allowed}}.",
      package: "{{from}} must not import {{to}}. These may: {{allowed}}.",
    },
  },
  create(context) {
    const { root, folders, packages = {} } = context.options[0];
    const file = pathIn(root, context.filename);
    const from = folderOf(file, folders);

    function check(specifier, loc) {
      if (!specifier.startsWith(".")) return checkPackage(specifier, loc);
      const target = pathIn(root, resolve(dirname(context.filename), specifier));
      const to = folderOf(target, folders);
      const allowed = folders[from];
      if (allowed === undefined || to === from || allowed.includes(to)) return;
      const data = { from, to, allowed: allowed.join(", ") || "no other folder" };
      context.report({ loc, messageId: "folder", data });
    }

    function checkPackage(specifier, loc) {
      const name = Object.keys(packages).find((prefix) => specifier.startsWith(prefix));
      if (name === undefined) return;
      const allowed = packages[name];
      if (allowed.some((place) => file === place || file.startsWith(`${place}/`))) return;
      const data = { from: file, to: specifier, allowed: allowed.join(", ") };
      context.report({ loc, messageId: "package", data });
    }

    return {
      Program() {
        for (const { specifier, position } of importsOf(context.sourceCode.text)) {
          check(specifier, context.sourceCode.getLocFromIndex(position));
        }
      },
    };
  },
};

function pathIn(root, path) {
  return relative(root, path).split(sep).join("/");
}

/** Returns the innermost folder in `folders` that contains the file, or else its top-level folder. */
function folderOf(file, folders) {
  const parts = file.split("/").slice(0, -1);
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join("/");
    if (folder in folders) return folder;
  }
  return parts[0] ?? ".";
}
