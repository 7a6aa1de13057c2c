// Runs the server, which restarts when one of its files changes, and Vite, which updates the web client in open pages.
// Passes arguments and the environment on to the server.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const vite = await createServer({ root: here('.'), configFile: here('vite.config.ts'), clearScreen: false })
await vite.listen()
const [address = ''] = vite.resolvedUrls?.local ?? []

// The server runs in a process group of its own, so that Ctrl-C does not reach it directly: it would receive three signals and
// exit without closing its database. The server's public URL is Vite's, so that links in its log and mails open Vite's page.
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', here('../server/src/main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit', detached: true, env: { PUBLIC_URL: address, ...process.env } },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => server.kill('SIGTERM'))
server.once('exit', async (code) => {
  await vite.close()
  process.exit(code ?? 0)
})

process.stdout.write(`Open ${address} when Foyer is ready: it shows changes of the web client at once.\n`)
