import { OwnAppeals } from './own-appeals.tsx'
import { OwnReports } from './own-reports.tsx'

/** The user's reports, and their appeals against bans. */
export function OwnRequests() {
  return (
    <>
      <OwnAppeals />
      <OwnReports />
    </>
  )
}
