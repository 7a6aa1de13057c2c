import type { Plant } from '../rule.ts'
import { noMachineTraces, plainComments, plainNames, plainTexts } from '../wording.ts'

/** Texts joined from parts, because the whole texts would be violations in this file, too. */
const MACHINE_PATH = ['', 'work', 'main'].join('/')
const REGISTRY = ['registry', 'npmjs', 'org'].join('.')

export const wordingPlants: readonly Plant[] = [
  {
    rule: noMachineTraces,
    because: "a file names a machine's path or a registry",
    breaks: {
      'docs/a.md': `# A\nSee ${MACHINE_PATH}.`,
      'package-lock.json': `{\n\n"a": "https://${REGISTRY}/a"}`,
    },
    at: ['docs/a.md:2', 'package-lock.json:3'],
    keeps: {
      'docs/a.md': `# A\nSee ./home${MACHINE_PATH} and https://example.com${MACHINE_PATH}.`,
      'package-lock.json': '{ "a": "1.0.0" }',
    },
  },
  ...['What', 'Who', 'Whom', 'Whose', 'Whether', 'Of', 'Those', 'That', 'So', 'The same'].map(
    (first): Plant => ({
      rule: plainComments,
      because: `a comment begins with ${first}`,
      breaks: { 'packages/done/a.ts': `const a = 1\n/** ${first} it is. */\nconst b = a` },
      at: ['packages/done/a.ts:2'],
      keeps: {
        'packages/done/a.ts': `const a = 1\n/** The value, ${first.toLowerCase()}. */\nconst b = a`,
      },
    }),
  ),
  {
    rule: plainComments,
    because: 'a comment begins with a retired word',
    breaks: { 'packages/done/a.ts': '// Tells the others.\nconst a = 1' },
    at: ['packages/done/a.ts:1'],
    keeps: { 'packages/done/a.ts': '// Notifies the others,\n// tells nothing else.\nconst a = 1' },
  },
  {
    rule: plainNames,
    because: 'an exported name has a retired word',
    breaks: {
      'packages/done/a.ts':
        'export function tellUsers() {}\nexport const MAX_NEWS = 1\nexport class VoiceSeat {}\nexport type Verdict = 1',
    },
    at: ['packages/done/a.ts:1', 'packages/done/a.ts:2', 'packages/done/a.ts:3', 'packages/done/a.ts:4'],
    keeps: {
      'packages/done/a.ts':
        'function tellUsers() {}\nexport const heartbeat = tellUsers\nexport class Seating {}',
    },
  },
  {
    rule: plainTexts,
    because: 'a text of the web client has a retired word',
    breaks: {
      'apps/web/src/a.ts':
        "t('Tell others')\nt('It is no more')\ncounted(1, '{count} person stands here', '{count} people came')",
    },
    at: ['apps/web/src/a.ts:1', 'apps/web/src/a.ts:2', 'apps/web/src/a.ts:3'],
    keeps: {
      'apps/web/src/a.ts':
        "t('No one is muted')\nt('Welcome, teller of stories')\nconst told = t('Standard')",
      'apps/web/src/a.test.ts': "t('Tell others')",
    },
  },
]
