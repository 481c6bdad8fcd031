// Versions as Python packages have them: numbers, and a suffix for releases that come before the final one.

'use strict';

/** Whether version `one` is `other`, or comes after it. */
function isAtLeast(one, other) {
    const [numbers, suffix] = parts(one);
    const [others, otherSuffix] = parts(other);
    for (let i = 0; i < Math.max(numbers.length, others.length); i++) {
        const difference = (numbers[i] ?? 0) - (others[i] ?? 0);
        if (difference) {
            return difference > 0;
        }
    }
    return suffix === '' || suffix === otherSuffix;
}

function parts(version) {
    const [, numbers, suffix] = /^([\d.]*)(.*)$/.exec(version);
    return [numbers.split('.').map(Number), suffix];
}

module.exports = { isAtLeast };
