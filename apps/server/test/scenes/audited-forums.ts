import type { AuditAction } from '@foyer/protocol/audit-actions'
import { Forums } from '@foyer/sdk/api/forums'
import { type AuditScene, of, type Prepare } from './audit-scene.ts'
import { makeForum, makePost } from './forums.ts'

/** Lets the member create a post. Returns its id, and a message that may be its answer. */
async function posted({ owner, member, space }: AuditScene): Promise<{ id: string; answer: string }> {
  const forum = await makeForum(owner, space)
  const { id } = await makePost(member, forum.id, 'post')
  return { id, answer: (await member.client.messages.create(id, { content: 'an answer' })).id }
}

/** Operations of forums that change a space. A part of `auditedChanges`. */
export const auditedForums: Readonly<Record<string, [AuditAction, Prepare]>> = {
  'forums.solve': of('thread_update', posted, ({ owner }, { id, answer }) =>
    owner.client.api(Forums).solve(id, answer),
  ),
  'forums.unsolve': of(
    'thread_update',
    async (scene) => {
      const { id, answer } = await posted(scene)
      await scene.member.client.api(Forums).solve(id, answer)
      return id
    },
    ({ owner }, id) => owner.client.api(Forums).unsolve(id),
  ),
}
