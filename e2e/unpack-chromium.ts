// Unpacks the browser of the registry's package into the folder for temporary files: a program of its own,
// because that folder is a property of the process.
import { inflate } from '@sparticuz/chromium'

const archives = new URL('../bin/', import.meta.resolve('@sparticuz/chromium'))
const names = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']
await Promise.all(names.map((name) => inflate(new URL(name, archives).pathname)))
