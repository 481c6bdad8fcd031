Methods and computed values of an options object are members of the component; they stand two objects deep.

=== Shelf.vue
<template><p @click="lend">{{ total }}</p></template> <!--@ read -> Shelf.lend ; read -> Shelf.total -->
<script>
export default {
  computed: { total() { return 1 } }, //@ def method Shelf.total
  methods: { lend() { return this.total } }, //@ def method Shelf.lend
}
</script>
