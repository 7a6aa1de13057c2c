import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { EyeOff } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import type { Ask } from '#src/commands/interactions/interaction-state.ts'
import { t } from '#src/language/texts.ts'
import { MentionedContext } from '#src/mentions/mentioned.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import { formatClock } from '#src/ui/time/time.ts'
import { MessageText } from '../content/message-text.tsx'
import { MessageEmbeds } from '../embeds/message-embeds.tsx'
import './interaction-rows.css'
import { useInteractions } from '#src/commands/interactions/use-interactions.ts'
import { useInteractionsState } from '#src/commands/interactions/use-interactions-state.ts'

const MessageComponents = lazyComponent(() =>
  import('#src/commands/interactions/message-components.tsx').then((module) => module.MessageComponents),
)

const NONE: readonly Message[] = []

/** Below a channel's messages: the user's pending interactions, and ephemeral messages. */
export function InteractionRows() {
  const { id } = useChannel()
  const asks = useInteractionsState((state) => state.asks)
  const answers = useInteractionsState((state) => state.ephemerals[id] ?? NONE)
  const waiting = asks.filter((ask) => ask.channelId === id && ask.component === null)
  const list = useRef<HTMLElement>(null)
  const count = waiting.length + answers.length

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a row is added
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [count])

  if (count === 0) return null
  return (
    <section
      ref={list}
      className="interaction-rows"
      aria-label={t('Only you can see this')}
      aria-live="polite"
    >
      {answers.map((message) => (
        <Answer key={message.id} message={message} />
      ))}
      {waiting.map((ask) => (
        <Waiting key={ask.nonce} ask={ask} />
      ))}
    </section>
  )
}

function Answer({ message }: { message: Message }) {
  const interactions = useInteractions()
  const { nameOf } = useChannel()
  const isLoading = (message.flags & MessageFlag.Loading) !== 0
  return (
    <article className="interaction-row">
      <Avatar
        id={message.author.id}
        name={nameOf(message.author)}
        size="sm"
        picture={message.author.avatar}
      />
      <div className="interaction-body">
        <p className="interaction-byline">
          <strong>{nameOf(message.author)}</strong> <BotBadge />
          <time dateTime={message.created_at}>{formatClock(message.created_at)}</time>
        </p>
        {isLoading ? <Thinking /> : <MessageContent message={message} />}
        <Suspense>
          <MessageComponents message={message} />
        </Suspense>
        <p className="interaction-note">
          <EyeOff aria-hidden="true" /> {t('Only you can see this')} ·{' '}
          <Button look="text" onClick={() => interactions.dismiss(message)}>
            {t('Dismiss')}
          </Button>
        </p>
      </div>
    </article>
  )
}

function MessageContent({ message }: { message: Message }) {
  const { content, embeds } = message
  return (
    <MentionedContext value={message}>
      {content !== '' && <MessageText text={content} />}
      <MessageEmbeds embeds={embeds} />
    </MentionedContext>
  )
}

function Waiting({ ask }: { ask: Ask }) {
  const interactions = useInteractions()
  const { nameOf } = useChannel()
  const name = nameOf(ask.bot)
  return (
    <article className="interaction-row" data-status={ask.status}>
      <Avatar id={ask.bot.id} name={name} size="sm" picture={ask.bot.avatar} />
      <div className="interaction-body">
        <p className="interaction-byline">
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          <BotBadge />
          <span className="interaction-asked">{t('You used {label}', { label: ask.label })}</span>
        </p>
        {ask.status === 'failed' ? (
          <p role="alert" className="interaction-failure">
            {ask.error}{' '}
            <Button look="text" onClick={() => interactions.retry(ask)}>
              {t('Try again')}
            </Button>{' '}
            <Button look="text" onClick={() => interactions.discard(ask)}>
              {t('Dismiss')}
            </Button>
          </p>
        ) : (
          <Thinking />
        )}
      </div>
    </article>
  )
}

/** Placeholder while the bot prepares its response. */
function Thinking() {
  return (
    <p className="interaction-thinking">
      <span className="typing-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {t('The bot is thinking…')}
    </p>
  )
}
