import { findNpxTool, type NpxTool } from "./npxTool.js";

export const findPnpm = (): Promise<NpxTool> => findNpxTool(["pnpm@12.21.0"], "pnpm");

export const findYarn = (): Promise<NpxTool> => findNpxTool(["@yarnpkg/cli-dist@4.18.1"], "yarn");

export const findBun = (): Promise<NpxTool> => findNpxTool(["bun@1.4.5"], "bun");
