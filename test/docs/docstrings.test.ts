import assert from "node:assert/strict";
import { join } from "node:path";
import ts from "typescript";
import { repository } from "../support/paths.js";

/** The files that users import, as package.json exports them. */
const entries = ["sdk/index.ts", "sandbox/index.ts", "audit/policies.ts"];

describe("every public name has a docstring", () => {
  let program: ts.Program;
  before(() => {
    const path = join(repository, "tsconfig.json");
    const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
    program = ts.createProgram(
      entries.map((entry) => join(repository, entry)),
      { ...options, noEmit: true, types: [] },
    );
  });

  for (const entry of entries) {
    it(`in ${entry}, and so has every property`, () => {
      const checker = program.getTypeChecker();
      const source = program.getSourceFile(join(repository, entry));
      const module = source && checker.getSymbolAtLocation(source);
      assert.ok(module);
      const names = checker.getExportsOfModule(module);
      assert.ok(names.length > 3);
      const undocumented = names.flatMap((name) => {
        const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
        const own = isDocumented(symbol, checker) ? [] : [name.getName()];
        return [...own, ...undocumentedProperties(symbol, name.getName(), checker)];
      });
      assert.deepEqual(undocumented, []);
    });
  }
});

function undocumentedProperties(
  symbol: ts.Symbol,
  name: string,
  checker: ts.TypeChecker,
): string[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) return [];
    return declaration.members.flatMap((member) => {
      const property = member.name && checker.getSymbolAtLocation(member.name);
      const isHidden =
        ts.getCombinedModifierFlags(member) &
        (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
      if (property === undefined || isHidden || isDocumented(property, checker)) return [];
      return [`${name}.${property.getName()}`];
    });
  });
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.getDocumentationComment(checker).length > 0;
}
