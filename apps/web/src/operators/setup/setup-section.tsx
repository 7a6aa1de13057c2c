import { ServerSettings } from './server-settings.tsx'
import { ServerTests } from './server-tests.tsx'
import { StillMissing } from './still-missing.tsx'

/** Lists missing settings, tests of the others, and all settings. */
export function SetupSection() {
  return (
    <>
      <StillMissing />
      <ServerTests />
      <ServerSettings />
    </>
  )
}
