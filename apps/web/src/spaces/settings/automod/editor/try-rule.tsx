import type { AutomodTrial, TryAutomodRuleBody } from '@foyer/protocol/automod'
import type { Message } from '@foyer/protocol/messages'
import { Automod } from '@foyer/sdk/api/automod'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { avatarIdOfWebhook, nameOfAuthor } from '#src/members/author-name.ts'
import { useNames } from '#src/members/use-names.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { CaughtText } from '../caught-text.tsx'
import { trialText } from './trial-text.ts'

interface TryRuleProps {
  spaceId: string
  body: TryAutomodRuleBody
  /** Errors for which the server would refuse the draft. */
  errors: FormErrors
}

/** Shows the messages that the rule would have caught, without saving it. */
export function TryRule({ spaceId, body, errors }: TryRuleProps) {
  const { client } = useSession()
  const trying = useAction()
  const [result, setResult] = useState<{ trial: AutomodTrial; of: string } | null>(null)
  const [wrong] = Object.values(errors)
  const key = JSON.stringify(body)
  // The result of an earlier draft would mislead.
  const trial = result?.of === key ? result.trial : null

  function start() {
    trying.run(async () => setResult({ trial: await client.api(Automod).tryRule(spaceId, body), of: key }))
  }

  return (
    <section className="automod-trial" aria-label={t('Try on recent messages')}>
      <div className="settings-line">
        <p>{wrong ?? t('See what the rule would have caught before you save it.')}</p>
        <Button pending={trying.pending} disabled={wrong !== undefined} onClick={start}>
          {t('Try on recent messages')}
        </Button>
      </div>
      <ErrorLine message={trying.error} />
      <p role="status">{trial !== null && trialText(trial)}</p>
      {trial !== null && trial.examples.length > 0 && (
        <ul className="settings-list" aria-label={t('Examples')}>
          {trial.examples.map((message) => (
            <Example key={message.id} spaceId={spaceId} message={message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Example({ spaceId, message }: { spaceId: string; message: Message }) {
  const { author, webhook_id, room_id, content, created_at, mentions } = message
  const name = nameOfAuthor(message, useNames(spaceId))
  return (
    <CaughtText
      spaceId={spaceId}
      author={{ id: webhook_id === null ? author.id : avatarIdOfWebhook(name), name, picture: author.avatar }}
      roomId={room_id}
      createdAt={created_at}
      text={content}
      people={mentions}
    />
  )
}
