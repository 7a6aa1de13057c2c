import type { MissingPart, MissingPartId } from '@foyer/protocol/still-missing'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { CircleCheck } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useReturn } from '../use-return.ts'
import { operatorWords } from '../words.ts'
import { Outcome } from './outcome.tsx'
import './setup.css'

interface PartWords {
  readonly title: string
  readonly cause: string
  readonly remedy: string
}

/** Texts in the user's language. The server describes the parts in English only. */
const words: Record<MissingPartId, PartWords> = {
  mail: {
    title: t('Email doesn’t work yet'),
    cause: t('SMTP_URL is not set, so emails are saved as files on the server.'),
    remedy: t('Set SMTP_URL, so that people can confirm their address and reset their password.'),
  },
  https: {
    title: t('Voice, notifications and passkeys don’t work yet'),
    cause: t('Browsers allow the microphone, notifications and passkeys only over HTTPS.'),
    remedy: t(
      'Set PUBLIC_URL to an https address. With a public name, Foyer gets the certificate by itself.',
    ),
  },
  voice_address: {
    title: t('Voice doesn’t reach people outside of your network'),
    cause: t('Voice only offers private addresses.'),
    remedy: t('Set PUBLIC_IP to the public address of this network.'),
  },
  public_url: {
    title: t('Invites may not work for other people'),
    cause: t('PUBLIC_URL is not set to an address that other computers can reach.'),
    remedy: t('Set PUBLIC_URL to the address at which people reach this server.'),
  },
}

const ask = (client: Client, options: CallOptions) => client.api(Administration).getStillMissing(options)

interface StillMissingProps {
  /** Adds a note that changes need a restart. Not needed next to the list of settings, which has the same note. */
  hasRestartNote?: boolean
}

/** Lists features that do not work yet, and how to set them up. */
export function StillMissing({ hasRestartNote = false }: StillMissingProps) {
  const { answer, again } = useAnswer(ask, operatorWords)
  useReturn(again)
  return (
    <section className="operator-part" aria-labelledby="operator-missing">
      <h4 id="operator-missing">{t('Still to do')}</h4>
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'loading' && <Skeleton />}
      {answer.state === 'here' && <Parts missing={answer.value.missing} hasRestartNote={hasRestartNote} />}
    </section>
  )
}

interface PartsProps {
  missing: readonly MissingPart[]
  hasRestartNote: boolean
}

function Parts({ missing, hasRestartNote }: PartsProps) {
  if (missing.length === 0)
    return (
      <p className="setup-done">
        <CircleCheck aria-hidden="true" />
        {t('Everything is set up, as far as Foyer can see from its settings.')}
      </p>
    )
  return (
    <>
      <ul className="setup-list">
        {missing.map(({ id }) => (
          <Outcome key={id} state="bad" title={words[id].title}>
            {words[id].cause} {words[id].remedy}
          </Outcome>
        ))}
      </ul>
      {hasRestartNote && (
        <p className="settings-note">
          {t('Foyer reads its settings from the environment when it starts. Restart it after a change.')}
        </p>
      )}
    </>
  )
}
