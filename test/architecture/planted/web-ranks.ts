import type { Plant } from '../rule.ts'
import { everyWebPlaceRanked, webRanks } from '../web-ranks.ts'

export const webRankPlants: readonly Plant[] = [
  plant('a control imports the session', 'ui/a.tsx', "import '../session/b.ts'", "import './b.tsx'"),
  plant(
    'the session imports a feature, be it a type',
    'session/a.ts',
    "import type { B } from '../rooms/b.ts'",
  ),
  plant('a feature imports one above it lazily', 'messages/a.tsx', "const b = import('../search/b.tsx')"),
  plant('a folder imports a part of it that ranks higher', 'rooms/a.tsx', "import './page/b.tsx'"),
  {
    rule: everyWebPlaceRanked,
    because: 'a folder has no rank',
    breaks: { 'apps/web/src/leftovers/a.ts': '' },
    at: ['apps/web/src/leftovers/a.ts:1'],
    keeps: { 'apps/web/src/ui/a.ts': '', 'apps/web/src/app.tsx': '', 'apps/web/src/leftovers/a.test.ts': '' },
  },
]

function plant(because: string, file: string, bad: string, good = "import '../language/b.ts'"): Plant {
  const path = `apps/web/src/${file}`
  const files = {
    'apps/web/src/rooms/page/b.tsx': '',
    'apps/web/src/search/b.tsx': '',
    'apps/web/src/session/b.ts': '',
  }
  const targets = {
    ...files,
    'apps/web/src/rooms/b.ts': '',
    'apps/web/src/language/b.ts': '',
    'apps/web/src/ui/b.tsx': '',
  }
  return {
    rule: webRanks,
    because,
    breaks: { ...targets, [path]: bad },
    at: [`${path}:1`],
    keeps: { ...targets, [path]: good },
  }
}
