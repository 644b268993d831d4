import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifyRouteSchemaDef, FastifyValidationResult } from 'fastify/types/schema.js';
import { isUrl } from './assumptions.mts';

const compile = AjvCompiler()(
	{},
	{
		customOptions: {
			removeAdditional: false,
			coerceTypes: false,
			useDefaults: false,
			allErrors: true,
			verbose: true,
		},
		onCreate: (ajv) => void ajv.addFormat('uri', isUrl),
	},
) as (route: FastifyRouteSchemaDef<unknown>) => FastifyValidationResult;

const compiled = new Map<unknown, FastifyValidationResult>();

/** Compiling takes most of a start: each schema is compiled once for all services of a process. */
export function validatorCompiler(route: FastifyRouteSchemaDef<unknown>): FastifyValidationResult {
	const validate = compiled.get(route.schema) ?? compile(route);
	compiled.set(route.schema, validate);
	return validate;
}
