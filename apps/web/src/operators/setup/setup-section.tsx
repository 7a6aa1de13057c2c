import { ServerSettings } from './server-settings.tsx'
import { ServerTests } from './server-tests.tsx'
import { StillMissing } from './still-missing.tsx'

/** Lists what this server lacks, tests what it has, and shows its settings. */
export function SetupSection() {
  return (
    <>
      <StillMissing />
      <ServerTests />
      <ServerSettings />
    </>
  )
}
