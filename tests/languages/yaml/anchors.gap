An alias means the last anchor before it (YAML 1.2.2, section 6.9.2); names of a scope have one meaning here, wherever they stand.

=== twice.yml
first: &shelf 1
second: *shelf #@ read -> first.shelf
third: &shelf 2
fourth: *shelf
