/** The address where people add an application's bot to a space of theirs. */
export function addBotLink(applicationId: string): string {
  return `${window.location.origin}/add-bot/${applicationId}`
}
