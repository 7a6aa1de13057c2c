// Runs the server, restarted when one of its files changes, and Vite, which updates the web client in open pages. Arguments
// and the environment are the server's.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const vite = await createServer({ root: here('.'), configFile: here('vite.config.ts'), clearScreen: false })
await vite.listen()
const [address = ''] = vite.resolvedUrls?.local ?? []

// A process group of its own keeps Ctrl-C from the server, which would receive it three times and end without closing its
// database. With Vite's address as its own, the server's log and its mails link to the page that updates.
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
