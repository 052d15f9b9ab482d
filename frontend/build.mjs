/**
 * Builds the panel: `src/panel.ts` and all it imports become ONE ES module, `src/deskhand/static/deskhand/panel.js`.
 *
 * The result is committed, so that a host of deskhand needs no Node. It is the same, byte for byte, for the same sources and lock
 * file: no date, no path and no source map goes in. Prints the size that a browser downloads (gzip). `--check` writes nothing and
 * fails if the committed module is not what the sources give.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "deskhand", "static", "deskhand", "panel.js");

const { outputFiles } = await build({
  entryPoints: [join(here, "src", "panel.ts")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "inline",
  logLevel: "warning",
});
const built = outputFiles[0].contents;
const kilobytes = (gzipSync(built, { level: 9 }).length / 1000).toFixed(1);

if (process.argv.includes("--check")) {
  const fresh = existsSync(target) && Buffer.from(built).equals(readFileSync(target));
  console.log(fresh ? "panel.js is what the sources give" : "panel.js is stale: run npm run build");
  process.exitCode = fresh ? 0 : 1;
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, built);
  console.log(`panel.js: ${(built.length / 1000).toFixed(1)} kB, ${kilobytes} kB gzipped`);
}
