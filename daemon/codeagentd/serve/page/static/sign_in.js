// Signs in with the token of the link, which is in the fragment so that it is sent to nobody else.
const token = new URLSearchParams(location.hash.slice(1)).get("token")
const form = document.querySelector("form")
form.elements.next.value = location.pathname === "/sign-in" ? "/" : location.pathname + location.search
if (token) {
  history.replaceState(null, "", location.pathname + location.search)
  form.elements.token.value = token
  form.submit()
} else if (!document.querySelector("[role=alert]")) {
  // a link of another site is followed without the cookie: it may be there all the same
  const response = await fetch(location.href, { method: "HEAD" })
  if (response.ok) location.replace(location.href)
}
