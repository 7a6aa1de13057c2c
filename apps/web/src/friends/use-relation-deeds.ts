import type { User } from '@foyer/protocol/users'
import {
  Ban,
  Check,
  type LucideIcon,
  MessageCircle,
  Phone,
  UserCheck,
  UserMinus,
  UserPlus,
  X,
} from 'lucide-react'
import { useOpenDirect } from '#src/conversations/use-open-direct.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAction } from '#src/ui/use-action.ts'
import type { Ending } from './end-friendship.tsx'
import { type Relation, useRelation } from './relation.ts'
import { friendWords } from './words.ts'

const LOOKS = {
  message: { label: t('Message'), Icon: MessageCircle },
  call: { label: t('Call'), Icon: Phone },
  add: { label: t('Add friend'), Icon: UserPlus },
  accept: { label: t('Accept friend request'), Icon: Check },
  reject: { label: t('Reject'), Icon: X },
  cancel: { label: t('Cancel friend request'), Icon: X },
  remove: { label: t('Remove friend'), Icon: UserMinus },
  block: { label: t('Block'), Icon: Ban },
  unblock: { label: t('Unblock'), Icon: UserCheck },
} as const satisfies Record<string, { label: string; Icon: LucideIcon }>

export type RelationDeedName = keyof typeof LOOKS

export interface RelationDeed {
  readonly name: RelationDeedName
  readonly label: string
  readonly Icon: LucideIcon
  /** Ends something between the two. */
  readonly isEnding: boolean
  readonly pending: boolean
  readonly run: () => void
}

interface RelationDeeds {
  /** The likeliest first; none about oneself. */
  readonly deeds: readonly RelationDeed[]
  readonly error: string | null
}

export interface DeedOptions {
  /** Asks first: what ends a friendship comes out of where it was asked for. */
  onEnd: (how: Ending) => void
  /** Something was done without being asked about. */
  onDone?: (name: RelationDeedName) => void
}

/** What the signed-in user can do about what is, or is not, between them and somebody. */
export function useRelationDeeds(user: User, { onEnd, onDone }: DeedOptions): RelationDeeds {
  const relation = useRelation(user.id)
  const { client, voice } = useSession()
  const { friends } = client
  const asking = useAction(friendWords)
  const direct = useOpenDirect()
  const requestId = 'requestId' in relation ? relation.requestId : ''

  const request = (name: RelationDeedName, work: () => Promise<unknown>) =>
    deedOf(name, asking.pending, () =>
      asking.run(async () => {
        await work()
        onDone?.(name)
      }),
    )
  const visit = (name: 'message' | 'call') =>
    deedOf(name, direct.pending, () =>
      direct.open(user.id, (id) => {
        if (name === 'call') void voice.join({ conversation_id: id })
        onDone?.(name)
      }),
    )
  const ending = (how: Ending) => deedOf(how, false, () => onEnd(how))

  const all: readonly RelationDeed[] = [
    visit('message'),
    visit('call'),
    request('add', () => friends.sendRequest(user.id)),
    request('accept', () => friends.acceptRequest(requestId)),
    request('reject', () => friends.deleteRequest(requestId)),
    request('cancel', () => friends.deleteRequest(requestId)),
    ending('remove'),
    ending('block'),
    request('unblock', () => friends.unblock(user.id)),
  ]
  const names = deedsBetween(relation, user.is_bot)
  return {
    deeds: all.filter(({ name }) => names.includes(name)),
    error: asking.error ?? direct.error,
  }
}

function deedOf(name: RelationDeedName, pending: boolean, run: () => void): RelationDeed {
  return { name, ...LOOKS[name], isEnding: name === 'remove' || name === 'block', pending, run }
}

function deedsBetween({ kind }: Relation, isBot: boolean): readonly RelationDeedName[] {
  if (kind === 'self') return []
  if (kind === 'blocked') return ['unblock']
  // A bot is asked for no friendship and no call.
  if (isBot) return ['message', 'block']
  return ['message', 'call', ...BETWEEN[kind]]
}

const BETWEEN: Record<'none' | 'received' | 'sent' | 'friend', readonly RelationDeedName[]> = {
  none: ['add', 'block'],
  received: ['accept', 'reject', 'block'],
  sent: ['cancel', 'block'],
  friend: ['remove', 'block'],
}
