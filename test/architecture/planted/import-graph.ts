import { acyclic, resolves } from '../import-graph.ts'
import type { Plant } from '../rule.ts'

const SERVER = '{ "name": "@foyer/server", "imports": { "#src/*": "./src/*" } }'
const PROTOCOL = '{ "name": "@foyer/protocol", "exports": { "./*": "./src/*.ts" } }'

export const importGraphPlants: readonly Plant[] = [
  {
    rule: resolves,
    because: 'an import leads to no file',
    breaks: {
      'packages/protocol/package.json': PROTOCOL,
      'bin/a.ts':
        "import './b.ts'\nimport '@foyer/protocol/missing'\nimport '@foyer/protocol'\nimport '#src/b.ts'",
    },
    at: ['bin/a.ts:1', 'bin/a.ts:2', 'bin/a.ts:3', 'bin/a.ts:4'],
    keeps: {
      'packages/protocol/package.json': PROTOCOL,
      'packages/protocol/src/missing.ts': '',
      'bin/b.ts': '',
      'bin/a.ts': "import './b.ts'\nimport '@foyer/protocol/missing'\nimport 'node:fs'",
    },
  },
  {
    rule: acyclic,
    because: 'two files import each other, be it for a type or on demand',
    breaks: {
      'bin/a.ts': "\nimport { b } from './b.ts'",
      'bin/b.ts': "import type { A } from './a.ts'",
      'bin/c.ts': "type D = import('./d.ts').D",
      'bin/d.ts': "const c = () =>\n  import('./c.ts')",
    },
    at: ['bin/b.ts:1', 'bin/d.ts:2'],
    keeps: {
      'bin/a.ts': "\nimport { b } from './b.ts'\nimport { c } from './c.ts'",
      'bin/b.ts': "import type { C } from './c.ts'",
      'bin/c.ts': '',
    },
  },
  {
    rule: acyclic,
    because: 'a cycle runs through aliases, packages and re-exports',
    breaks: {
      'apps/server/package.json': SERVER,
      'packages/protocol/package.json': PROTOCOL,
      'apps/server/src/a.ts': "import '#src/b.ts'",
      'apps/server/src/b.ts': "export * from '@foyer/protocol/c'",
      'packages/protocol/src/c.ts': "export { a } from '../../../apps/server/src/a.ts'",
    },
    at: ['packages/protocol/src/c.ts:1'],
    keeps: {
      'apps/server/package.json': SERVER,
      'packages/protocol/package.json': PROTOCOL,
      'apps/server/src/a.ts': "import '#src/b.ts'",
      'apps/server/src/b.ts': "export * from '@foyer/protocol/c'",
      'packages/protocol/src/c.ts': '',
    },
  },
]
