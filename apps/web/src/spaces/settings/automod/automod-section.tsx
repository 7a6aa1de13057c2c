import { Tabs } from '@base-ui/react/tabs'
import type { AutomodRule } from '@foyer/protocol/automod'
import { AUTOMOD_DAYS } from '@foyer/protocol/limits'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Count } from '#src/ui/marks/count.tsx'
import '#src/ui/tabs.css'
import './automod.css'
import { RulePage } from './editor/rule-page.tsx'
import { HeldList } from './held/held-list.tsx'
import { useHeld } from './held/use-held.ts'
import { HitList } from './hits/hit-list.tsx'
import { RuleList } from './rules/rule-list.tsx'
import { useRules } from './rules/use-rules.ts'

/** The AutoMod rules of the space, their hits, and the messages that they hold for review. */
export function AutomodSection({ space }: { space: SpaceEntry }) {
  const rules = useRules(space.id)
  const held = useHeld(space.id)
  /** The rule in the editor: null for a new rule, undefined while the editor is closed. */
  const [edited, setEdited] = useState<AutomodRule | null>()
  const [lastId, setLastId] = useState<string | null>()

  function close(saved: AutomodRule | null = edited ?? null) {
    setLastId(saved?.id ?? null)
    setEdited(undefined)
  }

  function save(saved: AutomodRule) {
    rules.put(saved)
    close(saved)
  }

  if (edited !== undefined)
    return <RulePage space={space} rule={edited} onSaved={save} onClose={() => close()} />
  return (
    <Tabs.Root defaultValue="rules">
      <Tabs.List className="tab-list" aria-label={t('AutoMod')}>
        <Tabs.Tab className="tab" value="rules">
          {t('Rules')}
        </Tabs.Tab>
        <Tabs.Tab className="tab" value="held">
          {t('Waiting for review')} <Count count={held.messages?.length ?? 0} isCalling />
        </Tabs.Tab>
        <Tabs.Tab className="tab" value="hits">
          {t('Caught in the last {days} days', { days: AUTOMOD_DAYS })}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="rules" className="tab-panel automod-panel">
        <RuleList spaceId={space.id} list={rules} onOpen={setEdited} lastId={lastId} />
      </Tabs.Panel>
      <Tabs.Panel value="held" className="tab-panel automod-panel">
        <HeldList spaceId={space.id} held={held} />
      </Tabs.Panel>
      <Tabs.Panel value="hits" className="tab-panel automod-panel">
        <HitList spaceId={space.id} rules={rules.rules ?? []} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}
