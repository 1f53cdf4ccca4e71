import { DeploymgmtProvider } from '@deploymgmt/constructs'
import { Testing, TerraformStack } from 'cdktf'

type Blocks = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

/** A synthesized stack: the text for the library's assertions, and its parsed content. */
export interface Declared {
  readonly text: string
  readonly resources: Blocks
  readonly data: Blocks
}

/** Declares something in a new stack named `acme`. */
export const declared = (declare: (stack: TerraformStack) => void): Declared => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  declare(stack)
  const text = Testing.synth(stack)
  const { resource = {}, data = {} } = JSON.parse(text) as { resource?: Blocks; data?: Blocks }
  return { text, resources: resource, data }
}

/** The error message of a declaration. */
export const refusal = (declare: (stack: TerraformStack) => void): string => {
  try {
    declare(new TerraformStack(Testing.app(), 'acme'))
  } catch (error) {
    if (error instanceof Error && error.name === 'DeclarationError') return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

/** The warnings of a declaration. */
export const warnings = (declare: (stack: TerraformStack) => void): string[] => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  declare(stack)
  Testing.synth(stack)
  return stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === '@cdktf/warn')
    .map(({ data }) => String(data))
}

/** The error of synthesis, once everything is declared; empty if there is none. */
export const invalid = (declare: (stack: TerraformStack) => void): string => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  new DeploymgmtProvider(stack, 'deploymgmt')
  declare(stack)
  try {
    Testing.synth(stack, true)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
