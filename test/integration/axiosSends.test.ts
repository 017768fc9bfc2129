import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { repository } from "../support/paths.js";

/** A program changes the axios that this package loads too. In a process of its own, for the other tests. */
describe("axios", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());

  async function outputOf(change: string): Promise<string> {
    const program = `
      const axios = require("axios");
      ${change}
      const { getProject, getProjects } = require("pulumi-project-service");
      const opts = { connection: ${JSON.stringify(sandbox.connection)} };
      (async () => {
        for (const read of [() => getProject({ name: "shop" }, opts), () => getProjects({}, opts)])
          await read().then((found) => console.log(found.name ?? found.projects.length),
            (error) => console.log(error.code));
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], {
      cwd: repository,
    });
    return stdout;
  }

  it("sends nothing else and nowhere else if a program changes its defaults", async () => {
    const output = await outputOf(`
      const fail = () => { throw new Error("the program's"); };
      axios.defaults.adapter = fail;
      axios.defaults.transformRequest = [fail];
      axios.defaults.transformResponse = [fail];
      axios.defaults.baseURL = "http://127.0.0.1:1";
      axios.defaults.params = { c4nary: "c4nary" };
      axios.defaults.proxy = { host: "127.0.0.1", port: 1 };
      axios.defaults.headers.common["x-c4nary"] = "c4nary";
      axios.defaults.headers.get = { "x-c4nary": "c4nary" };
      axios.defaults.headers.post = { "x-c4nary": "c4nary" };
      axios.interceptors.request.use(fail);
      axios.interceptors.response.use(fail);`);
    assert.equal(output, "shop\n12\n");
  });

  it("sends every read and every sign-in", async () => {
    const before = { ...sandbox.counters };
    // Of a sign-in, and then of the reads after a sign-in.
    const output = await outputOf(`
      axios.Axios.prototype.request = () => Promise.reject(new Error("not sent"));`);
    assert.equal(output, "LOGIN_RESPONSE_INVALID\nLOGIN_RESPONSE_INVALID\n");
    assert.deepEqual({ ...sandbox.counters }, before);
    const reads = await outputOf(`
      const { request } = axios.Axios.prototype;
      axios.Axios.prototype.request = function (config) {
        return config.method === "post" ? request.call(this, config) : Promise.reject(new Error("not sent"));
      };`);
    assert.equal(reads, "RESPONSE_INVALID\nRESPONSE_INVALID\n");
    const { lists, projectReads } = sandbox.counters;
    assert.deepEqual([lists, projectReads], [before.lists, before.projectReads]);
  });
});
