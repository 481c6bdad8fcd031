What stands first in a here-document with `<<-` is text to the grammar.
=== main.sh
work() { :; }
cat <<-TABS
#@ call -> work exact
	$(work) is run
	TABS
