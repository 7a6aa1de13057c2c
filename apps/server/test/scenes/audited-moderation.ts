import type { AuditAction } from '@foyer/protocol/audit-actions'
import { Appeals } from '@foyer/sdk/api/appeals'
import { Automod } from '@foyer/sdk/api/automod'
import { Reports } from '@foyer/sdk/api/reports'
import { type AuditScene, at, of, type Prepare, said } from './audit-scene.ts'

/** Closes the space's door, and has the guest request to join. */
async function newcomer({ owner, guest, space }: AuditScene): Promise<void> {
  const { code } = await owner.client.invites.create(space.id, space.general)
  await owner.client.door.update(space.id, { closed: true })
  await guest.call('POST', `/api/invites/${code}`)
}

function rule({ owner, space }: AuditScene) {
  return owner.client.api(Automod).createRule(space.id, {
    name: 'Animals',
    trigger: { type: 'words', words: ['wombat'] },
  })
}

async function held(scene: AuditScene): Promise<string> {
  const { owner, member, space } = scene
  const { id } = await rule(scene)
  await owner.client.api(Automod).updateRule(space.id, id, { mode: 'on', action: 'hold' })
  await member.client.messages.create(space.general, { content: 'wombat' }).catch(() => undefined)
  const [message] = await owner.client.api(Automod).listHeld(space.id)
  return message?.id ?? ''
}

async function reported(scene: AuditScene): Promise<string> {
  const message_id = await said(scene)
  const { id } = await scene.owner.client.api(Reports).create({
    message_id,
    room_id: scene.space.general,
    reason: 'spam',
  })
  return id
}

async function appealed({ owner, guest, space }: AuditScene): Promise<string> {
  await owner.client.bans.create(space.id, guest.id)
  return (await guest.client.api(Appeals).create(space.id, { text: 'sorry' })).id
}

/** Operations of moderators. A part of `auditedChanges`. */
export const auditedModeration: Readonly<Record<string, [AuditAction, Prepare]>> = {
  'door.update': at('door_update', ({ owner, space }) =>
    owner.client.door.update(space.id, { closed: true }),
  ),
  'door.letIn': of('newcomers_let_in', newcomer, ({ owner, space }) => owner.client.door.letIn(space.id)),
  'door.remove': of('newcomers_remove', newcomer, ({ owner, space }) => owner.client.door.remove(space.id)),
  'automod.createRule': at('automod_rule_create', rule),
  'automod.updateRule': of('automod_rule_update', rule, ({ owner, space }, { id }) =>
    owner.client.api(Automod).updateRule(space.id, id, { mode: 'on' }),
  ),
  'automod.deleteRule': of('automod_rule_delete', rule, ({ owner, space }, { id }) =>
    owner.client.api(Automod).deleteRule(space.id, id),
  ),
  'automod.approveHeld': of('held_message_approve', held, ({ owner, space }, id) =>
    owner.client.api(Automod).approveHeld(space.id, id),
  ),
  'automod.rejectHeld': of('held_message_reject', held, ({ owner, space }, id) =>
    owner.client.api(Automod).rejectHeld(space.id, id),
  ),
  'reports.update': of('report_close', reported, ({ owner, space }, id) =>
    owner.client.api(Reports).update(space.id, id, { state: 'closed', result: 'acted' }),
  ),
  'appeals.decide': of('appeal_refuse', appealed, ({ owner, space }, id) =>
    owner.client.api(Appeals).decide(space.id, id, { accepted: false }),
  ),
}
