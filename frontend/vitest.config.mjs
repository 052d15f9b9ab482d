import { defineConfig } from "vitest/config";
import { half, MARKED } from "./marked.mjs";

/** Tests read Markdown with the half of marked that is in the built panel. */
const readingHalf = { name: "reading-half", transform: (code, path) => (MARKED.test(path) ? half(code) : null) };

/** The default place is plain Node; a test that needs a document says so on its first line. */
export default defineConfig({
  plugins: [readingHalf],
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    testTimeout: 10_000,
    server: { deps: { inline: ["marked"] } },
  },
});
