import { expect, type Locator, type Page } from '@playwright/test';

import { NodePanel } from './nodePanel.mts';

/** n8n's editor in a browser, as its user sees it. */
export class Editor {
	readonly page: Page;
	readonly #baseUrl: string;

	constructor(page: Page, baseUrl: string) {
		this.page = page;
		this.#baseUrl = baseUrl;
	}

	async logIn({ email, password }: { email: string; password: string }): Promise<void> {
		await this.page.goto(`${this.#baseUrl}/signin`);
		await this.page.fill('input[name=emailOrLdapLoginId]', email);
		await this.page.fill('input[name=password]', password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL('**/home/**');
		// n8n asks if it hasn't saved a workflow yet.
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		await this.page.addLocatorHandler(leave, async () => await leave.click());
	}

	async openNewWorkflow(): Promise<void> {
		await this.#closePanel();
		await this.page.getByTestId('universal-add').click();
		await this.page.getByText('New workflow', { exact: true }).click();
		await expect(this.nodes).toHaveCount(0);
		await expect(this.page.getByTestId('canvas-add-button')).toBeVisible();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.#closePanel();
		// The list of workflows stays as it is while it's shown.
		if (/\/home\//.test(this.page.url())) {
			await this.page.goto(`${this.#baseUrl}/workflow/${id}`);
		} else {
			await this.page.getByTestId('project-home-menu-item').click();
			await this.page.locator(`[data-resourceid="${id}"]`).getByRole('heading').click();
		}
		await expect(this.nodes).not.toHaveCount(0);
	}

	/** It covers the menu. To load the page instead would take seconds. */
	async #closePanel(): Promise<void> {
		if (await this.#panel.isVisible()) await (await this.openedPanel()).close();
	}

	/** Searches the node panel. Returns the package's entry, which is one for both nodes. */
	async searchNodes(words: string): Promise<Locator> {
		const search = this.page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible())) {
			await this.page.getByTestId('node-creator-plus-button').click();
		}
		await search.fill(words);
		return this.#creatorItems.filter({ hasText: 'Candidate Assessment' });
	}

	/** Opens an entry of the node panel. Returns its triggers and actions. */
	async unfold(entry: Locator): Promise<Locator> {
		await entry.click();
		await this.page
			.getByTestId('node-creator')
			.getByText(/^Actions/)
			.click();
		return this.#creatorItems;
	}

	/** Once the editor has saved the workflow. */
	get workflowId(): string {
		return /\/workflow\/(\w+)/.exec(this.page.url())![1]!;
	}

	get nodes(): Locator {
		return this.page.getByTestId('canvas-node');
	}

	node(name: string): Locator {
		// Found by attribute, because its outputs may have names.
		return this.nodes.and(this.page.locator(`[data-node-name="${name}"]`));
	}

	async openNode(name: string): Promise<NodePanel> {
		await this.node(name).dblclick({ position: { x: 48, y: 48 } });
		return await this.openedPanel();
	}

	async openedPanel(): Promise<NodePanel> {
		await this.#panel.waitFor();
		return new NodePanel(this.page, this.#panel);
	}

	get #panel(): Locator {
		return this.page.getByTestId('ndv');
	}

	get succeededNodes(): Locator {
		return this.nodes.filter({ has: this.page.getByTestId('canvas-node-status-success') });
	}

	get #creatorItems(): Locator {
		return this.page.getByTestId('node-creator').getByTestId('item-iterator-item');
	}
}
