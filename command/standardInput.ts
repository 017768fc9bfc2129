import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/**
 * Reads standard input to its end.
 *
 * @param advice what to do if standard input is a terminal.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it is a terminal.
 */
export async function readStandardInput(advice: string): Promise<Buffer> {
  if (process.stdin.isTTY) throw argumentInvalid(`Standard input is a terminal. ${advice}`);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
