/**
 * Builds the panel: `src/panel.ts` and all it imports become ONE ES module, `src/deskhand/static/deskhand/panel.js`.
 *
 * Beside it lie the licences of the packages that are in it. The result is committed, so that a host of deskhand needs no Node. It is the same, byte for byte, for the same sources and lock
 * file: no date, no path and no source map goes in. Prints the size that a browser downloads (gzip). `--check` writes nothing and
 * fails if the committed module is not what the sources give, or larger than it may be.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { half, MARKED, OWN_NAMES } from "./marked.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "deskhand", "static", "deskhand", "panel.js");

/** What a browser may have to download, gzipped. */
const BUDGET_BYTES = 45_000;

/** Styles need their line breaks and indents in the source, not in the browser. */
const tightStyles = {
  name: "tight-styles",
  setup({ onLoad }) {
    onLoad({ filter: /styles\/\w+\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, "utf8");
      const sheets = [...source.matchAll(/(?<=css`).*?(?=`)/gs)].map(([sheet]) => sheet);
      const tight = await Promise.all(sheets.map((sheet) => transform(sheet, { loader: "css", minify: true })));
      // A backslash in a sheet stands for itself only if it is doubled.
      const codes = tight.map(({ code }) => code.trim().replace(/(--[\w-]+:) |(\\)/g, "$1$2$2"));
      return { contents: source.replace(/(?<=css`).*?(?=`)/gs, () => codes.shift()), loader: "ts" };
    });
  },
};

/**
 * Keys of words, each with a short one. Those that the panel puts together while it runs (of cards, and of counted things) stay whole.
 */
const words = readFileSync(join(here, "src", "words.ts"), "utf8").matchAll(/"(?!card\.)\w+\.\w+"(?=:)/g);
const shortKeys = new Map([...words].map(([key], index) => [key, `"${index.toString(36)}"`]));

/**
 * In templates one line break between elements and attributes is as good as many blanks, and in all sources a word's short key as its
 * whole one.
 */
const tightSources = {
  name: "tight-sources",
  setup({ onLoad }) {
    onLoad({ filter: /src\/(components\/|markdown\/)?\w+\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8").replace(/"\w+\.\w+"/g, (key) => shortKeys.get(key) ?? key);
      const made = /`(?!card)[\w${}]+\.[\w${}]+`(?= as Word|\))/.exec(source);
      if (made && !path.endsWith("words.ts"))
        throw new Error(`${path}: the key ${made[0]} is made while the panel runs`);
      return { contents: path.includes("components") ? source.replace(/\n\s+/g, "\n") : source, loader: "ts" };
    });
  },
};

/** Of marked, the half that reads. */
const readingHalf = {
  name: "reading-half",
  setup({ onLoad }) {
    onLoad({ filter: MARKED }, ({ path }) => ({ contents: half(readFileSync(path, "utf8")), loader: "js" }));
  },
};

const { outputFiles, metafile } = await build({
  entryPoints: [join(here, "src", "panel.ts")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  // What only one class or marked itself mentions. Nothing of it is in a template or in what the server sends.
  mangleProps: new RegExp(`^_[a-z]|^(${OWN_NAMES.join("|")})$`),
  metafile: true,
  banner: { js: "/*! deskhand's panel. The licences of the packages in it stand in panel.licenses.txt beside it. */" },
  plugins: [tightStyles, tightSources, readingHalf],
  logLevel: "warning",
});
const built = outputFiles[0].contents;
const gzipped = gzipSync(built, { level: 9 }).length;

/** The licence of each package that a byte of the module comes from. */
function licences() {
  const names = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const texts = [...new Set(names.filter(Boolean))].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "license"].map((one) => join(folder, one)).find(existsSync);
    if (!file) throw new Error(`${name} comes without a licence`);
    return `${name} ${version}\n\n${readFileSync(file, "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

if (process.argv.includes("--check")) {
  const fresh = existsSync(target) && Buffer.from(built).equals(readFileSync(target));
  const fits = gzipped <= BUDGET_BYTES;
  console.log(fresh ? "panel.js is what the sources give" : "panel.js is stale: run npm run build");
  if (!fits) console.log(`panel.js is too large: ${gzipped} bytes gzipped of ${BUDGET_BYTES}`);
  process.exitCode = fresh && fits ? 0 : 1;
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, built);
  writeFileSync(join(dirname(target), "panel.licenses.txt"), licences());
  console.log(`panel.js: ${(built.length / 1000).toFixed(1)} kB, ${gzipped} bytes gzipped of ${BUDGET_BYTES}`);
}
