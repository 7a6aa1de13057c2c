import type { Plant } from '../rule.ts'
import { noMachineTraces } from '../wording.ts'

/** Put together here, or this file would be a violation itself. */
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
]
