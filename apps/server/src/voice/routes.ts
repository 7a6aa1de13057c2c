import { MemberParams } from '@foyer/protocol/members'
import { MemberVoice, UpdateMemberVoiceBody } from '@foyer/protocol/voice'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import { updateMemberVoice } from './actions/members.ts'
import type { VoiceDeps } from './actions/voice.ts'

const tags = ['Voice']

export function voiceRoutes(app: App, deps: VoiceDeps): void {
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/members/:memberId/voice',
    schema: {
      tags,
      summary: 'Update Member Voice',
      params: MemberParams,
      body: UpdateMemberVoiceBody,
      response: { 200: MemberVoice },
    },
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'MoveMembers')
      return updateMemberVoice(deps, access, params.memberId, await readBody(request))
    },
  })
}
