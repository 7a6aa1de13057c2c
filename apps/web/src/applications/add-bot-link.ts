/** Returns the URL where people add an application's bot to a space. */
export function addBotLink(applicationId: string): string {
  return `${window.location.origin}/add-bot/${applicationId}`
}
