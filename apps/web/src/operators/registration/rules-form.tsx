import { MAX_MAIL_DOMAINS, MAX_REGISTRATION_TEXT_CHARACTERS } from '@foyer/protocol/limits'
import type { PuzzleMode, RegistrationMode, RegistrationSettings } from '@foyer/protocol/registration'
import { Administration } from '@foyer/sdk/api/administration'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { operatorWords } from '../words.ts'
import { mailDomainsIn, wrongDomainIn } from './mail-domains.ts'
import { modeDescriptions, modeLabels, puzzleDescriptions, puzzleLabels } from './modes.ts'

const modes = modeLabels.map(([value, label]) => ({ value, label, description: modeDescriptions[value] }))
const puzzles = puzzleLabels.map(([value, label]) => ({
  value,
  label,
  description: puzzleDescriptions[value],
}))

interface RulesFormProps {
  rules: RegistrationSettings
  onSaved: (saved: RegistrationSettings) => void
}

interface Typed {
  mode?: RegistrationMode
  question?: string
  domains?: string
  puzzle?: PuzzleMode
}

/** The rules for new accounts. They apply as soon as they are saved. Rules that were not edited are not sent. */
export function RulesForm({ rules, onSaved }: RulesFormProps) {
  const { client } = useSession()
  // Holds edited fields only.
  const [typed, setTyped] = useState<Typed>({})
  const savedDomains = rules.domains.join('\n')
  const mode = typed.mode ?? rules.mode
  const question = typed.question ?? rules.question ?? ''
  const domains = typed.domains ?? savedDomains
  const puzzle = typed.puzzle ?? rules.puzzle
  const isUnsaved =
    mode !== rules.mode ||
    question !== (rules.question ?? '') ||
    domains !== savedDomains ||
    puzzle !== rules.puzzle

  async function save() {
    const saved = await client.api(Administration).updateRegistration({
      ...(typed.mode !== undefined && { mode }),
      ...(typed.question !== undefined && { question: question.trim() || null }),
      ...(typed.domains !== undefined && mode !== 'closed' && { domains: mailDomainsIn(domains) }),
      ...(typed.puzzle !== undefined && { puzzle }),
    })
    onSaved(saved)
    setTyped({})
  }

  return (
    <section className="operator-part" aria-labelledby="operator-rules">
      <h4 id="operator-rules">{t('Rules for new accounts')}</h4>
      <SubmitForm
        fields={['question', 'domains']}
        check={() => (mode === 'closed' ? {} : checkDomains(domains))}
        submit={save}
        words={operatorWords}
      >
        {(pending) => (
          <>
            <OptionCards
              label={t('Who can create an account')}
              options={modes}
              value={mode}
              onChange={(value) => setTyped({ ...typed, mode: value })}
            />
            {mode === 'approval' && (
              <TextField
                name="question"
                label={t('Question for applicants')}
                hint={t(
                  'Optional. If you ask a question, applicants must answer it. For example: “How do you know us?”',
                )}
                autoComplete="off"
                maxLength={MAX_REGISTRATION_TEXT_CHARACTERS}
                render={<textarea rows={3} />}
                value={question}
                onValueChange={(value) => setTyped({ ...typed, question: value })}
              />
            )}
            {mode !== 'closed' && (
              <TextField
                name="domains"
                label={t('Only email addresses at these domains')}
                hint={t(
                  'One per line, like example.org. Subdomains aren’t included. Leave empty to allow all.',
                )}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                render={<textarea rows={3} />}
                value={domains}
                onValueChange={(value) => setTyped({ ...typed, domains: value })}
              />
            )}
            {mode !== 'closed' && (
              <OptionCards
                label={t('Check for bots')}
                options={puzzles}
                value={puzzle}
                onChange={(value) => setTyped({ ...typed, puzzle: value })}
              />
            )}
            <SaveBar isUnsaved={isUnsaved} pending={pending} onReset={() => setTyped({})} />
          </>
        )}
      </SubmitForm>
    </section>
  )
}

function checkDomains(text: string): FormErrors {
  const domains = mailDomainsIn(text)
  const wrong = wrongDomainIn(domains)
  if (wrong !== undefined)
    return {
      domains: t('“{domain}” isn’t a valid email domain. Write it like example.org.', { domain: wrong }),
    }
  if (domains.length > MAX_MAIL_DOMAINS)
    return { domains: t('Enter at most {max} domains.', { max: MAX_MAIL_DOMAINS }) }
  return {}
}
