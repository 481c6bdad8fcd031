The type of a variable is looked up by its name, which says nothing of the function without a name that it stands in.
=== go.mod
module example.com/shop
=== shelf.go
package shop

func run(name string, f func()) { f() }

func tests() {
	run("lends", func() {
		type page struct{ open int }
		p := page{open: 1}
		print(p.open)                 //@ read -> page.open@7 exact
	})
	run("takes back", func() {
		type page struct{ open bool }
		p := page{open: true}
		print(p.open)                 //@ read -> page.open@12
	})
}
