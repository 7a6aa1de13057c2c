import type { Component } from '@foyer/protocol/components'
import type { Message } from '@foyer/protocol/messages'
import { ExternalLink } from 'lucide-react'
import { memo } from 'react'
import { SpaceEmojiImage } from '#src/emojis/space-emoji.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { ComponentSelect } from './component-select.tsx'
import type { Ask } from './interaction-state.ts'
import './message-components.css'
import { useInteractions } from './use-interactions.ts'
import { useInteractionsState } from './use-interactions-state.ts'

/** Buttons and selects of a bot's message. */
export const MessageComponents = memo(function MessageComponents({ message }: { message: Message }) {
  const ask = useInteractionsState(({ asks }) =>
    asks.find((other) => other.component?.messageId === message.id),
  )
  if (message.components.length === 0) return null
  return (
    <div className="message-components">
      {message.components.map(({ components }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids and are never reordered
        <div key={row} className="component-row">
          {components.map((component, index) => (
            <MessageComponent
              key={component.custom_id ?? `${index}-${component.url}`}
              message={message}
              component={component}
              ask={ask?.component?.customId === component.custom_id ? ask : undefined}
            />
          ))}
        </div>
      ))}
      {ask?.status === 'failed' && <Failure ask={ask} />}
    </div>
  )
})

interface MessageComponentProps {
  message: Message
  component: Component
  /** Pending interaction of this message. */
  ask: Ask | undefined
}

function MessageComponent({ message, component, ask }: MessageComponentProps) {
  const use = useComponent(message, component)
  const tabIndex = useRowPart()
  const isPending = ask !== undefined && ask.status !== 'failed'
  if (component.type === 'select')
    return <ComponentSelect component={component} isPending={isPending} tabIndex={tabIndex} onChoose={use} />
  if (component.style === 'link') return <LinkButton component={component} />
  return (
    <Button
      look={looks[component.style ?? ''] ?? 'quiet'}
      className={component.style === 'success' ? 'component-button component-success' : 'component-button'}
      tabIndex={tabIndex}
      disabled={component.disabled}
      pending={isPending}
      onClick={() => use([])}
    >
      <Face component={component} />
    </Button>
  )
}

/** Returns a function that starts the component's interaction. */
function useComponent(message: Message, { custom_id, label }: Component): (values: string[]) => void {
  const interactions = useInteractions()
  const { id, author, room_id, conversation_id } = message
  return (values) => {
    if (custom_id === null || custom_id === undefined) return
    interactions.ask({
      channelId: room_id ?? conversation_id ?? '',
      bot: author,
      label: label ?? '',
      component: { messageId: id, customId: custom_id },
      body: {
        // A bot has the id of its application.
        application_id: message.application_id ?? author.id,
        type: 'component',
        room_id,
        conversation_id,
        component: { message_id: id, custom_id, values },
      },
    })
  }
}

const looks: Readonly<Record<string, 'primary' | 'quiet' | 'danger'>> = {
  primary: 'primary',
  secondary: 'quiet',
  danger: 'danger',
}

function LinkButton({ component }: { component: Component }) {
  return (
    <a
      className="button button-quiet component-button"
      tabIndex={useRowPart()}
      href={component.url ?? undefined}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <Face component={component} />
      <ExternalLink aria-hidden="true" />
    </a>
  )
}

function Face({ component: { emoji, label } }: { component: Component }) {
  const name = label ?? ''
  return (
    <>
      {emoji && <ComponentEmoji emoji={emoji} />}
      {name !== '' && (
        <span className="component-label" dir="auto">
          {name}
        </span>
      )}
    </>
  )
}

/** Shows the emoji of a component: a Unicode emoji, or a space emoji by its id. */
function ComponentEmoji({ emoji }: { emoji: string }) {
  if (!/^[0-9a-f]{8}-/i.test(emoji)) return <span className="component-emoji">{emoji}</span>
  return <SpaceEmojiImage id={emoji} name="emoji" />
}

function Failure({ ask }: { ask: Ask }) {
  const interactions = useInteractions()
  return (
    <p role="alert" className="component-failure">
      {ask.error}{' '}
      <Button look="text" onClick={() => interactions.retry(ask)}>
        {t('Try again')}
      </Button>
    </p>
  )
}
