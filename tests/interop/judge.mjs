// Judges the results that one run of the conformance suite left in a folder.
//
//     judge.mjs LABEL FOLDER WAITING SCENARIO...
//
// Each scenario that ran must have succeeded in something, failed nothing and warned of nothing; each SCENARIO named must
// have run. Those that match the pattern WAITING are shown and not counted.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

const [label, folder, pattern, ...required] = process.argv.slice(2);
const waiting = pattern ? new RegExp(pattern) : /$^/;

// A scenario that broke off has left a folder without checks.
function checks(file) {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

// Folders are called `server-SCENARIO-TIMESTAMP`.
const results = new Map(
    readdirSync(folder).map(name => [
        name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''),
        checks(`${folder}/${name}/checks.json`),
    ]),
);

let passed = 0;
let failed = 0;
let waits = 0;
for (const scenario of new Set([...required, ...results.keys()])) {
    const checks = results.get(scenario) ?? [];
    const of = status => checks.filter(check => check.status === status);
    const bad = [...of('FAILURE'), ...of('WARNING')];
    const good = bad.length === 0 && of('SUCCESS').length > 0;
    const counts = `${of('SUCCESS').length} checks, ${of('FAILURE').length} failed, ${of('WARNING').length} warnings`;
    if (waiting.test(scenario)) {
        waits++;
        console.log(`waits   ${label} ${scenario}: ${counts}`);
        continue;
    }
    good ? passed++ : failed++;
    console.log(`${good ? 'ok     ' : 'FAILED '} ${label} ${scenario}: ${results.has(scenario) ? counts : 'did not run'}`);
    for (const check of bad) {
        const why = `${check.errorMessage ?? check.description}`.replaceAll(/\s+/g, ' ');
        console.log(`          ${check.status} ${check.id}: ${why}`);
    }
    for (const check of of('SKIPPED')) console.log(`          skipped ${check.id}: ${check.errorMessage ?? check.description}`);
}
console.log(`${label}: ${passed} scenarios passed, ${failed} failed, ${waits} not counted`);
console.log(`${passed} passed, ${failed} failed`);
