What needs more of types: of channels, elements of elements, and what functions give that stand in a variable.
=== go.mod
module lib.example/m
=== types.go
package m

type Shelf struct{ Books []*Book; ByName map[string]*Book }
type Book struct{}
func (s *Shelf) Close() error { return nil }        
func (b *Book) Close() error { return nil }
func (b *Book) Lend() {}
func (s *Shelf) Lend() {}
type Closer interface{ Close() error; Lend() }
type Shelves []*Shelf
=== main.go
package m

func use(s *Shelf, c chan *Book, all *Shelves) {
	(<-c).Lend()                                    //@ call -> Book.Lend
	b := <-c
	b.Lend()                                        //@ call -> Book.Lend
	(*all)[0].Lend()                                //@ call -> Shelf.Lend
	make := func() *Shelf { return s }
	make().Lend()                                   //@ call -> Shelf.Lend
	both := func() (int, *Shelf, error) { return 0, s, nil }
	_, second, _ := both()
	second.Lend()                                   //@ call -> Shelf.Lend
	nested := [][]*Book{}
	nested[0][0].Lend()                             //@ call -> Book.Lend
}
