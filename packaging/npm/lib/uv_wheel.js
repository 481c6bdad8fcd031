// uv from its wheel on the Python package index: the file that uv_wheels.json names for this platform, if it has the
// SHA-256 given there.

'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const { index, version, wheels } = require('./uv_wheels.json');

const EXE = process.platform === 'win32' ? '.exe' : '';
const ADVICE = 'install uv or Python 3.11 or newer, and try again';
const ENTRY = 0x02014b50; // signature of an entry in a zip's directory, and of the directory's end
const END = 0x06054b50;

/** The path of uv below `folder`, which is fetched where it is not there yet. Throws where that fails. */
async function fetchUv(folder, tell) {
    const file = path.join(folder, `uv-${version}${EXE}`);
    if (fs.existsSync(file)) {
        return file;
    }
    const platform = `${process.platform}-${process.arch}`;
    if (!wheels[platform]) {
        throw new Error(`there is no uv for ${platform}; ${ADVICE}`);
    }
    tell(`fetching uv ${version}, which installs it`);
    const name = `uv-${version}.data/scripts/uv${EXE}`;
    const program = unzipped(await fetchWheel(wheels[platform]), name);
    fs.writeFileSync(`${file}.${process.pid}`, program, { mode: 0o755 });
    fs.renameSync(`${file}.${process.pid}`, file);
    return file;
}

async function fetchWheel({ file, sha256 }) {
    const { UV_DEFAULT_INDEX, UV_INDEX_URL, PIP_INDEX_URL } = process.env;
    const base = UV_DEFAULT_INDEX || UV_INDEX_URL || PIP_INDEX_URL || index;
    const page = await fetched(`${base.replace(/\/+$/, '')}/uv/`);
    const links = [...(await page.text()).matchAll(/href\s*=\s*["']([^"'#]+)/g)].map(([, link]) => link);
    const addresses = links.map((each) => new URL(each.replaceAll('&amp;', '&'), page.url));
    const link = addresses.find((each) => decodeURIComponent(path.posix.basename(each.pathname)) === file);
    if (!link) {
        throw new Error(`${base} has no ${file}; ${ADVICE}`);
    }
    const content = Buffer.from(await (await fetched(link)).arrayBuffer());
    if (crypto.createHash('sha256').update(content).digest('hex') !== sha256) {
        throw new Error(`${file} from ${link.host} is not the one that was released: its SHA-256 differs; ${ADVICE}`);
    }
    return content;
}

async function fetched(address) {
    const answer = await fetch(address, { headers: { accept: 'text/html, */*;q=0.1' } }).catch((error) => {
        throw new Error(`${address} cannot be fetched: ${(error.cause ?? error).message}; ${ADVICE}`);
    });
    if (!answer.ok) {
        throw new Error(`${address} cannot be fetched: ${answer.status} ${answer.statusText}; ${ADVICE}`);
    }
    return answer;
}

/** The content of the file `name` in a zip, as APPNOTE.TXT 4.3 has it; enough for wheels, which are below 4 GB. */
function unzipped(zip, name) {
    let at = zip.length - 22;
    while (zip.readUInt32LE(at) !== END) {
        at -= 1;
    }
    for (at = zip.readUInt32LE(at + 16); zip.readUInt32LE(at) === ENTRY; ) {
        const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
        if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
            const header = zip.readUInt32LE(at + 42);
            const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
            const content = zip.subarray(begin, begin + zip.readUInt32LE(at + 20));
            return zip.readUInt16LE(at + 10) === 0 ? content : zlib.inflateRawSync(content);
        }
        at += 46 + nameLength + extraLength + commentLength;
    }
    throw new Error(`the wheel of uv has no ${name}; ${ADVICE}`);
}

module.exports = { fetchUv };
