import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTestsOf } from './changed.ts'

const FILES = {
  'apps/server/package.json': '{ "name": "server" }',
  'apps/server/src/pins/queries.ts': 'export const a = 1',
  'apps/server/src/pins/actions.ts': "import { a } from './queries.ts'",
  'apps/server/src/pins/pins.test.ts': '',
  'apps/server/src/rooms/rooms.ts': "import '../pins/actions.ts'",
  'apps/server/src/rooms/rooms.test.ts': "import './rooms.ts'",
  'apps/server/src/rooms/shapes.ts': "import type { a } from '../pins/queries.ts'",
  'apps/server/src/rooms/shapes/shapes.test.ts': "import '../shapes.ts'",
  'apps/server/src/app.ts': "import './pins/actions.ts'",
  'apps/server/src/bans/bans.test.ts': "import '../app.ts'",
  'e2e/pins.test.ts': "import '../apps/server/src/pins/queries.ts'",
} as const

test('a change selects the tests beside it and those that import it, not those of the whole server', () => {
  const found = findTestsOf(FILES, ['apps/server/src/pins/queries.ts'])
  assert.deepEqual([...found].sort(), [
    'apps/server/src/pins/pins.test.ts',
    'apps/server/src/rooms/rooms.test.ts',
  ])
})

test('a change that imports all features selects only the tests beside it', () => {
  assert.deepEqual([...findTestsOf(FILES, ['apps/server/src/app.ts'])], [])
})

test('a changed browser test is selected', () => {
  assert.deepEqual([...findTestsOf(FILES, ['e2e/pins.test.ts'])], ['e2e/pins.test.ts'])
})
