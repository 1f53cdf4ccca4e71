import {
  allowWords,
  asSentence,
  camelToSnake,
  configurationSpelling,
  fillSentence,
  identityBlock,
  importFormat,
  importForms,
  isNone,
  listBlock,
  resourceBlock,
  snakeToKebab,
  type Attribute,
  type Block,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { block, bullets, code, page, section, spoken } from './markdown.ts'
import { exampleBlock } from './terraform.ts'
import { frontMatter, schemaSections } from './terraform-schema.ts'
import { valueSets } from './types.ts'

/** The page of a kind's resource, in the format of a registry. */
export const terraformResourcePage = (kind: KindDefinition): string => {
  const own = resourceBlock(kind)
  const { type, summary } = own
  return page(
    frontMatter(`provider/kinds/${snakeToKebab(kind.kind)}.ts`, {
      title: `${type} Resource - deploymgmt`,
      description: summary,
    }),
    `# ${type} (Resource)`,
    summary,
    `What the API can do with it, and how it is declared without Terraform: [${kind.title}](../kinds/${kind.kind}.md).`,
    section('Example Usage', exampleBlock('terraform', `resources/${kind.kind}/resource.tf`)),
    schemaSections(own, needOf),
    section(
      'Import',
      `By ${code(importFormat(kind))}; ${importForms(kind, code)}. ${imported(kind)}`,
      exampleBlock('sh', `resources/${kind.kind}/import.sh`),
      `From Terraform 1.12 on, an \`import\` block takes ${sequence(namesOf(identityBlock(kind)))} as its \`identity\` as well.`,
      block('terraform', identityExample(kind)),
    ),
    ...queried(kind),
    section('How it behaves', bullets(behaviour(kind))),
    valueSets(kind.fields),
  )
}

const namesOf = ({ attributes }: Block): string[] => attributes.map(({ name }) => code(name))
const sequence = (names: readonly string[]): string => names.join(' and ')

/** An import block, with the parts of the import id in place of values. */
const identityExample = (kind: KindDefinition): string => {
  const { type, attributes } = identityBlock(kind)
  const width = Math.max(...attributes.map(({ name }) => name.length))
  const lines = attributes.map(({ name }) => `    ${name.padEnd(width)} = "${name.toUpperCase()}"`)
  return `import {\n  to = ${type}.example\n  identity = {\n${lines.join('\n')}\n  }\n}\n`
}

/** How to find existing things, if an endpoint lists them. */
const queried = (kind: KindDefinition): string[] => {
  const listed = listBlock(kind)
  if (listed === undefined) return []
  const { type, attributes } = listed
  const lines = attributes.map(({ name }) => `    ${name} = "${name.toUpperCase()}"`)
  return section(
    'Query',
    'From Terraform 1.14 on, `terraform query` lists what is there in one place, by a `list` block in a file that ends in `.tfquery.hcl`; `-generate-config-out=FILE` writes resources and `import` blocks for it.',
    block(
      'terraform',
      `list "${type}" "all" {\n  provider = deploymgmt\n\n  config {\n${lines.join('\n')}\n  }\n}\n`,
    ),
  )
}

/** What the schema itself cannot express. */
const needOf = ({ field, use }: Attribute): string => {
  if (field?.default !== undefined) return `${code(JSON.stringify(field.default))} where left out.`
  return use === 'optional' && field?.need === 'to-create' ? 'Needed to create it.' : ''
}

const imported = ({ observe }: KindDefinition): string => {
  if (observe.how === 'everything')
    return 'It brings the live values, and `terraform plan -generate-config-out=FILE` writes them as a configuration.'
  const hidden =
    'What no endpoint shows comes in as null, with the evidence `unknown` and a warning only at the import; the next apply writes what is configured, in place.'
  if (observe.how === 'nothing')
    return `${hidden} Until a write has shown that it is there, each plan has a change of it, also under \`ignore_changes\`.`
  const parts = Object.keys(observe.parts).map((name) => code(camelToSnake(name)))
  return `It reads ${parts.join(', ')}, and fails where that says that it is not there. ${hidden}`
}

const behaviour = (kind: KindDefinition): string[] => [
  ...creating(kind),
  ...missing(kind),
  ...changing(kind),
  ...observing(kind),
  ...overwriting(kind),
  ...several(kind),
  'No two resources may stand for one thing and declare different values for it: they would undo each other’s changes. Where one configuration of the provider plans both, that is an error at one of the two (`DM-SELECTOR-CONFLICT`), with what names the other. What `ignore_changes` keeps counts as declared. In other states, and with other aliases, no plan notices it: each of the two shows what the other has written as a change from outside, by the key that both have.',
  ...destroying(kind),
  ...replacing(kind),
  ...repeating(kind),
  ...lost(kind),
]

/** A sentence of the definition in the spelling of configurations. */
const inTerraform = ({ fields }: Pick<KindDefinition, 'fields'>, sentence: string): string => {
  const gaps = Object.fromEntries(Object.keys(fields).map((name) => [name, `{${camelToSnake(name)}}`]))
  return spoken(fillSentence(sentence, gaps, configurationSpelling))
}

const creating = ({ establish, identity, fields }: KindDefinition): string[] => {
  const { adopt, create } = establish
  const requires = isNone(adopt) ? undefined : adopt.requires
  const key = code(camelToSnake(identity.key))
  return [
    ...(isNone(create)
      ? ['To create the resource is to take over what exists: what differs is sent, and nothing is made.']
      : []),
    ...(!isNone(create) && !isNone(adopt) && identity.declaredAs === identity.key
      ? [`Without ${key} it is created; with it, what exists is taken over.`]
      : []),
    ...(requires === undefined
      ? []
      : [`Taking over needs ${code(`${camelToSnake(requires.field)} = true`)}: ${requires.because}.`]),
    ...(!isNone(create) && create.conflict !== undefined
      ? [`After a 409: ${inTerraform({ fields }, create.conflict)}`]
      : []),
  ]
}

const missing = ({ establish, observe, fields }: KindDefinition): string[] => {
  const { create } = establish
  if (!isNone(create) || observe.how === 'nothing') return []
  const atCreation = `What is not there is an error at its attribute when the resource is created: ${create.none}. ${inTerraform({ fields }, create.byHand ?? '')}`
  const later =
    'What is not there later stays in the state with `present = false`, and is a change until it is back: `present = false -> true`, and exit code 2 under `-detailed-exitcode`. An apply goes on with the rest of the workspace, and fails here with what to do by hand.'
  if (observe.how === 'everything') return [atCreation, later]
  const parts = Object.keys(observe.parts).map((name) => code(camelToSnake(name)))
  return [
    atCreation,
    `${later} Its ${parts.join(', ')} at the service tells, which each plan reads whether it is configured or not, where the calling key may.`,
  ]
}

const changing = ({ fields, identity, lifetime, expand }: KindDefinition): string[] => {
  const named = (test: (name: string) => boolean) =>
    Object.keys(fields)
      .filter(test)
      .map((name) => code(camelToSnake(name)))
      .join(', ')
  const frozen = named((name) => fields[name]?.change === 'create-only' && fields[name].type.is !== 'secret')
  const secret = named((name) => fields[name]?.type.is === 'secret')
  const elsewhere = named((name) => fields[name]?.change === 'elsewhere')
  const scope = identity.scope.map((name) => code(camelToSnake(name))).join(', ')
  const { instead } = expand
  return [
    ...(frozen === ''
      ? []
      : [
          `${frozen}: only the creation takes them. A change is an error at the attribute, and never a replacement.`,
        ]),
    ...(secret === ''
      ? []
      : [
          `${secret} needs Terraform 1.11 or later. It is sent by the creation, and is in no plan and no state.`,
        ]),
    ...(elsewhere === ''
      ? []
      : [
          `${elsewhere}: compared and never sent. A difference is an error of the plan: it is for a person. Taken out of the configuration, it is compared no more, and the plan says so.`,
        ]),
    ...(scope === '' ? [] : [`Another value of ${scope} replaces the resource.`]),
    ...(isNone(lifetime)
      ? []
      : [
          'With `create_before_destroy`, the new one comes first and the old one is ended then.',
          'One that has `ended` is left alone: a change of it sends nothing and warns, and dates in the future make a new one, with a new `id`.',
          'An instant may be spelt in any way: `2026-12-05T02:00:00Z` and `2026-12-05T03:00:00+01:00` are one. Another spelling is no change, and the state keeps the one it has.',
        ]),
    ...(instead === undefined
      ? []
      : [
          `There is no ${code(instead.field)} here, for a plan must not look at the clock: use \`for_each\` over dates.`,
        ]),
  ]
}

const observing = ({ observe, witness }: KindDefinition): string[] => {
  if (observe.how === 'everything')
    return isNone(witness)
      ? []
      : [
          'A value that was changed outside is shown as a change, with a warning that names who did it where events tell.',
        ]
  return [
    `${asSentence(observe.reason)} The attribute \`evidence\` says how well the values are known: \`recorded\` as last applied, \`suspect\` where an event tells of a change since, \`unknown\` where nothing was ever written.`,
    ...(isNone(witness)
      ? []
      : [
          'Where an event tells of a change from outside, what it can have changed is null in the state: the plan shows an update that asserts the configuration, and a warning names who did it. Events are looked for in the provider’s `org_id`.',
          'Under `ignore_changes` such a value stays null and nothing asserts it; to assert it, apply once without.',
        ]),
  ]
}

const several = ({ expand }: KindDefinition): string[] => {
  const { members } = expand
  if (members === undefined) return []
  const name = code(camelToSnake(members.map))
  const value = code(camelToSnake(members.field))
  const by = code(camelToSnake(members.by))
  return [
    members.are === 'deleted'
      ? `With ${by}, ${name} lists what the next apply deletes, which ${code('allow = ["delete"]')} has to allow. An apply deletes nothing that its plan did not list. What no call can delete is not listed: each plan warns of it, with what to do by hand.`
      : `With ${by}, ${name} shows by id what the resource stands for, what it comes to match, and what it no longer matches: that gets its \`on_remove\`.`,
    `${name} is known when a change is planned; the plan of a creation, or of another ${by}, cannot tell it yet.`,
    ...(members.are === 'deleted'
      ? []
      : [
          `In the state, ${value} is what all of them have at the service, and null where they differ. Under \`ignore_changes = [${camelToSnake(members.field)}]\` that stays, and nothing is written, not even to what comes to match (to which \`deploymgmt\` writes the declared value once). An edited selector takes the value in the state to what it then matches, if there is one.`,
          `Terraform drops a misspelt name within ${by} without a word, and the selector is wider than it reads: look at the plan of its first change.`,
        ]),
  ]
}

/** How an apply treats acts of others, and things that are no longer declared. */
const overwriting = (kind: KindDefinition): string[] => {
  const { fields, write, absence } = kind
  const optional = Object.keys(fields).filter(
    (name) => fields[name]?.need === 'never' && !isNone(write) && write.fields.includes(name),
  )
  const names = optional.map((name) => code(camelToSnake(name))).join(', ')
  return [
    ...(isNone(write) && isNone(absence)
      ? []
      : [
          `An apply refuses (\`DM-PLAN-STALE\`) to overwrite what someone else changed after its plan, as far as events or a reading tell, and names who and when. Plan again, or apply with ${code('allow = ["overwrite"]')}.`,
        ]),
    ...(allowWords(kind).length < 2
      ? []
      : [
          'What else `allow` has to list is an error of the plan until it does, as far as is known then. A destroy reads `allow` from the state, so that it has to be applied before.',
        ]),
    ...(names === ''
      ? []
      : [
          `${names} taken out of the configuration: that is no change. Nothing is sent, the service keeps it, and so does the state until somebody else is seen to change it.`,
        ]),
  ]
}

/** A replacement is a destroy and a creation, which Terraform does not connect. */
const replacing = ({ release, identity, establish }: KindDefinition): string[] => {
  const ways = Object.entries(release).filter(([, { way }]) => way === 'send')
  if (ways.length === 0) return []
  const { create } = establish
  if (!isNone(create) && create.once === true)
    return [
      'It is never replaced, for nothing makes it again: a plan that would, by `-replace` or `replace_triggered_by`, is refused. So is one that destroys it here and creates or adopts it in another resource: rename with a `moved` block. Where its id is known only after the apply, the plan says to apply first what tells it. Where it is tainted, the apply refuses before anything is sent, or with `create_before_destroy` leaves the roles as they are: use `terraform untaint`.',
    ]
  const restoring = ways.filter(([, way]) => way.way === 'send' && way.ifUntouched === true)
  const named = restoring.map(([name]) => code(name)).join(', ')
  return [
    ...(named === ''
      ? [
          'Where a tainted resource is replaced, Terraform hands the destroy nothing of what was remembered: it works from the attributes.',
        ]
      : [
          `Where a tainted resource is replaced, Terraform hands the destroy nothing of what was remembered: ${named} is refused then; use \`terraform untaint\`.`,
          'Where a creation fails after something was written, Terraform taints it. It is in the state with what it was before: use `terraform untaint`, and apply what is left.',
        ]),
    ...(identity.assigned === 'by-service'
      ? []
      : [
          `With \`create_before_destroy\`, or where another resource takes the thing over in the same apply, what it has just written is not undone: \`on_remove\` is not carried out, with a warning.${named === '' ? '' : ` What ${named} goes back to later is then what the new resource found.`} Use a \`moved\` block to rename a resource.`,
        ]),
  ]
}

const destroying = ({ absence, release }: KindDefinition): string[] => [
  `A destroy does what \`on_remove\` says, and its plan warns of it. So does the plan of another value that replaces the resource; that of \`-replace\`, of \`replace_triggered_by\` and of a tainted resource cannot, because Terraform shows no warning there.${isNone(absence) ? ` ${asSentence(absence.none)}` : ''}`,
  ...(Object.keys(release).length > 1
    ? [
        '`on_remove` is read from the state: a change of it has to be applied before the destroy.',
        'Where another resource of the same provider configuration goes on standing for the thing, a destroy that would send something to it is refused (`DM-SELECTOR-CONFLICT`): forget the resource with a `removed` block that has `destroy = false`.',
      ]
    : []),
]

const repeating = ({ write, absence, observe }: KindDefinition): string[] =>
  isNone(write) && isNone(absence)
    ? []
    : [
        `A ${isNone(write) ? 'deletion' : 'change'} whose answer is lost is settled within the apply: ${observe.how === 'everything' ? 'a reading' : 'the absence of other events'} says that it may be sent again, three times in all. Then the apply fails, and the state has ${observe.how === 'everything' ? 'what is live' : 'null for what is not known'}.`,
      ]

const lost = ({ establish, identity }: KindDefinition): string[] => {
  const { create } = establish
  const key = code(camelToSnake(identity.key))
  if (isNone(create)) return []
  const found = isNone(create.lost)
    ? `${asSentence(create.lost.none)} Adopt it by its id.`
    : create.lost.by === 'name'
      ? `${asSentence(create.lost.because)} Where only the answer was lost and the event of its creation is there, the same apply puts it into the state, with ${key} null and a warning: nothing of it can be changed until an event tells its id, which the next reading puts into the state, or ${key} does in the configuration, which is no replacement. Where no event tells, the apply fails and nothing is in the state, so that nothing is tainted; if it is there, the next apply meets a 409, and it is adopted by its id.`
      : `The event of its creation names its ${code(camelToSnake(create.lost.idInEvent))}. Where only the answer was lost, the same apply asks what such an event names, by a change of one attribute to what is configured, and takes it over where the answer is what was to be created. Where no event tells, or several could be the one, the apply fails and names them, and \`terraform import\` takes one over.`
  return [
    `Terraform keeps no journal: where it is killed, or the answer is lost, after the creation was sent, what was made may be in no state. Look before the next apply, which would create another one. ${found}`,
  ]
}
