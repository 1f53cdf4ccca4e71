import {
  isNone,
  options,
  snakeToKebab,
  terraformType,
  type Field,
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
    `In a manifest: ${code(kind.section)}. An address is ${code(`${kind.section}.NAME`)}. In Terraform: [${code(terraformType(kind.kind))}](../resources/${kind.kind}.md).`,
    section(
      'What can be done',
      table(
        ['', 'How, or why not'],
        capabilitiesOf(kind).map(({ word, whole }) => [`**${word}**`, whole]),
      ),
    ),
    section('Fields', fieldsTable(kind), left(kind)),
    section('Every entry also takes', optionsTable(kind)),
    section('Example', block('yaml', kind.docs.example)),
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
      path in kind.fields ? traits(kind, path, field).join(', ') : '',
      field.summary,
    ]),
  )

/** The meaning of omitted fields, for kinds that have optional fields. */
const left = (kind: KindDefinition): string =>
  Object.values(kind.fields).some(
    ({ need, part, change }) => need === 'never' && part === 'value' && change !== 'computed',
  )
    ? 'A field that is left out is neither compared nor sent.'
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
    field.change === 'computed' ? 'told by the service' : '',
    field.change === 'create-only' ? 'sent only by the creation' : '',
    field.change === 'elsewhere' ? 'compared, never changed' : '',
    changeable ? 'changeable' : '',
    field.lags ? 'an answer may lag behind' : '',
    field.type.is === 'secret' ? 'never recorded' : '',
    field.default === undefined ? '' : `${code(JSON.stringify(field.default))} where left out`,
  ].filter((trait) => trait !== '')
}

const optionsTable = (kind: KindDefinition): string =>
  table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(options(kind)).map(([name, field]) => [
      code(name),
      typeName(field.type),
      name === 'onRemove'
        ? 'What happens when the entry is taken out; see [Removal](#removal).'
        : field.summary,
    ]),
  )

const removal = (kind: KindDefinition): string =>
  [
    'What happens when an entry is taken out of the manifest, chosen with `onRemove`:',
    bullets(
      Object.entries(kind.release).map(([name, way], index) => {
        const untouched =
          way.way === 'send' && way.ifUntouched === true ? ' Sent only if nobody else changed it.' : ''
        return `${code(name)}${index === 0 ? ' (default)' : ''}: ${way.summary}${untouched}`
      }),
    ),
  ].join('\n\n')

const guardSentence = (guard: Guard): string => {
  if (guard.guard === 'nothing-beside')
    return `Writing ${code(guard.field)} needs ${code(guard.flag)} where ${guard.because}.`
  const caller = guard.caller === undefined ? '' : ', or of the key that is calling,'
  return `Taking ${code(guard.value)} out of ${code(guard.field)} of the last holder that was seen in one ${code(guard.scope)}${caller} needs ${code(guard.flag)}.`
}
