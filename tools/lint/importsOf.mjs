import ts from "typescript";

/**
 * Returns the modules that a text imports: by `import`, `import type`, `export … from`, `import()`,
 * `require` and in types.
 */
export function importsOf(text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName, pos }) => ({ specifier: fileName, position: pos }));
}
