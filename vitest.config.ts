import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist'],
    // Most tests wait for processes and sockets more than they compute.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['harness/testing/loopback-only.ts', 'harness/testing/fuzz.ts'],
  },
})
