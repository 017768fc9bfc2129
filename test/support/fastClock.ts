/* A process of a test loads this file first: `node --require`. Its clock runs twenty times faster. */
import { speedUp } from "./clock.js";

speedUp();
