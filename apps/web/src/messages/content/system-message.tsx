import type { Message } from '@foyer/protocol/messages'
import { Suspense } from 'react'
import { ProfileButton } from '#src/friends/profiles/profile-cards.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { formatClock, formatFull } from '#src/ui/time/time.ts'
import './system-message.css'
import { systemTextOf } from './message-words.ts'

// Both parts are in one module, because the name of every lazy chunk adds to the first load.
const SystemIcon = lazyComponent(
  () => import('./system-parts.tsx').then((module) => module.SystemIcon),
  () => null,
)
const SystemWords = lazyComponent(
  () => import('./system-parts.tsx').then((module) => module.SystemWords),
  ({ message }: { message: Message }) => systemTextOf(message),
)

/** Returns true if no user wrote the message. */
export function isSystem(message: Pick<Message, 'type'>): boolean {
  return systemTextOf(message) !== undefined
}

/** A system message: a user and their action. */
export function SystemMessage({ message, name }: { message: Message; name: string }) {
  return (
    <>
      <div className="message-gutter">
        <Suspense>
          <SystemIcon message={message} />
        </Suspense>
      </div>
      <p className="system-text">
        <ProfileButton userId={message.author.id} className="system-name" isTabStop={false}>
          {name}
        </ProfileButton>{' '}
        <Suspense fallback={systemTextOf(message)}>
          <SystemWords message={message} />
        </Suspense>{' '}
        <time className="message-time" dateTime={message.created_at} title={formatFull(message.created_at)}>
          {formatClock(message.created_at)}
        </time>
      </p>
    </>
  )
}
