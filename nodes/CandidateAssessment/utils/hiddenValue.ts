/**
 * What n8n shows in place of a hidden value, the same in every n8n but for an ID behind it. n8n stores it as the value
 * where a hidden field is set to Expression, and a script that copies a credential copies it.
 */
export const HIDDEN_VALUE_PLACEHOLDER = /__n8n_BLANK_VALUE_/;
