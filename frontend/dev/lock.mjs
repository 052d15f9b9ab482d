/**
 * Takes the addresses out of package-lock.json that npm puts in beside versions and hashes (funding pages).
 *
 * `.npmrc` already leaves out where a package came from; with this the lock file names no host at all. Run by `npm run lock`.
 */
import { readFileSync, writeFileSync } from "node:fs";

const path = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
