import { LazyBase, TerraformStack, TerraformVariable, Tokenization, type ITokenResolver } from 'cdktf'
import type { IConstruct } from 'constructs'
import { isKnown } from './checks.ts'

/** Why a value may not stand in what synthesis writes; asked when a construct is made. */
export const refusalOfSecret = (scope: IConstruct, value: string): string | undefined => {
  if (isKnown(value))
    return 'is plain text and would be written to disk; give the stringValue of a SecretVariable'
  // What a lazy value comes to is asked at synthesis.
  return Tokenization.reverseString(value).tokens.some((token) => token instanceof LazyBase)
    ? undefined
    : refusalAtSynthesis(scope, value)
}

/** The same for what a lazy value comes to at synthesis. No message repeats the value. */
export const refusalAtSynthesis = (scope: IConstruct, value: string): string | undefined => {
  const name = /^\$\{var\.([\w-]+)\}$/.exec(resolved(scope, value))?.[1]
  const variable = TerraformStack.of(scope)
    .node.findAll()
    .find(
      (node): node is TerraformVariable =>
        node instanceof TerraformVariable && node.friendlyUniqueId === name,
    )
  if (variable === undefined)
    return 'contains more than the value of a variable, and the rest would be written to disk; give the stringValue of a SecretVariable of this stack'
  const { default: fallback, ...traits } = declarationOf(variable)
  const named = `is the value of the variable ${variable.node.path}`
  if (fallback !== undefined) return `${named}, whose default would be written to disk: omit the default`
  return traits['sensitive'] === true && traits['ephemeral'] === true
    ? undefined
    : `${named}, which Terraform would write into saved plans: make it a SecretVariable`
}

/** What synthesis writes of a variable, overrides included. */
const declarationOf = (variable: TerraformVariable): Readonly<Record<string, unknown>> =>
  variable.toTerraform().variable[variable.friendlyUniqueId]

const resolved = (scope: IConstruct, value: string): string =>
  String(Tokenization.resolve(value, { scope, preparing: false, resolver: referenceAlone }))

const SOMETHING_ELSE = ''

/** Follows a value that is one token and nothing else. */
const referenceAlone: ITokenResolver = {
  resolveToken: (token, context, postProcessor) =>
    postProcessor.postProcess(context.resolve(token.resolve(context)), context),
  resolveString: (fragments, context) =>
    fragments.length === 1 ? context.resolve(fragments.firstToken) : SOMETHING_ELSE,
  resolveList: () => SOMETHING_ELSE,
  resolveNumberList: () => SOMETHING_ELSE,
  resolveMap: () => SOMETHING_ELSE,
}
