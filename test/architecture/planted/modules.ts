import { names, noBarrels, noDefaultExports } from '../modules.ts'
import type { Plant } from '../rule.ts'

export const modulePlants: readonly Plant[] = [
  {
    rule: names,
    because: 'a name has no meaning',
    breaks: {
      'bin/utils.ts': '',
      'bin/string-util.ts': '',
      'bin/sessionManager.test.ts': '',
      'apps/web/src/shared/button.tsx': '',
      'apps/web/src/index.ts': '',
    },
    at: [
      'bin/utils.ts:1',
      'bin/string-util.ts:1',
      'bin/sessionManager.test.ts:1',
      'apps/web/src/shared/button.tsx:1',
      'apps/web/src/index.ts:1',
    ],
    keeps: {
      'bin/utility-poles.ts': '',
      'bin/common-words.ts': '',
      'apps/web/index.html': '',
      '.gitignore': '',
    },
  },
  {
    rule: noBarrels,
    because: 'a file only re-exports',
    breaks: {
      'bin/from.ts': "export * from './b.ts'\nexport { c } from './c.ts'",
      'bin/imported.ts': "import { b } from './b.ts'\nexport { b }",
    },
    at: ['bin/from.ts:1', 'bin/imported.ts:1'],
    keeps: {
      'bin/from.ts': "export * from './b.ts'\nexport const c = 1",
      'bin/empty.ts': "import './b.ts'\nexport {}",
    },
  },
  {
    rule: noDefaultExports,
    because: 'something is exported by default',
    breaks: { 'bin/a.ts': 'export default 1', 'bin/b.ts': 'const b = 1\nexport { b as default }' },
    at: ['bin/a.ts:1', 'bin/b.ts:2'],
    keeps: {
      'bin/a.ts': 'export const a = 1',
      'apps/web/vite.config.ts': 'export default {}',
      'test/global-setup.ts': 'export default 1',
    },
  },
]
