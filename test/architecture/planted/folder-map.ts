import { mapIsComplete } from '../folder-map.ts'
import type { Plant } from '../rule.ts'

const MAP = [
  '# Architecture',
  '## Map',
  '```',
  'apps/web/src/   the web client',
  '  ui/           controls',
  '```',
]

export const folderMapPlants: readonly Plant[] = [
  {
    rule: mapIsComplete,
    because: 'the map lacks a folder, and names a deleted one',
    breaks: {
      'docs/ARCHITECTURE.md': MAP.join('\n'),
      'apps/web/src/main.tsx': '',
      'apps/web/src/store/state.ts': '',
    },
    at: ['docs/ARCHITECTURE.md:1', 'docs/ARCHITECTURE.md:5'],
    keeps: {
      'docs/ARCHITECTURE.md': MAP.join('\n'),
      'apps/web/src/main.tsx': '',
      'apps/web/src/ui/button.tsx': '',
    },
  },
]
