; The file is the component; what it defines stands in its parts.
