import { environment, outgoing, publishing } from '../doors.ts'
import type { Plant } from '../rule.ts'

export const doorPlants: readonly Plant[] = [
  {
    rule: environment,
    because: 'a file other than config.ts reads the environment',
    breaks: {
      'apps/server/src/kernel/a.ts':
        "process.env.PORT\nglobalThis.process['env']\nconst { env } = process\nimport { env as e } from 'node:process'",
      'packages/sdk/src/a.ts': 'const port = process.env.PORT',
    },
    at: [
      'apps/server/src/kernel/a.ts:1',
      'apps/server/src/kernel/a.ts:2',
      'apps/server/src/kernel/a.ts:3',
      'apps/server/src/kernel/a.ts:4',
      'packages/sdk/src/a.ts:1',
    ],
    keeps: {
      'apps/server/src/config.ts': 'process.env.PORT',
      'apps/server/src/kernel/a.ts': 'process.argv\nconst { argv } = process\nconfig.env',
      'apps/server/src/kernel/a.test.ts': 'process.env.PORT',
      'bench/a.ts': 'process.env.PORT',
    },
  },
  {
    rule: publishing,
    because: 'a route publishes',
    breaks: { 'apps/server/src/rooms/routes.ts': 'events.publish(a)\nthis.bus?.publish(a)\npublish(a)' },
    at: [
      'apps/server/src/rooms/routes.ts:1',
      'apps/server/src/rooms/routes.ts:2',
      'apps/server/src/rooms/routes.ts:3',
    ],
    keeps: {
      'apps/server/src/rooms/routes.ts': 'publishRoom(a)',
      'apps/server/src/rooms/actions.ts': 'events.publish(a)',
      'apps/server/src/rooms/actions/close.ts': 'events.publish(a)',
      'apps/server/src/rooms/actions-order.ts': 'events.publish(a)',
      'apps/server/src/kernel/events.ts': 'bus.publish(a)',
      'apps/server/src/messages/writer/batch.ts': 'events.publish(a)',
      'apps/server/src/rooms/routes.test.ts': 'events.publish(a)',
    },
  },
  {
    rule: outgoing,
    because: 'a request bypasses kernel/outgoing',
    breaks: {
      'apps/server/src/rooms/actions.ts':
        "fetch(a)\nglobalThis.fetch(a)\nnew WebSocket(a)\nimport { request } from 'undici'\nimport http from 'node:http'",
      'apps/server/src/kernel/a.ts':
        "import * as net from 'net'\nimport { isIP, connect } from 'node:net'\nimport('node:https')\nexport { Agent } from 'undici'",
    },
    at: [
      'apps/server/src/rooms/actions.ts:1',
      'apps/server/src/rooms/actions.ts:2',
      'apps/server/src/rooms/actions.ts:3',
      'apps/server/src/rooms/actions.ts:4',
      'apps/server/src/rooms/actions.ts:5',
      'apps/server/src/kernel/a.ts:1',
      'apps/server/src/kernel/a.ts:2',
      'apps/server/src/kernel/a.ts:3',
      'apps/server/src/kernel/a.ts:4',
    ],
    keeps: {
      'apps/server/src/rooms/actions.ts':
        "cache.fetch(a)\nimport type { Agent } from 'undici'\nimport { type Server, STATUS_CODES } from 'node:http'",
      'apps/server/src/kernel/a.ts': "import { isIP } from 'node:net'\nexport type { Agent } from 'undici'",
      'apps/server/src/kernel/a.test.ts': 'fetch(a)',
      'apps/server/src/kernel/outgoing/a.ts': "import { Agent } from 'undici'",
      'apps/web/src/a.ts': 'fetch(a)',
    },
  },
]
