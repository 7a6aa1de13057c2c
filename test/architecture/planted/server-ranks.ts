import type { Plant } from '../rule.ts'
import { everyFileRanked, serverRanks } from '../server-ranks.ts'

export const serverRankPlants: readonly Plant[] = [
  plant('the kernel imports a feature', 'kernel/a.ts', "import '../users/b.ts'", "import '../postgres/b.ts'"),
  plant(
    'a rank imports a higher one, be it a type',
    'spaces/a.ts',
    "import type { B } from '../rooms/b.ts'",
    "import '../people/auth/b.ts'",
  ),
  plant(
    'a feature of a group imports one of a higher rank there',
    'people/users/a.ts',
    "import '../auth/b.ts'",
    "import '../../files/objects/b.ts'",
  ),
  plant('a room imports its neighbour, a role', 'rooms/a.ts', "import '../roles/b.ts'", "import './b.ts'"),
  plant(
    'a feature imports the gateway',
    'messages/a.ts',
    "import '../gateway/b.ts'",
    "import '../read-states/b.ts'",
  ),
  plant('the gateway imports the jobs', 'gateway/a.ts', "import '../jobs/b.ts'", "import '../messages/b.ts'"),
  plant('the app imports its start', 'app.ts', "import './main.ts'", "import './voice/b.ts'"),
  plant(
    'a file takes the configuration by itself',
    'app.ts',
    "import './config.ts'",
    "import type { Config } from './config.ts'",
  ),
  {
    rule: everyFileRanked,
    because: 'a file has no rank',
    breaks: { 'apps/server/src/leftovers.ts': '' },
    at: ['apps/server/src/leftovers.ts:1'],
    keeps: {
      'apps/server/src/kernel/leftovers.ts': '',
      'apps/server/src/config.ts': '',
      'apps/server/src/app.test.ts': '',
    },
  },
  {
    rule: serverRanks,
    because: 'the product imports upwards, as only tests may',
    breaks: { 'apps/server/src/users/a.ts': "import '../app.ts'" },
    at: ['apps/server/src/users/a.ts:1'],
    keeps: {
      'apps/server/src/users/a.test.ts': "import '../app.ts'",
      'apps/server/src/main.ts': "import './config.ts'",
    },
  },
]

function plant(because: string, file: string, bad: string, good: string): Plant {
  const path = `apps/server/src/${file}`
  return { rule: serverRanks, because, breaks: { [path]: bad }, at: [`${path}:1`], keeps: { [path]: good } }
}
