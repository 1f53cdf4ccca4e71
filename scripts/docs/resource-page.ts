import {
  isNone,
  options,
  snakeToKebab,
  terraformType,
  type Field,
  type FieldType,
  type Guard,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { capabilitiesOf } from './capabilities.ts'
import { block, bullets, code, notice, page, section, table } from './markdown.ts'
import { flattened, typeName, valueSets } from './types.ts'

/** The page of one kind. */
export const resourcePage = (kind: KindDefinition): string =>
  page(
    notice(`provider/kinds/${snakeToKebab(kind.kind)}.ts`),
    `# ${kind.title}`,
    kind.summary,
    `In a manifest, the section is ${code(kind.section)}, and an address is ${code(`${kind.section}.NAME`)}. In Terraform, the resource is [${code(terraformType(kind.kind))}](../resources/${kind.kind}.md).`,
    section('Example', block('yaml', kind.docs.example)),
    section(
      'What can be done',
      table(
        ['', 'How, or why not'],
        capabilitiesOf(kind).map(({ word, whole }) => [`**${word}**`, whole]),
      ),
    ),
    section('Fields', fieldsTable(kind), left(kind)),
    section('Every entry also takes', optionsTable(kind)),
    section('Removal', removal(kind)),
    section('What apply refuses without a flag', bullets(kind.guards.map((guard) => guardSentence(guard)))),
    section('Notes', bullets(kind.docs.notes)),
    valueSets(kind.fields),
  )

const fieldsTable = (kind: KindDefinition): string =>
  table(
    ['Field', 'Type', 'Required', 'Traits', 'Meaning'],
    flattened(kind.fields).map(({ path, field }) => [
      code(path),
      typeName(field.type),
      required(kind, path, field),
      (path in kind.fields ? traits(kind, path, field) : defaultOf(field)).join(', '),
      field.summary,
    ]),
  )

/** The meaning of omitted fields, for kinds that have optional fields. */
const left = (kind: KindDefinition): string =>
  Object.values(kind.fields).some(
    ({ need, part, change }) => need === 'never' && part === 'value' && change !== 'computed',
  )
    ? 'A field that you omit is neither compared nor sent.'
    : ''

const required = (kind: KindDefinition, path: string, field: Field): string => {
  if (field.change === 'computed') return 'never'
  if (kind.identity.scope.includes(path)) return 'yes, here or in `defaults`'
  const { instead } = kind.expand
  if (instead?.of.includes(path) === true) return `yes, or ${code(instead.field)}`
  return { always: 'yes', 'to-create': 'to create', never: 'no' }[field.need]
}

const traits = (kind: KindDefinition, name: string, field: Field): string[] => {
  const changeable = !isNone(kind.write) && kind.write.fields.includes(name)
  return [
    field.part === 'name' ? 'identity' : '',
    field.part === 'local' ? 'not sent' : '',
    field.change === 'computed' ? 'set by the service' : '',
    field.change === 'create-only' ? 'sent only at creation' : '',
    field.change === 'elsewhere' ? 'compared, never changed' : '',
    changeable ? 'changeable' : '',
    field.lags ? 'an answer may not show a change yet' : '',
    field.type.is === 'secret' ? 'never recorded' : '',
    ...defaultOf(field),
  ].filter((trait) => trait !== '')
}

const defaultOf = (field: Field): string[] =>
  field.default === undefined ? [] : [`defaults to ${code(JSON.stringify(field.default))}`]

const optionsTable = (kind: KindDefinition): string =>
  table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(options(kind))
      .filter(([, { type }]) => !isOfNothing(type))
      .map(([name, field]) => [
        code(name),
        typeName(field.type),
        name === 'onRemove'
          ? 'What happens when the entry is removed from the manifest; see [Removal](#removal).'
          : field.summary,
      ]),
  )

/** A set that can only be empty: a kind without comparable fields has nothing that `ignoreChanges` could name. */
const isOfNothing = (type: FieldType): boolean =>
  type.is === 'set' && type.of.is === 'enum' && type.of.values.length === 0

const removal = (kind: KindDefinition): string =>
  [
    '`onRemove` sets what happens when an entry is removed from the manifest:',
    bullets(
      Object.entries(kind.release).map(
        ([name, { summary }], index) => `${code(name)}${index === 0 ? ' (default)' : ''}: ${summary}`,
      ),
    ),
  ].join('\n\n')

const guardSentence = (guard: Guard): string => {
  if (guard.guard === 'nothing-beside')
    return `Writing ${code(guard.field)} needs ${code(guard.flag)} if ${guard.because}.`
  const caller = guard.caller === undefined ? '' : ', or of the key that is calling,'
  return `Removing ${code(guard.value)} from the ${code(guard.field)} of the last holder that was seen in an ${code(guard.scope)}${caller} needs ${code(guard.flag)}.`
}
