import type { AutomodHit, AutomodRule } from '@foyer/protocol/automod'
import { AUTOMOD_DAYS } from '@foyer/protocol/limits'
import { SearchCheck } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useNames } from '#src/members/use-names.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { CaughtText } from '../caught-text.tsx'
import { sourceTexts } from '../rules/rule-texts.ts'
import { outcomeText } from './hit-texts.ts'
import type { LoadedHits } from './loaded-hits.ts'
import { type Hits, useHits } from './use-hits.ts'

interface HitListProps {
  spaceId: string
  rules: readonly AutomodRule[]
}

/** Everything that was caught in the last days, newest first. */
export function HitList({ spaceId, rules }: HitListProps) {
  const [ruleId, setRuleId] = useState<string | null>(null)
  const hits = useHits(spaceId, ruleId)
  return (
    <>
      <SelectField
        name="rule_id"
        label={t('Rule')}
        options={[['', t('All rules')], ...rules.map(({ id, name }) => [id, name] as const)]}
        value={ruleId ?? ''}
        onChange={(id) => setRuleId(id || null)}
      />
      <LoadedList spaceId={spaceId} rules={rules} hits={hits} />
    </>
  )
}

function LoadedList({ spaceId, rules, hits }: HitListProps & { hits: Hits }) {
  const { loaded, error, again, loadMore, isLoadingMore, moreError } = hits
  if (error !== null) return <LoadError message={error} again={again} />
  if (loaded === undefined) return <Skeleton />
  if (loaded.hits.length === 0)
    return (
      <EmptyNote icon={<SearchCheck />} title={t('Nothing was caught')}>
        {t(
          'Messages and names that rules catch appear here for {days} days. Rules in testing are included.',
          {
            days: AUTOMOD_DAYS,
          },
        )}
      </EmptyNote>
    )
  return (
    <>
      <ul className="settings-list" aria-label={t('Caught in the last {days} days', { days: AUTOMOD_DAYS })}>
        {loaded.hits.map((hit) => (
          <HitRow
            key={hit.id}
            hit={hit}
            spaceId={spaceId}
            rule={rules.find(({ id }) => id === hit.rule_id)}
            users={loaded.users}
          />
        ))}
      </ul>
      {moreError !== null && loadMore !== null && <LoadError message={moreError} again={loadMore} />}
      {loadMore !== null && (
        <Button pending={isLoadingMore} onClick={loadMore}>
          {t('Load older')}
        </Button>
      )}
    </>
  )
}

interface HitRowProps {
  hit: AutomodHit
  spaceId: string
  /** Undefined if the rule was deleted. */
  rule: AutomodRule | undefined
  users: LoadedHits['users']
}

function HitRow({ hit, spaceId, rule, users }: HitRowProps) {
  const nameOf = useNames(spaceId)
  const user = users[hit.user_id ?? '']
  return (
    <CaughtText
      spaceId={spaceId}
      author={{
        id: hit.user_id ?? hit.id,
        name: user === undefined ? unknownAuthor(hit) : nameOf(user),
        picture: user?.avatar ?? null,
      }}
      roomId={hit.room_id}
      createdAt={hit.created_at}
      text={hit.text}
      excerpt={hit.excerpt}
      notes={[
        <span key="source">{sourceTexts[hit.source]}</span>,
        <span key="rule">
          {rule === undefined ? t('Deleted rule') : t('Rule: {name}', { name: rule.name })}
        </span>,
        <span key="outcome" className="automod-outcome" data-mode={hit.mode}>
          {outcomeText(hit, rule)}
        </span>,
      ]}
    />
  )
}

function unknownAuthor({ user_id }: AutomodHit): string {
  return user_id === null ? t('Webhook') : t('Unknown account')
}
