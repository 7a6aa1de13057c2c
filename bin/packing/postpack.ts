// Runs after `npm pack` and `npm publish` of a package: restores the manifest, and removes the files that prepack added.
import { renameSync, rmSync } from 'node:fs'

renameSync('package.source.json', 'package.json')
rmSync('LICENSE')
rmSync('dist', { recursive: true })
