import type { User } from '@foyer/protocol/users'
import { Button } from '#src/ui/buttons/button.tsx'
import {
  type RelationActionName,
  type RelationActionOptions,
  useRelationActions,
} from './use-relation-actions.ts'

interface RelationActionsProps extends RelationActionOptions {
  user: User
}

/** Actions shown as primary, most likely first. */
const LIKELY: readonly RelationActionName[] = ['add', 'accept', 'message']

/** Buttons for befriending, messaging or blocking a user. */
export function RelationActions({ user, ...options }: RelationActionsProps) {
  const { actions, error } = useRelationActions(user, options)
  const likeliest = LIKELY.find((likely) => actions.some(({ name }) => name === likely))
  if (actions.length === 0) return null
  return (
    <div className="profile-actions">
      {actions.map(({ name, label, Icon, pending, run }) => (
        <Button key={name} look={name === likeliest ? 'primary' : 'quiet'} pending={pending} onClick={run}>
          <Icon aria-hidden="true" /> {label}
        </Button>
      ))}
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </div>
  )
}
