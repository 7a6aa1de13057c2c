import { Permission } from '@foyer/protocol/permissions'
import { RoomParams } from '@foyer/protocol/rooms'
import { Type } from 'typebox'
import type { App } from '#src/kernel/http/types.ts'
import { accessRoom } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { type NoticeDeps, sendNotice } from './actions.ts'
import type { NoticeKind } from './throttle.ts'

const KINDS: readonly NoticeKind[] = ['typing', 'recording']
const SUMMARIES = { typing: 'Send Typing Notice', recording: 'Send Recording Notice' }

export function noticeRoutes(app: App, deps: NoticeDeps & { snapshots: Snapshots }): void {
  for (const kind of KINDS) noticeRoute(app, deps, kind)
}

function noticeRoute(app: App, deps: NoticeDeps & { snapshots: Snapshots }, kind: NoticeKind): void {
  const schema = {
    tags: ['Messages'],
    summary: SUMMARIES[kind],
    params: RoomParams,
    response: { 204: Type.Null() },
  }
  app.post(`/api/rooms/:roomId/${kind}`, { schema }, async (request, reply) => {
    const access = await accessRoom(
      deps.snapshots,
      request.caller,
      request.params.roomId,
      Permission.SendMessages,
    )
    sendNotice(deps, access, kind)
    return reply.code(204).send(null)
  })
}
