import type { MailTest, PushTest, PushTestOutcome, VoiceTest } from '@foyer/protocol/server-checks'
import { ServerChecks } from '@foyer/sdk/api/server-checks'
import { type ReactNode, useState } from 'react'
import { deviceName } from '#src/account/device.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { ConnectionTest } from '#src/voice/connection/connection-test.tsx'
import { operatorWords } from '../words.ts'
import { Outcome } from './outcome.tsx'

/** Tests of mail, push notifications and voice. */
export function ServerTests() {
  return (
    <section className="operator-part" aria-labelledby="operator-tests">
      <h4 id="operator-tests">{t('Tests')}</h4>
      <ServerTest
        title={t('Email')}
        note={t('Sends an email to your own address.')}
        action={t('Send a test email')}
        run={(calls) => calls.mail()}
        show={(result) => <MailResult result={result} />}
      />
      <ServerTest
        title={t('Notifications')}
        note={t('Sends a notification to each of your devices where notifications are on.')}
        action={t('Send a test notification')}
        run={(calls) => calls.push()}
        show={(result) => <PushResult result={result} />}
      />
      <ServerTest
        title={t('Voice')}
        note={t('Checks on the server whether its voice ports answer.')}
        action={t('Test voice')}
        run={(calls) => calls.voice()}
        show={(result) => <VoiceResult result={result} />}
      />
      <div className="setup-test">
        <p className="settings-note">{t('Checks whether audio gets from this device to the server.')}</p>
        <ConnectionTest />
      </div>
    </section>
  )
}

interface ServerTestProps<T> {
  title: string
  note: string
  action: string
  run: (calls: ServerChecks) => Promise<T>
  show: (result: T) => ReactNode
}

function ServerTest<T>({ title, note, action, run, show }: ServerTestProps<T>) {
  const { client } = useSession()
  const { pending, error, run: attempt } = useAction(operatorWords)
  const [result, setResult] = useState<T | null>(null)

  async function test() {
    setResult(null)
    setResult(await run(client.api(ServerChecks)))
  }

  return (
    <div className="setup-test">
      <h5>{title}</h5>
      <p className="settings-note">{note}</p>
      <Button pending={pending} onClick={() => attempt(test)}>
        {pending ? t('Testing…') : action}
      </Button>
      <div role="status">{result !== null && show(result)}</div>
      <ErrorLine message={error} />
    </div>
  )
}

function MailResult({ result: { outcome, to, says } }: { result: MailTest }) {
  const sentences = {
    accepted: t('The mail server accepted the email to {address}. Check that it arrives.', { address: to }),
    refused: t('The mail server refused the email to {address}.', { address: to }),
    failed: t('The email could not be sent.'),
    saved: t('This server has no mail server, so the email was saved as a file in its data folder.'),
  }
  const states = { accepted: 'good', refused: 'bad', failed: 'bad', saved: 'note' } as const
  return (
    <ul className="setup-list">
      <Outcome state={states[outcome]} title={sentences[outcome]}>
        {says !== '' && <code lang="en">{says}</code>}
      </Outcome>
    </ul>
  )
}

const pushWords: Record<PushTestOutcome, string> = {
  sent: t('The push service accepted the notification. It should appear on the device now.'),
  gone: t('This browser has turned notifications off. It was removed from your devices.'),
  later: t('The push service is busy. Try again later.'),
  refused: t('The push service refused the notification.'),
  skipped: t('The push service hasn’t responded for a while, so nothing was sent.'),
  unanswered: t('The push service didn’t respond.'),
}

function PushResult({ result: { devices } }: { result: PushTest }) {
  if (devices.length === 0)
    return (
      <p className="settings-note">
        {t('Notifications are not on for any of your devices. Turn them on in your settings first.')}
      </p>
    )
  return (
    <ul className="setup-list">
      {devices.map(({ user_agent, host, outcome, status }, index) => (
        <Outcome
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is not changed
          key={index}
          state={outcome === 'sent' ? 'good' : 'bad'}
          title={deviceName(user_agent)}
        >
          {pushWords[outcome]}{' '}
          <code>
            {host}
            {status !== null && ` ${status}`}
          </code>
        </Outcome>
      ))}
    </ul>
  )
}

function VoiceResult({ result: { findings } }: { result: VoiceTest }) {
  return (
    <ul className="setup-list" lang="en">
      {findings.map(({ what, verdict, says, remedy }) => (
        <Outcome key={what} state={verdict} title={what}>
          {says}
          {remedy !== null && (
            <>
              <br />
              {remedy}
            </>
          )}
        </Outcome>
      ))}
    </ul>
  )
}
