import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { failures, type ErrorDetail, type FailureCode } from './assumptions.mts';

/** A request that failed, and why. */
export class ApiError extends Error {
	readonly code: FailureCode;
	readonly details: ErrorDetail[];

	constructor(code: FailureCode, details: ErrorDetail[] = []) {
		super(failures[code].message);
		this.code = code;
		this.details = details;
	}
}

/** Maps any error to one of the failures in assumptions.mts. */
export function toApiError(error: FastifyError | ApiError): ApiError {
	if (error instanceof ApiError) return error;
	if (error.validation) return new ApiError('invalid', toDetails(error.validation));
	if (error.statusCode === 413) return new ApiError('too_large');
	if (error.statusCode === 415) return new ApiError('unsupported');
	if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('malformed');
	return new ApiError('internal');
}

/** One issue from the validator; parentSchema is there because the validator is set to verbose. */
type ValidationIssue = FastifySchemaValidationError & {
	params: { missingProperty?: string; additionalProperty?: string; limit?: number };
	parentSchema?: { $comment?: string; enum?: string[] };
};

/** The broken rules in words, each once, without the values that broke them. */
function toDetails(errors: ValidationIssue[]): ErrorDetail[] {
	const details = new Map<string, ErrorDetail>();
	for (const error of errors) {
		if (error.keyword === 'if') continue;
		const field = fieldOf(error);
		const rule = ruleOf(error);
		details.set(`${field} ${rule}`, { field, rule });
	}
	return [...details.values()];
}

/** The field's path in the body, such as skills.3.name, or "body" for the body as a whole. */
function fieldOf({ instancePath, params }: ValidationIssue): string {
	const child = params.missingProperty ?? params.additionalProperty;
	const path = instancePath.split('/').slice(1);
	return [...path, ...(child === undefined ? [] : [child])].join('.') || 'body';
}

function ruleOf({ keyword, params, parentSchema, message = '' }: ValidationIssue): string {
	switch (keyword) {
		case 'required':
			return 'is required';
		case 'additionalProperties':
			return 'is not a field of this request';
		case 'minLength':
			return 'must not be empty';
		case 'maxLength':
			return `must have at most ${params.limit} characters`;
		case 'maxItems':
			return `must have at most ${params.limit} items`;
		case 'enum':
			return `must be one of: ${parentSchema?.enum?.join(', ')}`;
		case 'pattern':
		case 'format':
			return parentSchema?.$comment ?? message;
		default:
			return message;
	}
}
