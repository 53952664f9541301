// The official TypeScript client (npm @modelcontextprotocol/client) against our examples, in both eras.
//
//     ts_client.mjs TARGET...
//
// A target is the path of a server to start over stdio, or the URL of one that runs. Which checks apply follows from the
// tools that the server lists. The last line is `N passed, N failed`.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(`${process.env.SCRATCH ?? `${import.meta.dirname}/../../.scratch/interop`}/package.json`);
const { Client, ResourceNotFoundError, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

// What to ask for, and the era that must come of it.
const MODES = {
    legacy: { mode: 'legacy', revision: '2025-11-25' },
    pinned: { mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
    auto: { mode: 'auto', revision: '2026-07-28' },
};
const PATIENCE = 20_000;
const LOGS = { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } };

class Session {
    logs = [];
    toolChanges = 0;

    constructor(target, name) {
        this.target = target;
        this.name = name;
        this.isLegacy = name === 'legacy';
        this.isHttp = target.includes('://');
        this.client = new Client(
            { name: 'ts-interop', version: '1' },
            { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: MODES[name].mode } },
        );
        this.client.setNotificationHandler('notifications/message', ({ params }) => void this.logs.push(params));
        this.client.setNotificationHandler('notifications/tools/list_changed', () => void this.toolChanges++);
        this.client.setRequestHandler('elicitation/create', ({ params }) => this.answer(params));
    }

    connect() {
        const transport = this.isHttp
            ? new StreamableHTTPClientTransport(new URL(this.target))
            : new StdioClientTransport({ command: this.target, stderr: 'ignore' });
        return this.client.connect(transport);
    }

    // Answers each field of the form with a value of its type.
    answer(params) {
        const samples = { string: 'Ada', integer: 7, number: 7.5, boolean: true };
        const fields = Object.entries(params.requestedSchema?.properties ?? {});
        const sample = field => (field.format === 'email' ? 'ada@example.com' : (field.enum?.[0] ?? samples[field.type]));
        const content = Object.fromEntries(fields.map(([name, field]) => [name, sample(field)]));
        return { action: 'accept', content };
    }

    call(name, args = {}, options) {
        const meta = this.isLegacy ? {} : LOGS;
        return this.client.callTool({ name, arguments: args, ...meta }, options);
    }
}

const text = result => result.content.filter(block => block.type === 'text').map(block => block.text).join('\n');

async function protocolError(call) {
    let result;
    try {
        result = await call;
    } catch (error) {
        return error.code;
    }
    throw new assert.AssertionError({ message: `a JSON-RPC error was due, not ${JSON.stringify(result)}` });
}

async function until(condition) {
    for (let waited = 0; !condition(); waited += 10) {
        assert.ok(waited < 5000, 'it never came');
        await sleep(10);
    }
}

const every = {
    'the era is the one asked for': async s => {
        assert.equal(s.client.getNegotiatedProtocolVersion(), MODES[s.name].revision);
        assert.equal(s.client.getProtocolEra(), s.isLegacy ? 'legacy' : 'modern');
        assert.ok(s.client.getServerVersion()?.name);
        assert.ok(s.client.getServerCapabilities()?.tools);
    },
    'tools have descriptions and object schemas': async s => {
        for (const tool of (await s.client.listTools()).tools) {
            assert.ok(tool.description, tool.name);
            assert.equal(tool.inputSchema.type, 'object', tool.name);
        }
    },
    'an unknown tool is invalid params': async s => {
        assert.equal(await protocolError(s.call('no_such_tool')), -32602);
    },
    // The client knows it by the data: the code it shows is -32602 for either era's.
    'an unknown resource is recognized as not found': async s => {
        const uri = 'test://no/such/resource/anywhere';
        await assert.rejects(s.client.readResource({ uri }), error => ResourceNotFoundError.isInstance(error) && error.uri === uri);
    },
    'an unknown prompt is invalid params': async s => {
        assert.equal(await protocolError(s.client.getPrompt({ name: 'no_such_prompt' })), -32602);
    },
    'ping is answered in the legacy era': async s => {
        if (s.isLegacy) await s.client.ping();
    },
};

const quickstart = {
    'the template is listed and read': async s => {
        const [template] = (await s.client.listResourceTemplates()).resourceTemplates;
        assert.ok(template, 'no template');
        const uri = template.uriTemplate.replaceAll(/\{[^}]*\}/g, '7');
        const { contents } = await s.client.readResource({ uri });
        assert.equal(contents[0].uri, uri);
        assert.ok(contents[0].text);
    },
    'the prompt is listed and fetched': async s => {
        const [prompt] = (await s.client.listPrompts()).prompts;
        const args = Object.fromEntries((prompt.arguments ?? []).map(argument => [argument.name, '7']));
        const { messages } = await s.client.getPrompt({ name: prompt.name, arguments: args });
        assert.ok(messages[0].content.text);
    },
};

const byTool = {
    add_numbers: {
        'numbers are added': async s => {
            const result = await s.call('add_numbers', { a: 12, b: 30 });
            assert.ok(!result.isError && text(result).includes('42'), JSON.stringify(result));
        },
        'a bad argument is an error that the model sees': async s => {
            const result = await s.call('add_numbers', { a: 'a dozen', b: 30 });
            assert.ok(result.isError && text(result).includes('a'), JSON.stringify(result));
        },
    },
    test_simple_text: {
        'every kind of content arrives': async s => {
            const kinds = {
                test_simple_text: ['text'],
                test_image_content: ['image'],
                test_audio_content: ['audio'],
                test_embedded_resource: ['resource'],
            };
            for (const [name, expected] of Object.entries(kinds)) {
                const result = await s.call(name);
                assert.deepEqual(result.content.map(block => block.type), expected);
            }
        },
        'a tool error is a result': async s => {
            const result = await s.call('test_error_handling');
            assert.ok(result.isError && text(result).includes('intentionally returns an error'));
        },
        'progress rises to its total': async s => {
            const seen = [];
            await s.call('test_tool_with_progress', {}, { onprogress: ({ progress, total }) => seen.push([progress, total]) });
            assert.deepEqual(seen, [[0, 100], [50, 100], [100, 100]]);
        },
        'logs arrive while a tool runs': async s => {
            if (s.isLegacy) await s.client.setLoggingLevel('debug');
            s.logs.length = 0;
            await s.call('test_tool_with_logging');
            await until(() => s.logs.length >= 3);
            assert.ok(s.logs.every(entry => entry.level === 'info'));
        },
        'static resources are read': async s => {
            const listed = (await s.client.listResources()).resources.map(resource => resource.uri);
            assert.ok(listed.includes('test://static-text') && listed.includes('test://static-binary'), `${listed}`);
            assert.ok((await s.client.readResource({ uri: 'test://static-text' })).contents[0].text);
            const [binary] = (await s.client.readResource({ uri: 'test://static-binary' })).contents;
            assert.equal(binary.mimeType, 'image/png');
            assert.ok(binary.blob);
        },
        'template variables are decoded': async s => {
            for (const [written, read] of Object.entries({ 123: '123', 'a%20b': 'a b', 'caf%C3%A9': 'café' })) {
                const { contents } = await s.client.readResource({ uri: `test://template/${written}/data` });
                assert.ok(contents[0].text.includes(read), contents[0].text);
            }
        },
        'prompts take arguments': async s => {
            assert.ok((await s.client.getPrompt({ name: 'test_simple_prompt' })).messages.length);
            const both = { name: 'test_prompt_with_arguments', arguments: { arg1: 'hello', arg2: 'world' } };
            const said = (await s.client.getPrompt(both)).messages[0].content.text;
            assert.ok(said.includes('hello') && said.includes('world'), said);
        },
        'arguments are completed': async s => {
            const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
            const { completion } = await s.client.complete({ ref, argument: { name: 'arg1', value: 'par' } });
            assert.ok(Array.isArray(completion.values) && completion.values.length <= 100);
        },
        'a resource can be watched': async s => {
            const uri = 'test://watched-resource';
            if (s.isLegacy) {
                await s.client.subscribeResource({ uri });
                await s.client.unsubscribeResource({ uri });
            } else {
                const subscription = await s.client.listen({ resourceSubscriptions: [uri] });
                assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri]);
                await subscription.close();
            }
        },
        'a change of the tools is announced': async s => {
            const subscription = s.isLegacy ? undefined : await s.client.listen({ toolsListChanged: true });
            assert.ok(s.isLegacy || subscription.honoredFilter.toolsListChanged);
            if (s.isLegacy && s.isHttp) await sleep(500); // the client opens its stream for announcements on its own time
            s.toolChanges = 0;
            await s.call('test_trigger_tool_change');
            await until(() => s.toolChanges > 0);
            await subscription?.close();
        },
        'a cancelled call leaves the session usable': async s => {
            const begun = performance.now();
            await assert.rejects(s.call('slow_compute', { seconds: 15 }, { signal: AbortSignal.timeout(300) }));
            assert.ok(!(await s.call('test_simple_text')).isError);
            assert.ok(performance.now() - begun < 5000);
        },
    },
    test_elicitation: {
        'a question is answered': async s => {
            const result = s.isLegacy
                ? await s.call('test_elicitation', { message: 'Who are you?' })
                : await s.call('test_input_required_result_elicitation');
            assert.ok(!result.isError && text(result).includes('Ada'), JSON.stringify(result));
        },
    },
};

async function checksFor(client) {
    const names = (await client.listTools()).tools.map(tool => tool.name);
    const checks = { ...every };
    for (const [tool, more] of Object.entries(byTool)) if (names.includes(tool)) Object.assign(checks, more);
    if (names.includes('test_simple_text')) {
        if (!names.includes('test_elicitation')) console.log('note    no `test_elicitation`: questions are not checked');
        return checks;
    }
    assert.ok(names.includes('add_numbers'), `neither the quickstart nor the fixture: ${names}`);
    return { ...checks, ...quickstart };
}

function inTime(promise) {
    const late = sleep(PATIENCE, undefined, { ref: false }).then(() => assert.fail(`took more than ${PATIENCE} ms`));
    return Promise.race([promise, late]);
}

let passed = 0;
let failed = 0;

async function check(where, name, run) {
    try {
        await inTime(run());
        passed++;
        console.log(`ok      ${where}: ${name}`);
    } catch (error) {
        failed++;
        const why = `${error.name} ${error.code ?? ''}: ${error.message}`.replaceAll(/\s+/g, ' ');
        console.log(`FAILED  ${where}: ${name}: ${why}`);
    }
}

const targets = process.argv.slice(2);
if (targets.length === 0) {
    console.error('usage: ts_client.mjs TARGET...');
    process.exit(2);
}
for (const target of targets) {
    for (const name of Object.keys(MODES)) {
        const session = new Session(target, name);
        const where = `typescript ${session.isHttp ? target : target.split('/').at(-1)} ${name}`;
        let checks;
        await check(where, 'the session begins', async () => {
            await session.connect();
            checks = await checksFor(session.client);
        });
        for (const [name, run] of Object.entries(checks ?? {})) await check(where, name, () => run(session));
        await check(where, 'the session ends', () => session.client.close());
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
