import type { AutomodHit, AutomodRule, HeldMessage } from '@foyer/protocol/automod'
import { sampleUser } from '#src/store/samples.ts'

const TIME = '2026-01-01T12:00:00.000Z'

/** A rule for tests. */
export function sampleRule(change: Partial<AutomodRule> = {}): AutomodRule {
  return {
    id: 'rule',
    space_id: 'space',
    name: 'No spam',
    mode: 'on',
    trigger: { type: 'words', words: ['spam*'], allowed: [] },
    action: 'refuse',
    message: null,
    alert_room_id: null,
    timeout_minutes: null,
    exempt_role_ids: [],
    exempt_room_ids: [],
    created_at: TIME,
    updated_at: TIME,
    ...change,
  }
}

export function sampleHeld(id: string): HeldMessage {
  return {
    id,
    space_id: 'space',
    room_id: 'room',
    rule_id: 'rule',
    rule_name: 'No spam',
    author: sampleUser('other'),
    content: 'spam',
    file_count: 0,
    reply_to: null,
    created_at: TIME,
  }
}

export function sampleHit(id: string): AutomodHit {
  return {
    id,
    space_id: 'space',
    rule_id: 'rule',
    user_id: 'other',
    room_id: 'room',
    source: 'message',
    mode: 'on',
    text: 'spam',
    excerpt: null,
    created_at: TIME,
  }
}
