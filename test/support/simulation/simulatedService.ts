import type { TokenSet } from "../../../provider/auth/tokenCache.js";
import type { Disturbance, SchedulePlan } from "./schedulePlan.js";
import type { World } from "./world.js";

export const projectsPath = "/api/project/v5/projects";
const projectsPerPage = 2;

/** Returns the ids of the list, before or after its first project was deleted. */
export function listedIds({ list: { pages } }: SchedulePlan, isDeleted: boolean): string[] {
  const ids = Array.from({ length: pages * projectsPerPage }, (_, number) => `listed-${number}`);
  return isDeleted ? ids.slice(1) : ids;
}

/** Returns the id, and the first name, of the project that is read by name. */
export function namedId(plan: SchedulePlan): string {
  return listedIds(plan, false).at(-1) as string;
}

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
    const status = this.world.plan.statuses[projectId] ?? 200;
    return { status, body: status === 200 ? this.project(projectId) : {} };
  }

  private page(number: number): object {
    const { wrongTotalChance, deletedAtMs } = this.world.plan.list;
    const ids = listedIds(this.world.plan, this.nowMs() >= deletedAtMs);
    const total = ids.length + (this.world.random.chance(wrongTotalChance) ? 1 : 0);
    const end = number * projectsPerPage;
    return {
      _embedded: {
        projectResources: ids
          .slice(end - projectsPerPage, end)
          .map((projectId) => this.project(projectId)),
      },
      page: { totalElements: total },
      ...(end < ids.length ? { _links: { next: { href: `?page=${number + 1}` } } } : {}),
    };
  }

  /** The domain tells the time of the response, so that a rule can notice an old one. */
  private project(_id: string): object {
    const { plan } = this.world;
    const isRenamed = _id === namedId(plan) && this.nowMs() >= plan.list.renamedAtMs;
    return { _id, name: isRenamed ? `new-${_id}` : _id, domain: String(this.nowMs()) };
  }

  private nowMs(): number {
    return this.world.clock.monotonicMs();
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
