import type { User } from '@foyer/protocol/users'
import {
  Ban,
  Check,
  Flag,
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
import { useAction } from '#src/ui/fields/use-action.ts'
import type { Ending } from './end-friendship.tsx'
import { type Relation, useRelation } from './relation.ts'
import { friendWords } from './words.ts'

const LOOKS = {
  message: { label: t('Message'), Icon: MessageCircle },
  call: { label: t('Call'), Icon: Phone },
  add: { label: t('Add friend'), Icon: UserPlus },
  accept: { label: t('Accept friend request'), Icon: Check },
  reject: { label: t('Decline'), Icon: X },
  cancel: { label: t('Cancel friend request'), Icon: X },
  remove: { label: t('Remove friend'), Icon: UserMinus },
  block: { label: t('Block'), Icon: Ban },
  unblock: { label: t('Unblock'), Icon: UserCheck },
  report: { label: t('Report'), Icon: Flag },
} as const satisfies Record<string, { label: string; Icon: LucideIcon }>

export type RelationActionName = keyof typeof LOOKS

export interface RelationAction {
  readonly name: RelationActionName
  readonly label: string
  readonly Icon: LucideIcon
  /** True if the action opens a dialog: to confirm a block or the end of a friendship, or to report the user. */
  readonly opensDialog: boolean
  readonly pending: boolean
  readonly run: () => void
}

interface AvailableActions {
  /** Most likely first. Empty for the signed-in user. */
  readonly actions: readonly RelationAction[]
  readonly error: string | null
}

export interface RelationActionOptions {
  /** Opens the confirmation for ending a friendship, or for a block. */
  onEnd: (how: Ending) => void
  /** Opens the report dialog. */
  onReport: () => void
  /** Called after an action that needs no confirmation. */
  onDone?: (name: RelationActionName) => void
}

/** Returns the actions for a user, depending on their relation to the signed-in user. */
export function useRelationActions(user: User, options: RelationActionOptions): AvailableActions {
  const { onEnd, onReport, onDone } = options
  const relation = useRelation(user.id)
  const { client, voice } = useSession()
  const { friends } = client
  const requesting = useAction(friendWords)
  const direct = useOpenDirect()
  const requestId = 'requestId' in relation ? relation.requestId : ''

  const request = (name: RelationActionName, work: () => Promise<unknown>) =>
    actionOf(name, requesting.pending, () =>
      requesting.run(async () => {
        await work()
        onDone?.(name)
      }),
    )
  const visit = (name: 'message' | 'call') =>
    actionOf(name, direct.pending, () =>
      direct.open(user.id, (id) => {
        if (name === 'call') void voice.join({ conversation_id: id })
        onDone?.(name)
      }),
    )
  const ending = (how: Ending) => actionOf(how, false, () => onEnd(how))

  const all: readonly RelationAction[] = [
    visit('message'),
    visit('call'),
    request('add', () => friends.sendRequest(user.id)),
    request('accept', () => friends.acceptRequest(requestId)),
    request('reject', () => friends.deleteRequest(requestId)),
    request('cancel', () => friends.deleteRequest(requestId)),
    ending('remove'),
    ending('block'),
    request('unblock', () => friends.unblock(user.id)),
    actionOf('report', false, onReport),
  ]
  const names = actionsBetween(relation, user.is_bot)
  return {
    actions: all.filter(({ name }) => names.includes(name)),
    error: requesting.error ?? direct.error,
  }
}

const WITH_DIALOG: readonly RelationActionName[] = ['remove', 'block', 'report']

function actionOf(name: RelationActionName, pending: boolean, run: () => void): RelationAction {
  return { name, ...LOOKS[name], opensDialog: WITH_DIALOG.includes(name), pending, run }
}

function actionsBetween({ kind }: Relation, isBot: boolean): readonly RelationActionName[] {
  if (kind === 'self') return []
  if (kind === 'blocked') return ['unblock', 'report']
  // Bots take no friend requests and no calls.
  if (isBot) return ['message', 'block', 'report']
  return ['message', 'call', ...BETWEEN[kind], 'report']
}

const BETWEEN: Record<'none' | 'received' | 'sent' | 'friend', readonly RelationActionName[]> = {
  none: ['add', 'block'],
  received: ['accept', 'reject', 'block'],
  sent: ['cancel', 'block'],
  friend: ['remove', 'block'],
}
