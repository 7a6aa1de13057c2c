/**
 * Allows scripts and workers only from the build. The server's policy is `'self'`, which includes uploaded files: behind a
 * proxy the server does not know its own origin, but the page does. Policies add up and cannot be removed.
 */
export function allowOnlyBuild({ document, location }: Pick<Window, 'document' | 'location'>): void {
  const { origin, hostname } = location
  // A policy cannot name an IPv6 address. Without a source it would block everything.
  if (hostname.startsWith('[')) return
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `script-src ${origin}/assets/; worker-src ${origin}/assets/ ${origin}/worker.js`
  document.head.append(policy)
}
