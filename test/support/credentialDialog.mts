import type { Locator, Page } from '@playwright/test';

export class CredentialDialog {
	readonly dialog: Locator;
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
		this.dialog = page.getByTestId('editCredential-modal');
	}

	/**
	 * Presses what starts a test of the credential, and waits until n8n has answered. Where two tests of one type
	 * overlap, n8n takes the node of one away from the other and answers "Node not found".
	 */
	async test(button: Locator): Promise<string> {
		const answer = this.#page.waitForResponse('**/credentials/test');
		const [response] = await Promise.all([answer, button.click()]);
		return await response.text();
	}

	async fill(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Saves, upon which n8n tests the connection. A new credential that passes closes the dialog. */
	async save(): Promise<void> {
		let answer = await this.test(this.dialog.getByTestId('credential-save-button'));
		while (answer.includes('Node not found')) {
			answer = await this.test(this.dialog.getByRole('button', { name: 'Retry' }));
		}
	}

	async close(): Promise<void> {
		await this.dialog.getByRole('button', { name: 'Close this dialog' }).click();
		await this.dialog.waitFor({ state: 'hidden' });
	}

	/** The green message. */
	get success(): Locator {
		return this.dialog.getByTestId('credentials-config-container-test-success');
	}

	/** Waits for the red message, and unfolds it. */
	async failure(): Promise<Locator> {
		await this.dialog.getByText('More details', { exact: true }).click();
		return this.dialog.getByTestId('node-credentials-config-container').locator('.el-tag--danger');
	}
}
