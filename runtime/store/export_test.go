package store

// OpenFS opens a store on a file system of the test's choice.
var OpenFS = openFS
