"""The projects of a repository, by their manifests: roots, source folders, dependencies."""
