import { describe, expect, it, test } from 'vitest'
import { loadStack, ORG, PASSWORD_VARIABLE, PROJECT, refusalsOf, USER, WINDOW, windowOf } from './stack.ts'

const describedAs = (text: string): object => ({
  deploymgmt_user: { dana: USER },
  deploymgmt_maintenance_window: { w: { ...WINDOW, description: text } },
})

interface Parts {
  readonly locals?: object
  readonly variable?: object
}

/** What a description becomes. */
const description = async (
  text: string,
  { variable, ...parts }: Parts = {},
  options = {},
): Promise<unknown> => {
  const stack = { ...parts, variable: { ...PASSWORD_VARIABLE, ...variable }, resource: describedAs(text) }
  const { declaration } = await loadStack(stack, options)
  return declaration.entries.find(({ address }) => address === 'maintenanceWindows.w')?.values['description']
}

const recordedIn = async () => (address: string) => (address === 'users.dana' ? { userId: 'u1' } : undefined)

describe('a reference', () => {
  it('to an attribute of another resource is its declared value', async () => {
    expect(await description('for ${deploymgmt_user.dana.first_name}')).toBe('for Dana')
  })

  it('to an id that the service gave is what the state has recorded', async () => {
    expect(await description('${deploymgmt_user.dana.user_id}', {}, { recordedIn })).toBe('u1')
    expect(await description('${ deploymgmt_user.dana.id }', {}, { recordedIn })).toBe('u1')
  })

  it('to an id that nothing has recorded yet waits for it', async () => {
    const stack = { variable: PASSWORD_VARIABLE, resource: describedAs('${deploymgmt_user.dana.user_id}') }
    const { declaration } = await loadStack(stack)
    expect(declaration.entries.find(({ address }) => address === 'maintenanceWindows.w')).toMatchObject({
      values: { description: '${users.dana.userId}' },
      waiting: [{ field: 'description', for: 'users.dana' }],
    })
  })

  it('to the id of what is declared by its id is the one that Terraform has', async () => {
    const resource = {
      deploymgmt_api_key: { k: { org_id: ORG, api_key_id: '5c47503320eef5699e1cce8f', desc: 'x' } },
      deploymgmt_maintenance_window: { w: { ...WINDOW, description: '${deploymgmt_api_key.k.id}' } },
    }
    const { declaration } = await loadStack({ resource })
    expect(declaration.entries[1]?.values['description']).toBe(`${ORG}/5c47503320eef5699e1cce8f`)
  })

  it('to a local that is null omits the value, as null does', async () => {
    const locals = { nothing: null, none: '${local.nothing}' }
    const { declaration } = await loadStack({ ...windowOf({ description: '${local.none}' }), locals })
    expect(Object.keys(declaration.entries[0]?.values ?? {})).not.toContain('description')
    expect(await refusalsOf({ ...windowOf({ project_id: '${local.nothing}' }), locals })).toEqual([
      'resource.deploymgmt_maintenance_window.w: project_id is missing',
    ])
  })

  it('to a local is the local, whole lists and locals of locals included', async () => {
    const locals = {
      team: 'Madrid',
      who: 'team ${local.team}',
      types: ['HOST', '${local.kind}'],
      kind: 'BACKUP',
    }
    expect(await description('${local.who}, ${local.team}', { locals })).toBe('team Madrid, Madrid')
    const { declaration } = await loadStack({ ...windowOf({ alert_type_names: '${local.types}' }), locals })
    expect(declaration.entries[0]?.values['alertTypeNames']).toEqual(['HOST', 'BACKUP'])
  })

  it('that is escaped is text', async () => {
    expect(await description('$${var.x} 100%%{ %')).toBe('${var.x} 100%{ %')
  })

  it.each([
    ['${deploymgmt_user.dan.first_name}', 'there is no resource deploymgmt_user.dan in this stack → dana'],
    ['${deploymgmt_user.dana.first_nam}', 'there is no attribute first_nam; did you mean first_name?'],
    ['${deploymgmt_user.dana.passwrd}', 'there is no attribute passwrd'],
    ['${deploymgmt_user.dana.password}', 'password is a secret, so nothing can refer to it'],
    ['${deploymgmt_user.dana.evidence}', 'evidence is set by the provider while Terraform runs'],
    ['${deploymgmt_user.dana.roles[0].role_name}', 'is a part of a value; refer to a whole attribute'],
    ['${deploymgmt_user.dana.roles.*.role_name}', 'is a part of a value; refer to a whole attribute'],
    [
      '${data.deploymgmt_alerts.open.total_count}',
      'there is no data source deploymgmt_alerts.open in this stack',
    ],
    ['${module.team.name}', 'is an output of a module'],
    ['${each.value}', 'belongs to for_each or count'],
    ['${count.index}', 'belongs to for_each or count'],
    ['${path.module}', 'is known only to Terraform'],
    ['${upper("a}b")}', 'is a function of Terraform; work the value out in the program'],
    ['${random_id.x.hex}', 'is not a variable, a local or an attribute of a resource of this provider'],
    ['${1 + 1}', 'has to be worked out by Terraform'],
    ['${var.x ? "a" : "b"}', 'has to be worked out by Terraform'],
    ['%{ if true }x%{ endif }', 'directives (%{ … }) are worked out by Terraform'],
    ['${var.x', 'an expression begins with ${ here and has no }'],
    ['${var.nobody}', 'there is no variable nobody'],
    ['${local.nobody}', 'there is no local nobody'],
    ['${local.a}', 'locals refer to one another in a circle: a → b → a'],
    ['x${local.list}', '${local.list} is not text, so it cannot be part of a text'],
    [
      '${var.dana_password}',
      '${var.dana_password} is sensitive, and a plan and the state would show it here',
    ],
  ])('%s is refused at its JSON path', async (text, message) => {
    const found = await refusalsOf({
      resource: describedAs(text),
      variable: PASSWORD_VARIABLE,
      locals: { a: '${local.b}', b: '${local.a}', list: ['x'] },
    })
    expect(found).toEqual([
      expect.stringContaining('resource.deploymgmt_maintenance_window.w.description: ') as string,
    ])
    expect(found[0]).toContain(message)
  })
})

/** The findings about a description, with a local that has two errors. */
const saidOf = async (text: string): Promise<string[]> => {
  const locals = { two: '${upper("x")} ${deploymgmt_user.dana.evidence}', again: '${local.two}' }
  const found = await refusalsOf({ resource: describedAs(text), variable: PASSWORD_VARIABLE, locals })
  return found.map((line) => line.replace('resource.deploymgmt_maintenance_window.w.description: ', ''))
}

describe('a value with several references that are wrong', () => {
  it('is refused for each of them', async () => {
    const found = await saidOf(
      '%{ if x }${upper("x")}%{ endif } ${deploymgmt_user.dana.first_name} ${count.index} ${upper("x")} ${var.x',
    )
    expect(found).toEqual([
      expect.stringContaining('directives (%{ … })'),
      expect.stringContaining('${upper("x")} is a function of Terraform'),
      expect.stringContaining('${count.index} belongs to for_each or count'),
      expect.stringContaining('an expression begins with ${ here and has no }'),
    ])
  })

  it('that stand in a local is refused for each of these once', async () => {
    expect(await saidOf('${local.two} ${local.again} ${local.two}')).toEqual([
      expect.stringContaining('${upper("x")} is a function of Terraform'),
      expect.stringContaining('evidence is set by the provider while Terraform runs'),
    ])
  })
})

describe('what bindings write of a reference', () => {
  it.each([
    ['${tolist(deploymgmt_maintenance_window.a.alert_type_names)}', ['HOST']],
    ['${deploymgmt_maintenance_window.a.alert_type_names}', ['HOST']],
    ['${toset(deploymgmt_maintenance_window.a.alert_type_names)}', ['HOST']],
  ])('%s is the list that is declared', async (text, names) => {
    const resource = {
      deploymgmt_maintenance_window: { a: WINDOW, w: { ...WINDOW, alert_type_names: text } },
    }
    const { declaration } = await loadStack({ resource })
    expect(declaration.entries[1]?.values['alertTypeNames']).toEqual(names)
  })

  it.each([
    ['${deploymgmt_alert_configuration.c.select.event_type_name}', 'HOST_DOWN'],
    ['${deploymgmt_alert_configuration.c.on_remove}', 'restore'],
    ['${deploymgmt_user.dana.on_remove}', 'forget'],
  ])('%s is what is declared there', async (text, value) => {
    const select = {
      project_id: PROJECT,
      select: { event_type_name: 'HOST_DOWN' },
      enabled: true,
      on_remove: 'restore',
    }
    const resource = { ...describedAs(text), deploymgmt_alert_configuration: { c: select } }
    const { declaration } = await loadStack({ variable: PASSWORD_VARIABLE, resource })
    expect(
      declaration.entries.find(({ address }) => address === 'maintenanceWindows.w')?.values,
    ).toMatchObject({
      description: value,
    })
  })
})

describe('a variable', () => {
  it.each([
    [{ default: 'x${a} $${b}' }, {}, 'x${a} $${b}'],
    [{ type: 'number', default: 1e21 }, {}, '1000000000000000000000'],
    [{ type: 'number', default: 1 }, { TF_VAR_x: '007' }, '7'],
    [{ type: 'number', default: '007' }, {}, '7'],
    [{ type: 'number', default: '.5' }, {}, '0.5'],
    [{ type: 'number', default: null }, { TF_VAR_x: '+7' }, '7'],
    [{ type: 'string', default: true }, {}, 'true'],
    [{ type: 'string', default: 1e21 }, {}, '1000000000000000000000'],
    [{ type: 'number' }, { TF_VAR_x: '123456789012345678901234' }, '123456789012345678901234'],
    [{ type: 'number' }, { TF_VAR_x: '-1.250e1' }, '-12.5'],
    [{ type: 'number' }, { TF_VAR_x: '25e-4' }, '0.0025'],
    [{ type: 'bool', default: true }, {}, 'true'],
    [{ type: 'bool', default: '0' }, {}, 'false'],
    [{ type: 'bool', default: '1' }, {}, 'true'],
    [{ type: 'bool' }, { TF_VAR_x: '1' }, 'true'],
    [{ type: 'string', default: 5 }, { TF_VAR_x: 'five' }, 'five'],
    [{ default: true }, { TF_VAR_x: 'perhaps' }, 'perhaps'],
    [{ default: 1e21 }, {}, '1000000000000000000000'],
  ])('declared as %j is as Terraform has it', async (x, env, value) => {
    expect(await description('${var.x}', { variable: { x } }, { env })).toBe(value)
  })

  it('that is ephemeral, or no number where it says so, is refused', async () => {
    expect(
      await refusalsOf({
        ...windowOf({ description: '${var.x}' }),
        variable: { x: { ephemeral: true, default: 'a' } },
      }),
    ).toEqual([expect.stringContaining('${var.x} is ephemeral')])
    expect(await refusalsOf({ ...windowOf(), variable: { x: { type: 'number', default: 'a' } } })).toEqual([
      'variable.x.default: this variable is a number, but its default is not',
    ])
    expect(await refusalsOf({ ...windowOf(), variable: { x: { type: 'number', default: true } } })).toEqual([
      'variable.x.default: this variable is a number, but its default is not',
    ])
  })

  it.each(['a', '7', 1, 0])(
    'that is a bool is refused with a default that Terraform does not take: %j',
    async (x) => {
      const variable = { x: { type: 'bool', default: x } }
      expect(await refusalsOf({ ...windowOf({ description: '${var.x}' }), variable })).toEqual([
        'variable.x.default: this variable is a bool, but its default is not',
      ])
    },
  )

  it.each([
    [{ type: 'number' }, 'this variable is a number, but its value in TF_VAR_x is not'],
    [{ type: 'bool', default: true }, 'this variable is a bool, but its value in TF_VAR_x is not'],
  ])('whose value in the environment is not of its type is refused: %j', async (x, message) => {
    const stack = { ...windowOf({ description: '${var.x}' }), variable: { x } }
    expect(await refusalsOf(stack, { env: { TF_VAR_x: 'ten' } })).toEqual([`variable.x: ${message}`])
    expect(await refusalsOf(stack, { vars: ['x=ten'] })).toEqual([
      `variable.x: ${message.replace('in TF_VAR_x', 'on the command line')}`,
    ])
  })

  const variable = { zone: { default: 'Madrid', type: 'string' }, on: { type: 'bool', default: false } }
  const env = { TF_VAR_zone: 'Lisbon', TF_VAR_unknown: 'x' }

  it('is its default, what the environment says, or what --var says', async () => {
    expect(await description('${var.zone}', { variable })).toBe('Madrid')
    expect(await description('${var.zone}', { variable }, { env })).toBe('Lisbon')
    expect(await description('${var.zone}', { variable }, { env, vars: ['zone=Porto'] })).toBe('Porto')
  })

  it('of another type is of the type that its place declares', async () => {
    const resource = {
      deploymgmt_alert_configuration: {
        a: { project_id: PROJECT, alert_config_id: '5d1113b25a115342acc2d1aa', enabled: '${var.on}' },
      },
    }
    const on = async (options: object) =>
      (await loadStack({ resource, variable }, options)).declaration.entries[0]?.values['enabled']
    expect(await on({})).toBe(false)
    expect(await on({ env: { TF_VAR_on: 'true' } })).toBe(true)
    const open = { on: { type: '${bool}' } }
    const { declaration } = await loadStack({ resource, variable: open }, { vars: ['on=true'] })
    expect(declaration.entries[0]?.values['enabled']).toBe(true)
  })

  it('without a value is an error where it is used, and none where it is not', async () => {
    const open = { variable: { zone: { type: 'string' } } }
    await expect(loadStack({ ...windowOf(), ...open })).resolves.toBeDefined()
    await expect(loadStack({ ...windowOf(), ...open }, { env })).resolves.toBeDefined()
    expect(await refusalsOf({ ...windowOf({ description: '${var.zone}' }), ...open })).toEqual([
      'variable.zone: this variable has no value; give it with --var zone=VALUE, or a default',
    ])
  })

  it('that is not declared cannot be given', async () => {
    await expect(loadStack(windowOf(), { vars: ['zone=x'] })).rejects.toMatchObject({ code: 'DM-VARIABLE' })
  })

  it.each([
    [
      { type: 'list(string)', default: [] },
      'variable.x.type: a variable is a string, a number or a bool here',
    ],
    [
      { validation: [{ condition: '${true}' }] },
      'variable.x.validation: validations are worked out by Terraform',
    ],
    [{ sensible: true }, 'variable.x.sensible: a variable has no sensible'],
  ])('declared as %j is refused', async (x, message) => {
    expect(await refusalsOf({ ...windowOf(), variable: { x } })).toContainEqual(
      expect.stringContaining(message),
    )
  })
})

const withPassword = (password: unknown, variable: object = PASSWORD_VARIABLE) => ({
  resource: { deploymgmt_user: { dana: { ...USER, password } } },
  variable,
})
describe('a password', () => {
  const PATH = 'resource.deploymgmt_user.dana.password'

  it('is a variable, read from TF_VAR_NAME when it is sent, and not before', async () => {
    const { declaration, variables } = await loadStack(withPassword('${var.dana_password}'), {
      env: { TF_VAR_dana_password: 'canary' },
    })
    expect(declaration.entries[0]?.values['password']).toEqual({ env: 'TF_VAR_dana_password' })
    expect(JSON.stringify([declaration, variables])).not.toContain('canary')
  })

  it.each(['Canary-7', '${var.dana_password}!', '${local.pw}', ['${var.dana_password}'], { env: 'CANARY' }])(
    'written as %j is refused, and quoted nowhere',
    async (password) => {
      const { findings } = await loadStack({ ...withPassword(password), locals: { pw: 'x' } }).then(
        () => ({ findings: [] }),
        (error: { findings: { path: string; message: string; excerpt?: { text: string } }[] }) => error,
      )
      expect(findings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
        expect.stringContaining(`${PATH}: a secret in a synthesized file is no longer secret`),
      ])
      expect(JSON.stringify(findings)).not.toMatch(/canary/i)
    },
  )

  it('whose variable has a default, or is given on the command line, is refused', async () => {
    const variable = { dana_password: { default: 'Canary-7' } }
    const found = await refusalsOf(withPassword('${var.dana_password}', variable))
    expect(found).toEqual([
      'variable.dana_password.default: anybody can read the default of a secret: take it out, and set TF_VAR_dana_password in its place',
    ])
    expect(
      await refusalsOf(withPassword('${var.dana_password}'), { vars: ['dana_password=Canary-7'] }),
    ).toEqual([
      'variable.dana_password: others can read a secret on the command line: set TF_VAR_dana_password in its place',
    ])
  })

  it('whose variable is not declared is refused', async () => {
    expect(await refusalsOf(withPassword('${var.dana_password}', {}))).toEqual([
      'variable: there is no variable dana_password',
    ])
  })
})

test('a variable may be used in every place where a resource has a text', async () => {
  const { declaration } = await loadStack({
    ...windowOf({ project_id: '${var.project}', on_remove: '${var.way}' }),
    variable: { project: { default: PROJECT }, way: { default: 'forget' } },
  })
  expect(declaration.entries[0]).toMatchObject({ values: { projectId: PROJECT }, onRemove: 'forget' })
})
