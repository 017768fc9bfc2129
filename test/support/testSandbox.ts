import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonResponse } from "../../sandbox/identityProvider.js";
import type { Sandbox as PublicSandbox, SandboxOptions } from "../../sandbox/index.js";
import { SandboxServer } from "../../sandbox/sandboxServer.js";

export { sampleProjects, sandboxProject, type SandboxProject } from "../../sandbox/index.js";

interface TestOptions extends SandboxOptions {
  /** Decides whether the project API accepts an access token. A request without a token passes `""`. */
  acceptsToken?: (accessToken: string) => boolean | Promise<boolean>;
}

/** A sandbox with abilities that only the tests of this package need. */
export interface Sandbox extends PublicSandbox {
  /** Ids of projects that it lists, but whose read it answers with 403. */
  readonly forbiddenProjectIds: Set<string>;
  /** Delay before each response, in ms. Default 0. */
  latencyMs: number;
  /** Whether it hangs up on every request. Default false. */
  isDown: boolean;
  changePassword(password: string): void;
  /** Every token that it issued. */
  readonly issuedTokens: readonly string[];
}

/** Like `startSandbox` of the package, for a test that needs more than its users. */
export async function startSandbox(options: TestOptions = {}): Promise<Sandbox> {
  const sandbox = new TestSandbox(options);
  await sandbox.listen(options.port);
  return sandbox;
}

class TestSandbox extends SandboxServer implements Sandbox {
  readonly forbiddenProjectIds = new Set<string>();
  latencyMs = 0;
  isDown = false;

  constructor(private readonly options: TestOptions) {
    super(options);
  }

  get issuedTokens(): readonly string[] {
    return this.identityProvider.issuedTokens;
  }

  changePassword(password: string): void {
    for (const settings of [this.settings, this.connection]) Object.assign(settings, { password });
  }

  protected override async responseTo(request: IncomingMessage): Promise<JsonResponse> {
    if (this.isDown) throw new Error("The sandbox is down.");
    const response = await super.responseTo(request);
    if (this.latencyMs > 0) await sleep(this.latencyMs, undefined, { ref: false });
    const projectId = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
    const isForbidden = response.status === 200 && this.forbiddenProjectIds.has(projectId);
    return isForbidden ? { status: 403, body: { error: "Forbidden" } } : response;
  }

  protected override acceptsToken(accessToken: string): boolean | Promise<boolean> {
    return this.options.acceptsToken?.(accessToken) ?? super.acceptsToken(accessToken);
  }
}
