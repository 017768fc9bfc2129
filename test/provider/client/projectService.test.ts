import assert from "node:assert/strict";
import { getProjectService } from "../../../provider/client/projectService.js";
import { settingsOf } from "../../support/settings.js";

describe("the services of one process", () => {
  const settings = (username: string) =>
    settingsOf({
      baseUrl: "https://projects.example.com",
      authUrl: "https://login.example.com",
      realm: "r",
      clientId: "c",
      username,
      password: "p",
    });

  it("are the same for equal settings, different for others, and forgotten after 32 others", () => {
    const onWait = () => {};
    const serviceOf = (username: string) => getProjectService(settings(username), onWait);
    const service = serviceOf("first");
    assert.equal(serviceOf("first"), service);
    for (let other = 0; other < 31; other++) assert.notEqual(serviceOf(`other-${other}`), service);
    assert.equal(serviceOf("first"), service);
    for (let other = 0; other < 32; other++) serviceOf(`another-${other}`);
    assert.notEqual(serviceOf("first"), service);
  });

  it("are different for different listeners, so that each learns of the waits of its own calls", () => {
    const onWait = () => {};
    assert.notEqual(
      getProjectService(settings("first"), onWait),
      getProjectService(settings("first"), () => {}),
    );
  });
});
