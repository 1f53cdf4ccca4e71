import {
  allowWords,
  asSentence,
  camelToSnake,
  configurationSpelling,
  fillSentence,
  isNone,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { bullets, code, spoken } from './markdown.ts'
import { aNoun, noun } from './noun.ts'

/** How a kind's resource behaves, by what a reader does with it; a group without a sentence is left out. */
export const behaviour = (kind: KindDefinition): string[] => [
  '## How it behaves',
  ...[
    group('Creating', [...creating(kind), ...missingAtFirst(kind)]),
    group('Reading and drift', [...observing(kind), ...missingLater(kind)]),
    group('Updating', [...changing(kind), ...overwriting(kind)]),
    ...several(kind),
    group('Destroying', destroying(kind)),
    group('Replacing', replacing(kind)),
    group(`Two resources for one ${noun(kind)}`, [
      `Two resources must not declare different values for the same ${noun(kind)}, because they would undo each other’s changes. If one provider configuration plans both, one of the two gets an error (\`DM-SELECTOR-CONFLICT\`) that identifies the other. Values that \`ignore_changes\` keeps count as declared.`,
      'No plan notices two resources in different states or under different provider aliases. Each of them then reports the other’s writes as changes from outside, made by the API key that both use.',
    ]),
    group('If an answer is lost', [...repeating(kind), ...lost(kind)]),
  ].flat(),
]

const group = (heading: string, sentences: readonly string[]): string[] =>
  sentences.length === 0 ? [] : [`### ${heading}`, bullets(sentences)]

/** Attributes in a sentence. */
const listed = (names: readonly string[], word: 'and' | 'or'): string => {
  const inCode = names.map((name) => code(camelToSnake(name)))
  const last = inCode.slice(-1)
  return inCode.length < 2 ? last.join('') : `${inCode.slice(0, -1).join(', ')} ${word} ${last.join('')}`
}

/** A sentence of the definition in the spelling of configurations. */
const inTerraform = ({ fields }: KindDefinition, sentence: string): string => {
  const gaps = Object.fromEntries(Object.keys(fields).map((name) => [name, `{${camelToSnake(name)}}`]))
  return spoken(fillSentence(sentence, gaps, configurationSpelling))
}

const creating = (kind: KindDefinition): string[] => {
  const { establish, identity, expand } = kind
  const { adopt, create } = establish
  const requires = isNone(adopt) ? undefined : adopt.requires
  const key = code(camelToSnake(identity.key))
  const { instead } = expand
  return [
    ...(isNone(create)
      ? [
          `Creating the resource adopts the existing ${noun(kind)}. The provider sends what differs from the configuration, and creates nothing.`,
        ]
      : []),
    ...(!isNone(create) && !isNone(adopt) && identity.declaredAs === identity.key
      ? [
          `Without ${key}, the provider creates the ${noun(kind)}. With ${key}, it adopts the existing ${noun(kind)}.`,
        ]
      : []),
    ...(requires === undefined
      ? []
      : [
          `Adopting requires ${code(`${camelToSnake(requires.field)} = true`)}, because ${requires.because}.`,
        ]),
    ...(!isNone(create) && create.conflict !== undefined
      ? [`If the service answers the creation with 409: ${inTerraform(kind, create.conflict)}`]
      : []),
    ...(instead === undefined
      ? []
      : [
          `There is no ${code(instead.field)} attribute, because a plan must not depend on the clock. Use \`for_each\` over dates instead.`,
        ]),
  ]
}

const missingAtFirst = (kind: KindDefinition): string[] => {
  const { create } = kind.establish
  return isNone(create) && kind.observe.how !== 'nothing'
    ? [
        `If the ${noun(kind)} has to exist and does not, creating the resource fails with an error at the attribute that names it, because ${create.none}. ${inTerraform(kind, create.byHand ?? '')}`,
      ]
    : []
}

const missingLater = (kind: KindDefinition): string[] => {
  const { establish, observe } = kind
  if (!isNone(establish.create) || observe.how === 'nothing') return []
  return [
    ...(observe.how === 'everything'
      ? []
      : [
          `The provider reads ${listed(Object.keys(observe.parts), 'and')} to find out whether the ${noun(kind)} still exists. Each plan reads it, whether it is configured or not, if the provider’s API key is allowed to.`,
        ]),
    `If ${aNoun(kind)} that has to exist is missing later, the resource stays in the state with \`present = false\`. Until it is back, each plan shows the change \`present = false -> true\`, and \`terraform plan -detailed-exitcode\` ends with exit code 2. An apply carries out the rest of the workspace, fails for this resource, and says what to do by hand.`,
  ]
}

const changing = (kind: KindDefinition): string[] => {
  const { fields, lifetime, write } = kind
  const those = (test: (name: string) => boolean) => Object.keys(fields).filter(test)
  const frozen = those((name) => fields[name]?.change === 'create-only' && fields[name].type.is !== 'secret')
  const secret = those((name) => fields[name]?.type.is === 'secret')
  const elsewhere = those((name) => fields[name]?.change === 'elsewhere')
  const lagging = those((name) => fields[name]?.lags === true)
  const optional = those(
    (name) => fields[name]?.need === 'never' && !isNone(write) && write.fields.includes(name),
  )
  return [
    ...(frozen.length === 0
      ? []
      : [
          `${listed(frozen, 'and')} can only be set at creation. Changing one of them is an error at the attribute; it never replaces the resource.`,
        ]),
    ...(secret.length === 0
      ? []
      : [
          `${listed(secret, 'and')} needs Terraform 1.11 or later. It is sent only when the ${noun(kind)} is created, and is never stored in a plan or in the state.`,
        ]),
    ...(lagging.length === 0
      ? []
      : [
          `If you remove an element of ${listed(lagging, 'and')} before the person has accepted the invitation to it, that invitation may still stand, and no answer shows whether it does. The plan and the apply warn of it.`,
        ]),
    ...(elsewhere.length === 0
      ? []
      : [
          `${listed(elsewhere, 'and')} is compared with the service, and never sent. If it differs, the plan fails, because a person has to resolve the difference. If you remove it from the configuration, it is no longer compared, and the plan says so.`,
        ]),
    ...lagging.map(
      (name) =>
        `If the service keeps what you removed from ${code(camelToSnake(name))}, the apply fails, and the state still has it. Remove it at the service, then apply again. Until it is gone, each apply sends ${code(camelToSnake(name))} again, because only an answer shows whether it is. (The \`deploymgmt\` command, by contrast, sends nothing more, and has \`state accept\`.)`,
    ),
    ...(optional.length === 0
      ? []
      : [
          `Removing ${listed(optional, 'or')} from the configuration is not a change. Nothing is sent, and the service keeps the value. The state keeps it too, until somebody else is seen to change it.`,
        ]),
    ...(isNone(lifetime)
      ? []
      : [
          `${asSentence(aNoun(kind)).slice(0, -1)} that has \`ended\` is left alone. A change to it sends nothing and gives a warning. New dates in the future create a new one, with a new \`id\`.`,
          'You can write a timestamp in any notation: `2026-12-05T02:00:00Z` and `2026-12-05T03:00:00+01:00` are the same instant. Changing only the notation is not a change, and the state keeps the notation that it has.',
        ]),
  ]
}

const observing = (kind: KindDefinition): string[] => {
  const { observe, witness } = kind
  if (observe.how === 'everything')
    return isNone(witness)
      ? []
      : [
          'A value that was changed from outside appears in the plan as a change. A warning names who changed it, if events show that.',
        ]
  return [
    `${asSentence(observe.reason)} The attribute \`evidence\` therefore says how well the values are known: \`recorded\` (as last applied), \`suspect\` (an event reports a change since then) or \`unknown\` (nothing was ever written).`,
    ...(isNone(witness)
      ? []
      : [
          'If an event reports a change from outside, each value that it may have changed becomes null in the state. The plan then shows an update that writes the configured values. A warning names who made the change, and the new values that an event contains, in every plan that writes the values; if nothing declares them, until an apply (also one with `-refresh-only`) has stored it in the state. The provider reads the events of the organization that its `org_id` names.',
          'If `ignore_changes` covers such a value, it stays null, and no apply writes it. To write it again, apply once without `ignore_changes`.',
          ...learning(kind),
        ]),
  ]
}

/** Terraform puts the old value into the configuration that the provider gets, so that both look alike. */
const learning = ({ establish: { adopt }, guards }: KindDefinition): string[] => {
  const [first] = isNone(adopt) ? [] : adopt.learnBy
  const [guard] = guards
  if (first === undefined || guard === undefined) return []
  const [sent, guarded] = [first, guard.field].map((name) => code(camelToSnake(name)))
  return [
    `Before it writes ${guarded} that may have been changed outside, the provider sends ${sent} as the state has it, because the answer shows ${guarded}. It does so even if \`ignore_changes\` covers ${sent}, since Terraform does not tell a provider what that covers. If no event reported a change of ${sent}, it is undone.`,
  ]
}

const several = (kind: KindDefinition): string[] => {
  const { members } = kind.expand
  if (members === undefined) return []
  const name = code(camelToSnake(members.map))
  const value = code(camelToSnake(members.field))
  const by = code(camelToSnake(members.by))
  const known = `${name} is known in the plan of an update. In the plan of a creation, or of a changed ${by}, it is not known yet.`
  if (members.are === 'deleted')
    return group(`With ${by}`, [
      `${name} lists what the next apply deletes. The configuration has to allow this with ${code('allow = ["delete"]')}. An apply deletes nothing that appeared after its plan; only the apply of a creation deletes whatever it then finds.`,
      `What no API call can delete is not in ${name}. Each plan warns about it, and says what to do by hand.`,
      known,
    ])
  return group(`With ${by}`, [
    `${name} has one element for each ${noun(kind)} that the resource manages, by id. A plan shows in it which ones the selector newly matches, and which ones it no longer matches. For those that no longer match, the apply does what \`on_remove\` says.`,
    known,
    `In the state, ${value} is the value that all matched ${noun(kind)}s have at the service, or null if they differ.`,
    `With \`ignore_changes = [${camelToSnake(members.field)}]\`, the state keeps that value and nothing is written, not even to ${noun(kind)}s that newly match. (The \`deploymgmt\` command, by contrast, writes the declared value to these once.) If you edit the selector, the value in the state, if there is one, is written to what the selector then matches.`,
    `Terraform silently drops a misspelt attribute name inside ${by}, and the selector then matches more than it seems to. Check the plan in which it first changes something.`,
  ])
}

/** How an apply treats acts of others, and what it has to be allowed. */
const overwriting = (kind: KindDefinition): string[] => [
  ...(isNone(kind.write) && isNone(kind.absence)
    ? []
    : [
        `If somebody else made a change after the plan, the apply refuses to overwrite it (\`DM-PLAN-STALE\`), and names what was changed, by whom and when, as far as events or a new read show it. With \`-refresh=false\`, this also concerns changes from before the plan. Plan again, or apply with ${code('allow = ["overwrite"]')}.`,
      ]),
  ...(allowWords(kind).length < 2
    ? []
    : [
        'If a change needs another word in `allow`, the plan fails until you add that word, as far as the plan can know it. A destroy reads `allow` from the state, so apply a new `allow` before the destroy.',
      ]),
]

const destroying = ({ absence, release }: KindDefinition): string[] => [
  `${isNone(absence) ? `${asSentence(absence.none)} ` : ''}A destroy does what \`on_remove\` says, and its plan warns about it.`,
  'If a changed attribute replaces the resource, the plan has the same warning. If `-replace`, `replace_triggered_by` or a taint replaces it, there is no warning, because Terraform shows none there.',
  ...Object.entries(release).flatMap(([name, way]) =>
    way.way === 'send' && way.ifUntouched === true
      ? [
          `A value that the provider did not write is left as it is, also under ${code(`on_remove = "${name}"`)}: for example if somebody else wrote it, and \`ignore_changes\` kept it or you changed the configuration to it. A warning of the apply names each one that is left because of that, or because somebody has changed it since.`,
        ]
      : [],
  ),
  ...(Object.keys(release).length > 1
    ? [
        'The provider reads `on_remove` from the state, so apply a change of `on_remove` before the destroy.',
        'If another resource of the same provider configuration still manages the same object, a destroy that would send a request for it is refused (`DM-SELECTOR-CONFLICT`). Use a `removed` block with `destroy = false` to remove the resource from the state instead.',
      ]
    : []),
]

/** A replacement is a destroy and a creation, which Terraform does not connect. */
const replacing = (kind: KindDefinition): string[] => {
  const { establish, fields, lifetime } = kind
  const naming = listed(
    Object.keys(fields).filter((name) => fields[name]?.part === 'name' && fields[name].change !== 'computed'),
    'or',
  )
  if (!isNone(establish.create) && establish.create.once === true)
    return [
      `Setting ${naming} to the id of another ${noun(kind)} replaces the resource.`,
      ...neverReplaced(kind),
    ]
  return [
    `Changing ${naming} replaces the resource.`,
    ...(isNone(lifetime)
      ? []
      : [
          `With \`create_before_destroy\`, Terraform creates the new ${noun(kind)} first, and the old one is ended after that.`,
        ]),
    ...releasing(kind),
  ]
}

const neverReplaced = (kind: KindDefinition): string[] => [
  `${asSentence(aNoun(kind)).slice(0, -1)} is never replaced with itself, because nothing can create it again. A plan that would do so, by \`-replace\` or \`replace_triggered_by\`, is refused.`,
  `A plan that destroys ${aNoun(kind)} in one resource and creates or adopts the same ${noun(kind)} in another one is refused too. To rename a resource, use a \`moved\` block.`,
  `A replacement is also refused if its ${code(camelToSnake(kind.identity.key))} is known only after the apply. The error says to apply first what the id depends on.`,
  'If the resource is tainted, the plan of a user that was created warns, and the apply refuses before it sends anything. If the user was adopted, the plan does not warn, and with `create_before_destroy` the apply leaves the roles as they are. In all cases, use `terraform untaint`.',
]

/** What a replacement means for what `on_remove` sends. */
const releasing = ({ release, identity }: KindDefinition): string[] => {
  const ways = Object.entries(release).filter(([, { way }]) => way === 'send')
  if (ways.length === 0) return []
  const restoring = ways.filter(([, way]) => way.way === 'send' && way.ifUntouched === true)
  const named = restoring.map(([name]) => code(name)).join(', ')
  const tainted =
    'When Terraform replaces a tainted resource, it passes only the attributes to the destroy, and nothing else that the provider has remembered.'
  return [
    ...(named === ''
      ? [`${tainted} The destroy then works from the attributes.`]
      : [
          `${tainted} A destroy with ${named} is refused then. Use \`terraform untaint\`.`,
          'If a creation fails after something was written, Terraform marks the resource as tainted. The state still has what was there before. Use `terraform untaint`, and apply what is left.',
        ]),
    ...(identity.assigned === 'by-service'
      ? []
      : [
          `With \`create_before_destroy\`, \`on_remove\` is not carried out, because it would undo what was just written. A warning says so. The same holds if another resource has taken over the same object earlier in the same apply. If the destroy comes first, the new resource writes what it declares after it.${named === '' ? '' : ` A later ${named} then goes back to what the new resource found.`} To rename a resource, use a \`moved\` block.`,
        ]),
  ]
}

const repeating = ({ write, absence, observe }: KindDefinition): string[] =>
  isNone(write) && isNone(absence)
    ? []
    : [
        `If the answer to a ${isNone(write) ? 'deletion' : 'change'} is lost, the same apply ${observe.how === 'everything' ? 'reads the service to decide whether to send it again' : 'sends it again if events show no change by anybody else'}. The apply sends a ${isNone(write) ? 'deletion' : 'change'} at most three times. If the last answer is lost too, the apply fails, and the state has ${observe.how === 'everything' ? 'the live values' : 'null for each value that is not known'}.`,
      ]

const lost = (kind: KindDefinition): string[] => {
  const { establish, identity } = kind
  const { create } = establish
  if (isNone(create)) return []
  const key = code(camelToSnake(identity.key))
  const thing = noun(kind)
  return [
    `Terraform keeps no journal. If it is killed after the creation was sent, or the answer is lost, the new ${thing} may be missing from every state. Look for it before the next apply, which would ${create.once === true ? 'send the creation again' : 'create another one'}.`,
    ...(isNone(create.lost)
      ? [`${asSentence(create.lost.none)} Adopt it by its id.`]
      : create.lost.by === 'name'
        ? [
            asSentence(create.lost.because),
            `If only the answer was lost, and there is an event of the creation, the same apply puts the ${thing} into the state, with ${key} null and a warning. It cannot be changed until its id is known. Once an event contains the id, the next read puts it into the state. You can also set ${key} in the configuration, which does not replace the resource.`,
            `If there is no such event, the apply fails. Nothing is in the state, so nothing is tainted. If the ${thing} does exist, the next apply gets a 409 answer, and you can adopt the ${thing} by its id.`,
          ]
        : [
            `The event of the creation has the new ${code(camelToSnake(create.lost.idInEvent))}. If only the answer was lost, the same apply looks for such an event, and sends a change of one attribute, to the configured value, to the ${thing} in it. If the answer shows the ${thing} that was to be created, the resource takes it over, and a warning names it. If several creations lose their answers, they are settled together, so that each resource gets what its own creation made.`,
            `Give each state and each provider alias an API key of its own. If two of them use one key and create the same ${thing} at the same time, events do not tell the two apart, and one resource can take over what the other has created. Then both have the id that the warning names.`,
            'If no event shows it, or several candidates remain, the apply fails and names the candidates. Use `terraform import` to take one over.',
          ]),
  ]
}
