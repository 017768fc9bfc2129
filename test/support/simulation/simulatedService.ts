import type { TokenSet } from "../../../provider/auth/tokenCache.js";
import type { Disturbance } from "./schedulePlan.js";
import type { World } from "./world.js";

export const projectsPath = "/api/project/v5/projects";
export const projectsPerPage = 2;

/** The project API and the token endpoint, with their tokens. The network adds the troubles. */
export class SimulatedService {
  private isPasswordRight: boolean;
  /** When each token expires, on the server's clock. */
  private readonly accessTokens = new Map<string, number>();
  private readonly refreshTokens = new Map<string, number>();
  private issued = 0;

  constructor(private readonly world: World) {
    this.isPasswordRight = world.plan.isPasswordRight;
  }

  disturb({ name, ms }: Disturbance): void {
    switch (name) {
      case "wall clock jumps":
        return this.world.clock.jumpWall(ms);
      case "machine sleeps":
        return this.world.clock.sleepMachine(Math.abs(ms));
      case "access tokens are revoked":
        return this.accessTokens.clear();
      case "refresh tokens are revoked":
        return this.refreshTokens.clear();
      case "password is changed":
        this.isPasswordRight = false;
        return;
      case "password is set back":
        this.isPasswordRight = true;
    }
  }

  /** Returns undefined if the password is wrong. */
  signIn(): TokenSet | undefined {
    if (!this.isPasswordRight) return undefined;
    const { refreshTokens } = this.world.plan.tokens;
    return this.issue(refreshTokens === "none" ? undefined : this.newRefreshToken());
  }

  /** Returns undefined if the refresh token is not valid. */
  renew(refreshToken: string): TokenSet | undefined {
    if (!isValid(this.refreshTokens, refreshToken, this.world.clock.serverMs())) return undefined;
    switch (this.world.plan.tokens.refreshTokens) {
      case "same":
        return this.issue(refreshToken);
      case "omitted":
        return this.issue(undefined);
      default:
        this.refreshTokens.delete(refreshToken);
        return this.issue(this.newRefreshToken());
    }
  }

  read(path: string, accessToken: string): { readonly status: number; readonly body: object } {
    if (!isValid(this.accessTokens, accessToken, this.world.clock.serverMs())) {
      return { status: 401, body: {} };
    }
    const [folder, page] = path.split("?page=");
    if (folder === projectsPath) return { status: 200, body: this.page(Number(page ?? 1)) };
    const projectId = path.slice(projectsPath.length + 1);
    const status = this.world.plan.statuses[projectId] as number;
    return { status, body: status === 200 ? this.project(projectId) : {} };
  }

  private page(number: number): object {
    const { pages, wrongTotalChance } = this.world.plan.list;
    const total = pages * projectsPerPage + (this.world.random.chance(wrongTotalChance) ? 1 : 0);
    return {
      _embedded: {
        projectResources: Array.from({ length: projectsPerPage }, (_, index) =>
          this.project(`listed-${(number - 1) * projectsPerPage + index}`),
        ),
      },
      page: { totalElements: total },
      ...(number < pages ? { _links: { next: { href: `?page=${number + 1}` } } } : {}),
    };
  }

  /** The name tells the time of the response, so that a rule can notice an old one. */
  private project(_id: string): object {
    return { _id, name: String(this.world.clock.monotonicMs()) };
  }

  private newRefreshToken(): string {
    const token = `refresh-${this.issued + 1}`;
    const { refreshLifetimeMs = Infinity } = this.world.plan.tokens;
    this.refreshTokens.set(token, this.world.clock.serverMs() + refreshLifetimeMs);
    return token;
  }

  private issue(refreshToken: string | undefined): TokenSet {
    const accessToken = `access-${++this.issued}`;
    const { lifetimeMs, refreshLifetimeMs } = this.world.plan.tokens;
    this.accessTokens.set(accessToken, this.world.clock.serverMs() + lifetimeMs);
    return { accessToken, lifetimeMs, refreshToken, refreshLifetimeMs };
  }
}

function isValid(tokens: ReadonlyMap<string, number>, token: string, nowMs: number): boolean {
  return (tokens.get(token) ?? -Infinity) > nowMs;
}
