import type { User } from '@foyer/protocol/users'
import { Button } from '#src/ui/button.tsx'
import { type DeedOptions, type RelationDeedName, useRelationDeeds } from './use-relation-deeds.ts'

interface RelationActionsProps extends DeedOptions {
  user: User
}

/** What one most likely came for. */
const LIKELY: readonly RelationDeedName[] = ['add', 'accept', 'message']

/** What the signed-in user can do about what is, or is not, between them and somebody. */
export function RelationActions({ user, ...options }: RelationActionsProps) {
  const { deeds, error } = useRelationDeeds(user, options)
  const likeliest = LIKELY.find((likely) => deeds.some(({ name }) => name === likely))
  if (deeds.length === 0) return null
  return (
    <div className="profile-actions">
      {deeds.map(({ name, label, Icon, pending, run }) => (
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
