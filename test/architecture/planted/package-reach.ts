import { reach, testsStayOutside } from '../package-reach.ts'
import type { Plant } from '../rule.ts'

const PACKAGES = {
  'packages/protocol/package.json': manifest('protocol', ['typebox', 'pg'], ['fast-check']),
  'packages/sdk/package.json': manifest('sdk', ['@foyer/protocol', 'ws'], []),
  'apps/web/package.json': manifest('web', ['@foyer/protocol', '@foyer/sdk', 'react'], []),
  'apps/server/package.json': manifest('server', ['@foyer/protocol', 'pg'], ['@foyer/sdk']),
}

export const packageReachPlants: readonly Plant[] = [
  {
    rule: reach,
    because: 'the protocol imports more than typebox',
    breaks: {
      ...PACKAGES,
      'packages/protocol/src/a.ts': "import 'pg'\nimport 'fast-check'\nimport '@foyer/sdk/rest'",
    },
    at: ['packages/protocol/src/a.ts:1', 'packages/protocol/src/a.ts:2', 'packages/protocol/src/a.ts:3'],
    keeps: {
      ...PACKAGES,
      'packages/protocol/src/a.ts': "import 'typebox/value'\nimport './b.ts'",
      'packages/protocol/src/a.test.ts': "import 'fast-check'\nimport 'node:test'",
    },
  },
  {
    rule: reach,
    because: 'the SDK imports a module that browsers lack',
    breaks: { ...PACKAGES, 'packages/sdk/src/a.ts': "import 'node:events'\nimport 'ws'" },
    at: ['packages/sdk/src/a.ts:1', 'packages/sdk/src/a.ts:2'],
    keeps: {
      ...PACKAGES,
      'packages/sdk/src/a.ts': "import '@foyer/protocol/a'",
      'packages/sdk/test/a.ts': "import 'node:net'",
    },
  },
  {
    rule: reach,
    because: 'the web client imports the server, a node module or an undeclared library',
    breaks: {
      ...PACKAGES,
      'apps/web/src/a.ts': "import '../../server/src/a.ts'\nimport 'node:fs'\nimport 'vue'",
      'apps/web/src/a.test.ts': "import '../../server/src/a.ts'",
    },
    at: ['apps/web/src/a.ts:1', 'apps/web/src/a.ts:2', 'apps/web/src/a.ts:3', 'apps/web/src/a.test.ts:1'],
    keeps: {
      ...PACKAGES,
      'apps/web/src/a.ts': "import '@foyer/sdk/rest'\nimport 'react'",
      'apps/web/vite.config.ts': "import 'node:fs'",
    },
  },
  {
    rule: reach,
    because: 'the server imports the SDK outside of its tests, or a script',
    breaks: { ...PACKAGES, 'apps/server/src/a.ts': "import '@foyer/sdk/rest'\nimport '../../../bin/a.ts'" },
    at: ['apps/server/src/a.ts:1', 'apps/server/src/a.ts:2'],
    keeps: {
      ...PACKAGES,
      'apps/server/src/a.ts': "import 'pg'\nimport 'node:fs'",
      'apps/server/test/a.ts': "import '@foyer/sdk/rest'",
    },
  },
  {
    rule: testsStayOutside,
    because: 'product code imports a test',
    breaks: { ...PACKAGES, 'apps/server/src/a.ts': "import '../test/b.ts'\nimport './c.test.ts'" },
    at: ['apps/server/src/a.ts:1', 'apps/server/src/a.ts:2'],
    keeps: { ...PACKAGES, 'apps/server/src/a.test.ts': "import '../test/b.ts'\nimport './c.test.ts'" },
  },
]

function manifest(name: string, dependencies: string[], devDependencies: string[]): string {
  return JSON.stringify({
    name: `@foyer/${name}`,
    exports: { './*': './src/*.ts' },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1.0.0'])),
    devDependencies: Object.fromEntries(devDependencies.map((dependency) => [dependency, '1.0.0'])),
  })
}
