import type { Locator, Page } from '@playwright/test';

/**
 * Does what starts a test of a credential, and waits until n8n has answered. Where two tests of one type
 * overlap, n8n takes the node of one away from the other and answers "Node not found".
 */
async function untilTested(page: Page, action: () => Promise<void>): Promise<string> {
	const [response] = await Promise.all([page.waitForResponse('**/credentials/test'), action()]);
	return await response.text();
}

export class CredentialDialog {
	readonly dialog: Locator;
	readonly #page: Page;

	private constructor(page: Page) {
		this.#page = page;
		this.dialog = page.getByTestId('editCredential-modal');
	}

	static async opened(page: Page): Promise<CredentialDialog> {
		const opened = new CredentialDialog(page);
		await opened.dialog.waitFor();
		return opened;
	}

	/** Opens a credential that is saved, which n8n tests at once. */
	static async openSaved(page: Page, button: Locator): Promise<CredentialDialog> {
		await untilTested(page, async () => await button.click());
		return await CredentialDialog.opened(page);
	}

	async fill(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Saves, upon which n8n tests the connection. A new credential that passes closes the dialog. */
	async save(): Promise<void> {
		const button = this.dialog.getByTestId('credential-save-button');
		let answer = await untilTested(this.#page, async () => await button.click());
		while (answer.includes('Node not found')) {
			const retry = this.dialog.getByRole('button', { name: 'Retry' });
			answer = await untilTested(this.#page, async () => await retry.click());
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
