/*
 * A server in a process of its own, which answers while the test is busy. Sends its port to the
 * parent.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_request, response) => setTimeout(() => response.end("late"), 100));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
