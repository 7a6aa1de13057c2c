import { MailTest, PushTest, VoiceTest } from '@foyer/protocol/server-checks'
import { type App, human } from '#src/kernel/http/types.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { serverNameOf } from '#src/kernel/server-name.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { type ServerTestDeps, type Tester, testMail, testPushes, testVoice } from './actions.ts'

const tags = ['Operators']
const base = '/api/operator/tests'
const config = { ...human, limits: ['serverTest'] } as const

/** Tests of mails, notifications and voice, for operators. They take no address from the request. */
export function serverTestRoutes(app: App, deps: ServerTestDeps): void {
  app.post(
    `${base}/mail`,
    { config, schema: { tags, summary: 'Test Mail', response: { 200: MailTest } } },
    async ({ caller }) => {
      const publicUrl = deps.config.publicUrl ?? app.listeningOrigin
      const serverName = serverNameOf({ ...deps.config, publicUrl })
      return testMail(deps, await testerOf(deps, caller), serverName)
    },
  )
  app.post(
    `${base}/push`,
    { config, schema: { tags, summary: 'Test Push', response: { 200: PushTest } } },
    async ({ caller }) => testPushes(deps, await testerOf(deps, caller)),
  )
  app.post(
    `${base}/voice`,
    { config, schema: { tags, summary: 'Test Voice', response: { 200: VoiceTest } } },
    async ({ caller }) => testVoice(deps, await testerOf(deps, caller)),
  )
}

async function testerOf({ database }: ServerTestDeps, caller: Caller): Promise<Tester> {
  return { access: await accessOperator(database, caller), userId: caller.user.id }
}
