import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isNone, type Fields, type FieldType } from '@deploymgmt/provider/core'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { LONG_FILES } from './support/long-files.ts'

const root = join(import.meta.dirname, '..')

/** The sources in a folder, or a file that is a room of its own. */
const sourcesIn = (room: string): string[] =>
  room.endsWith('.ts')
    ? [room]
    : readdirSync(join(root, room), { recursive: true, withFileTypes: true })
        .filter(
          (entry) =>
            entry.isFile() &&
            entry.name.endsWith('.ts') &&
            !/\/(?:dist|node_modules|generated)(?:\/|$)/.test(entry.parentPath),
        )
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))

/** The folders that manifests and Terraform both build on. */
const BELOW_THE_DOORS = [
  'provider/api',
  'provider/core',
  'provider/data-sources',
  'provider/engine',
  'provider/errors',
  'provider/kinds',
  'provider/words',
]

const ENGINE_ROOMS = ['values', 'read', 'judge', 'plan', 'write', 'settle', 'adopt', 'run', 'drift'].map(
  (room) => `provider/engine/${room}`,
)
const BELOW_THE_ENGINE = ['provider/api', 'provider/core', 'provider/errors', 'provider/engine/reason.ts']

/** Resources are planned and carried out with plain values; `calls` decodes for them and encodes the results. */
const TERRAFORM_ROOMS = ['wire', 'codec', 'words', 'connection', 'resource', 'calls'].map(
  (room) => `provider/terraform/${room}`,
)
const BELOW_TERRAFORM = [
  ...BELOW_THE_DOORS,
  'provider/terraform/diagnostics.ts',
  'provider/terraform/value-checks.ts',
]

const COMMAND_ROOMS = [
  'line',
  'output',
  'service',
  'resolve',
  'run',
  'drift',
  'adopt',
  'state',
  'silence',
].map((room) => `reconciler/commands/${room}`)
const CONFIG_ROOMS = ['tree', 'evaluation', 'files', 'patches', 'lists', 'terraform-json', 'manifest'].map(
  (room) => `reconciler/config/${room}`,
)
const BELOW_THE_MANIFESTS = [...BELOW_THE_DOORS, 'reconciler/errors', 'reconciler/text']

const STATE_ROOMS = ['machine', 'contents', 'lock', 'stores'].map((room) => `reconciler/state/${room}`)
const BELOW_THE_STATE = [
  ...BELOW_THE_DOORS,
  'reconciler/disk',
  'reconciler/errors',
  'reconciler/text/display.ts',
  'reconciler/text/json.ts',
]

/** Report formats do not know each other; they only share a document and texts. */
const FORMAT_ROOMS = ['terminal', 'markdown', 'html', 'machines'].map((room) => `reconciler/render/${room}`)
const BELOW_THE_DOCUMENTS = [
  ...BELOW_THE_DOORS,
  'reconciler/apply',
  'reconciler/config/lists/accepted-drift.ts',
  'reconciler/config/evaluation/origin.ts',
  'reconciler/disk',
  'reconciler/errors',
  'reconciler/text',
  'reconciler/version.ts',
]
const BELOW_THE_FORMATS = [...BELOW_THE_DOCUMENTS, 'reconciler/render/document', 'reconciler/render/wording']

const BELOW_THE_COMMANDS = [
  ...BELOW_THE_DOORS,
  'reconciler/adopt',
  'reconciler/apply',
  'reconciler/conditions',
  'reconciler/config',
  ...CONFIG_ROOMS,
  'reconciler/disk',
  'reconciler/errors',
  'reconciler/io.ts',
  'reconciler/plan-file',
  'reconciler/render',
  'reconciler/render/document',
  'reconciler/render/shapes',
  'reconciler/render/terminal',
  'reconciler/render/wording',
  'reconciler/state',
  'reconciler/text',
  'reconciler/version.ts',
  'service',
]

/** From what all of it uses and what is stored, to what is answered and to what drives it from outside. */
const SERVICE_ROOMS = [
  'errors.ts',
  'ids.ts',
  'time.ts',
  'clock.ts',
  'nearest.ts',
  'target.ts',
  'start-error.ts',
  'model',
  'settings',
  'store',
  'context.ts',
  'found.ts',
  'present',
  'alerts',
  'auth',
  'http',
  'events',
  'people',
  'routes',
  'fixture',
  'control',
].map((room) => `service/${room}`)

/** All rooms from the bottom up: each one imports only from itself and from those below it. */
const BELOW: Record<string, readonly string[]> = {
  'provider/errors': [],
  'provider/core': ['provider/errors'],
  'provider/api': ['provider/core', 'provider/errors'],
  ...Object.fromEntries(
    ENGINE_ROOMS.map((room, floor) => [room, [...BELOW_THE_ENGINE, ...ENGINE_ROOMS.slice(0, floor)]]),
  ),
  'provider/engine': [...BELOW_THE_ENGINE, ...ENGINE_ROOMS],
  'provider/words': ['provider/api', 'provider/core', 'provider/engine', 'provider/errors'],
  'provider/kinds': ['provider/core', 'provider/vocabulary.ts'],
  'provider/data-sources': ['provider/core', 'provider/vocabulary.ts'],
  ...Object.fromEntries(
    TERRAFORM_ROOMS.map((room, floor) => [room, [...BELOW_TERRAFORM, ...TERRAFORM_ROOMS.slice(0, floor)]]),
  ),
  'provider/terraform': [...BELOW_THE_DOORS, ...TERRAFORM_ROOMS],
  'provider/terraform/plugin': [
    'provider/data-sources',
    'provider/kinds',
    'provider/terraform',
    'provider/terraform/wire',
  ],
  'reconciler/errors': ['provider/engine', 'provider/errors', 'reconciler/text'],
  'reconciler/text': ['provider/core', 'provider/engine'],
  'reconciler/conditions': BELOW_THE_DOORS,
  'reconciler/disk': ['provider/api', 'provider/core'],
  ...Object.fromEntries(
    CONFIG_ROOMS.map((room, floor) => [room, [...BELOW_THE_MANIFESTS, ...CONFIG_ROOMS.slice(0, floor)]]),
  ),
  'reconciler/config': [...BELOW_THE_MANIFESTS, ...CONFIG_ROOMS],
  ...Object.fromEntries(
    STATE_ROOMS.map((room, floor) => [room, [...BELOW_THE_STATE, ...STATE_ROOMS.slice(0, floor)]]),
  ),
  'reconciler/state': [...BELOW_THE_STATE, ...STATE_ROOMS],
  'reconciler/apply': [...BELOW_THE_DOORS, 'reconciler/errors', 'reconciler/state'],
  'reconciler/render/document': BELOW_THE_DOCUMENTS,
  'reconciler/render/shapes': [...BELOW_THE_DOCUMENTS, 'reconciler/render/document'],
  'reconciler/render/wording': [...BELOW_THE_DOCUMENTS, 'reconciler/render/document'],
  ...Object.fromEntries(FORMAT_ROOMS.map((room) => [room, BELOW_THE_FORMATS])),
  'reconciler/render': [...BELOW_THE_FORMATS, ...FORMAT_ROOMS],
  'reconciler/adopt': [...BELOW_THE_DOORS, 'reconciler/text'],
  'reconciler/plan-file': [
    ...BELOW_THE_DOORS,
    'reconciler/disk',
    'reconciler/errors',
    'reconciler/render/document',
    'reconciler/render/shapes',
    'reconciler/render/wording',
    'reconciler/text',
  ],
  ...Object.fromEntries(
    COMMAND_ROOMS.map((room, floor) => [room, [...BELOW_THE_COMMANDS, ...COMMAND_ROOMS.slice(0, floor)]]),
  ),
  'reconciler/commands': [...BELOW_THE_COMMANDS, ...COMMAND_ROOMS],
  reconciler: ['provider/api', 'reconciler/commands', ...COMMAND_ROOMS, 'reconciler/errors'],
  ...Object.fromEntries(SERVICE_ROOMS.map((room, floor) => [room, SERVICE_ROOMS.slice(0, floor)])),
  service: SERVICE_ROOMS,
  // What constructs share with the definitions is copied into generated/, so that users install neither client nor
  // engine.
  constructs: [],
}

const roomOf = (file: string): string =>
  Object.keys(BELOW)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0] ?? file

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )

const targetOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier))
  if (specifier.startsWith('@deploymgmt/')) return specifier.slice('@deploymgmt/'.length)
  return specifier === 'deploymgmt' ? 'reconciler' : undefined
}

describe.each(Object.keys(BELOW))('the room %s', (room) => {
  const files = sourcesIn(room).filter((file) => roomOf(file) === room)

  it('imports from itself and from rooms below it alone', () => {
    const allowed = [room, ...(BELOW[room] ?? [])]
    const wrong = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = targetOf(file, specifier)
        return target === undefined || allowed.includes(roomOf(target)) || allowed.includes(target)
          ? []
          : [`${file} imports ${specifier}`]
      }),
    )
    expect(files.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  it('has no file over 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 400)
    expect(long).toEqual([])
  })
})

it('no files import each other in a circle', () => {
  const files = ['provider', 'reconciler', 'constructs', 'service'].flatMap(sourcesIn)
  const below = new Map(
    files.map((file) => [file, importsOf(file).map((name) => targetOf(file, name) ?? '')]),
  )
  const done = new Set<string>()
  const circleFrom = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return []
    const found = (below.get(file) ?? []).map((each) => circleFrom(each, [...way, file]))
    done.add(file)
    return found.find((circle) => circle.length > 0) ?? []
  }
  expect(files.flatMap((file) => circleFrom(file, []))).toEqual([])
})

/** Names that several modules of a package export. A new one needs a meaning that a reader can tell from the others. */
const SHARED_NAMES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  provider: {
    'a word of the engine, and of the protocol of Terraform or its resources': [
      'UNKNOWN',
      'attributePath',
      'entryOf',
      'integer',
      'isWithin',
      'notAllowed',
      'string',
    ],
    'a plan, and the write that carries it out': ['changeOf', 'expired', 'patch'],
  },
  reconciler: {},
  service: {},
  constructs: {},
}

it.each(Object.keys(SHARED_NAMES))('what the modules of %s export has names of its own', (folder) => {
  const exported = sourcesIn(folder).flatMap((file) => [
    ...new Set(
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /^export (?:async )?(?:const|function\*?|class) (\w+)/gm,
        ),
      ].map(([, name = '']) => name),
    ),
  ])
  const shared = [...new Set(exported.filter((name, index) => exported.indexOf(name) < index))]
  expect(shared.toSorted()).toEqual(
    Object.values(SHARED_NAMES[folder] ?? {})
      .flat()
      .toSorted(),
  )
})

it('tests that are begun first are there', () => {
  expect(LONG_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('what Terraform sees is spelt by the surface and the codec alone', () => {
  const files = ['provider', 'reconciler', 'constructs', 'service'].flatMap(sourcesIn)
  const spelling = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('camelToSnake'))
  expect(spelling.toSorted()).toEqual([
    'provider/core/names.ts',
    'provider/core/surface.ts',
    'provider/terraform/codec/names.ts',
  ])
})

describe('the Terraform door', () => {
  it('has resources that know nothing of the wire', () => {
    const wired = sourcesIn('provider/terraform/resource').filter((file) =>
      importsOf(file).some((specifier) => specifier.includes('/wire/')),
    )
    expect(wired).toEqual([])
  })
})

it('the root folder of the command contains only its entry points', () => {
  const loose = sourcesIn('reconciler').filter((file) => roomOf(file) === 'reconciler')
  expect(loose.toSorted()).toEqual(
    ['cli.ts', 'io.ts', 'main.ts', 'version.ts'].map((name) => join('reconciler', name)),
  )
})

/** The code without its comments, which may name things of the API as examples. */
const codeOf = (file: string): string =>
  readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

const wordsOfType = (type: FieldType): readonly string[] => {
  if (type.is === 'set' || type.is === 'list') return wordsOfType(type.of)
  if (type.is === 'object') return wordsOfFields(type.fields)
  return type.is === 'enum' ? type.values : []
}
const wordsOfFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { wire, type }]) => [name, wire ?? name, ...wordsOfType(type)])

/** What the definitions say about the API: field names, event types and their prefixes, error codes, values. */
const apiWords = (): string[] => {
  const ofKinds = kinds.flatMap(({ fields, identity, witness, lifetime, establish: { create } }) => [
    ...Object.keys(fields),
    ...wordsOfFields(fields).filter((word) => !isPlain(word)),
    identity.keyInAnswer,
    ...(isNone(create) || isNone(create.lost)
      ? []
      : [
          ...('actor' in create.lost ? Object.values(create.lost.actor) : [create.lost.idInEvent]),
          ...create.lost.types.source.split('|'),
        ]),
    ...(isNone(lifetime) ? [] : lifetime.overCodes.source.split('|')),
    ...(isNone(witness)
      ? []
      : [witness.event, ...witness.places, ...witness.types, ...Object.keys(witness.fields)]),
  ])
  const ofDataSources = dataSources.flatMap(({ arguments: given, result, emptyOn = [] }) =>
    [...wordsOfFields(given), ...wordsOfFields(result), ...emptyOn].filter((word) => !isPlain(word)),
  )
  return [...new Set([...ofKinds, ...ofDataSources])]
}

/**
 * A single English word, such as `name` or `value`, only counts as a word of the API if a kind has a field of that
 * name.
 */
const isPlain = (word: string): boolean => /^[a-z]+$/.test(word)

/**
 * A word in capitals is a value, and is searched for in texts and patterns. A plain word only counts as a whole text or
 * a name, because it may mean something else elsewhere.
 */
const patternOf = (word: string): RegExp => {
  if (/^[A-Z]/.test(word)) return new RegExp(`['"\`/|^]${word}`)
  return new RegExp(isPlain(word) ? `['"\`]${word}['"\`]|\\.${word}\\b|\\b${word}\\??:` : `\\b${word}\\b`)
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'words of any program': ['id', 'type', 'description'],
  'reports name the event that they show, and who caused it, as the API does': [
    'eventId',
    'eventTypeName',
    'publicKey',
    'remoteAddress',
    'username',
  ],
  'the list of events is no kind’s own': ['orgId', 'minDate', 'maxDate', 'includeRaw'],
  'the protocol of Terraform has it too': ['typeName'],
}

/** What a file imports from the kinds, and from which file if it imports from a single one. */
const FROM_KINDS =
  /import (?:type )?([^'"]*?) from '[^']*\/kinds(?:\/(?!index)([\w-]+)\.ts)?(?:\/index\.ts)?'/g

/** Files that may import a definition by name. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  'what the tests know of a kind': kinds.map(
    ({ kind }) => `test/conformance/capabilities/specimens/${kind.replaceAll('_', '-')}.ts`,
  ),
  'tables of values that are right or wrong for a field of a kind': [
    'test/conformance/values.test.ts',
    'test/conformance/values/table.ts',
  ],
  'calls of the Terraform door for a kind': ['test/terraform/calls.test.ts'],
}

describe('shared code', () => {
  it('has no word of the API, but for those with a reason', () => {
    const allowed = Object.values(ALLOWED).flat()
    const words = apiWords()
    const files = [...sourcesIn('provider/engine'), ...sourcesIn('provider/terraform')]
    const said = new Set(
      files.flatMap((file) => {
        const code = codeOf(file)
        const isIn = (word: string) => patternOf(word).test(code)
        return words.filter(isIn).map((word) => (allowed.includes(word) ? word : `${file}: ${word}`))
      }),
    )
    expect([...said].toSorted()).toEqual(allowed.toSorted())
  })

  it('names no kind', () => {
    const names = kinds.flatMap(({ kind, section }) => [kind, section])
    const files = [
      ...sourcesIn('provider/core'),
      ...sourcesIn('provider/api'),
      ...sourcesIn('provider/engine'),
      ...sourcesIn('provider/terraform'),
      // The fixture of a rehearsal has its own words, some of which are also sections.
      ...sourcesIn('reconciler').filter((file) => !file.endsWith('commands/service/local.ts')),
    ]
    const naming = files.flatMap((file) => {
      const code = codeOf(file)
        // Commander's name for arguments that a user typed.
        .replaceAll("from: 'user'", '')
      return names
        .filter((name) => new RegExp(`['"\`]${name}['"\`]|\\.${name}\\b`).test(code))
        .map((name) => `${file} names ${name}`)
    })
    expect(naming).toEqual([])
  })

  it('imports no definition by its name', () => {
    const names = kinds.map(({ kind }) =>
      kind.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    )
    const files = ['provider', 'reconciler', 'constructs', 'scripts', 'bench', 'test']
      .flatMap(sourcesIn)
      .filter((file) => !file.startsWith('provider/kinds/'))
    const importing = files.filter((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(FROM_KINDS)].some(
        ([, words = '', name = '']) => name !== '' || words.split(/\W+/).some((word) => names.includes(word)),
      ),
    )
    expect(importing.toSorted()).toEqual(Object.values(BY_NAME).flat().toSorted())
  })

  it.each([
    ['kinds', kinds.map(({ kind }) => kind), ['index.ts', 'roles.ts']],
    ['data-sources', dataSources.map(({ name }) => name), ['index.ts']],
  ])('is reached by all %s: each is a file of its own, and no file is left out', (folder, names, others) => {
    const files = readdirSync(join(root, 'provider', folder)).filter((file) => file.endsWith('.ts'))
    const expected = names.map((name) => `${name.replaceAll('_', '-')}.ts`)
    expect(new Set(files)).toEqual(new Set([...expected, ...others]))
  })
})
