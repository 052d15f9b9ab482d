import { defineConfig } from "vitest/config";

/** The default place is plain Node; a test that needs a document says so on its first line. */
export default defineConfig({ test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 10_000 } });
