import type { Export } from '@foyer/protocol/exports'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { Exports } from '@foyer/sdk/api/exports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useNewestExport } from '../exports/use-newest-export.ts'
import { AskForCopy } from './ask-for-copy.tsx'
import { CopyState } from './copy-state.tsx'

/** The copy of everything the user wrote and of the data about them: requesting and downloading it. */
export function YourDataSection() {
  const { client } = useSession()
  const { answer, again, newest, show } = useNewestExport(listOwn)
  const [isAsking, setIsAsking] = useState(false)

  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />

  async function ask(proof: ProofBody) {
    show(await client.api(Exports).create(proof))
    setIsAsking(false)
  }

  return (
    <section className="settings-block">
      <p className="settings-note">
        {t(
          'Get a copy of everything you wrote, your files, your profile and your settings. It’s a ZIP file with pages you can open in any browser, and JSON for programs. Messages from other people aren’t included.',
        )}
      </p>
      {newest !== undefined && <CopyState copy={newest} />}
      {(newest === undefined || newest.state === 'failed') && (
        <div className="form-actions">
          <Button look="primary" onClick={() => setIsAsking(true)}>
            {t('Request a copy…')}
          </Button>
        </div>
      )}
      {isAsking && <AskForCopy ask={ask} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

function listOwn(client: Client, options: CallOptions): Promise<Export[]> {
  return client.api(Exports).list(options)
}
